/**
 * Concrete calls on which a printed predicate is tried: for each class a call that realises it, then the same call with
 * one argument changed at a time to every value that some proposition asks about, omitted, or of another type. The
 * answer of the text is compared with the decision procedure's own guards under the same call.
 */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { InvariantError } from '../base/errors.js';
import { PREDICATE_PROBES_MAX } from '../base/limits.js';
import type { Fold } from '../analysis/fold.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import { literalOf } from '../analysis/literal.js';
import { Rewriter } from '../analysis/rewrite.js';
import { callSubstitution } from '../analysis/specialise.js';
import type { Store } from '../analysis/store.js';
import type { Summary } from '../analysis/summary.js';
import { textOf } from '../analysis/text-tests.js';
import { propositionsOf } from '../analysis/theory.js';
import type { Guard, TermId } from '../analysis/terms.js';
import { cover, cubeGuard } from './cubes.js';
import { evaluatePredicate } from './evaluate-predicate.js';
import type { CallShape } from './call-shape.js';
import type { Regions } from './regions.js';

export interface PredicateCheck {
  readonly text: string;
  readonly exact: boolean;
  /** What the text is meant to say. */
  readonly inside: Guard;
  /** What it may say at most: region and domain. */
  readonly region: Guard;
  readonly regions: Regions;
  readonly source: Summary;
  readonly target: Summary;
  readonly shape: CallShape;
  readonly fold: Fold;
}

interface Probe {
  readonly args: JsonObject;
  readonly inputs: ReadonlyMap<string, string | null>;
}

/** Throws an invariant error when the text and the decision procedure disagree on any probe. */
export function checkPredicate(check: PredicateCheck): void {
  for (const probe of probesOf(check)) checkProbe(check, probe);
}

function checkProbe(check: PredicateCheck, probe: Probe): void {
  const { store } = check.source;
  const { guards } = store;
  const rewriter = new Rewriter(store, check.fold, callSubstitution(store, { arguments: literalOf(probe.args), inputs: probe.inputs }, check.fold));
  const result = evaluatePredicate(check.text, { args: probe.args, source: probe.inputs, target: probe.inputs });
  const complain = (what: string): never => {
    throw new InvariantError(`a printed predicate ${what} for ${JSON.stringify(probe.args)} with inputs ${JSON.stringify([...probe.inputs])}: ${check.text}`);
  };
  if (result.kind === 'error') complain(`fails (${result.message})`);
  const captured = result.kind === 'captured';
  const keys = check.shape.additionalArguments || Object.keys(probe.args).every((key) => check.shape.arguments.includes(key));
  if (captured && !keys) complain('captures an unknown key');
  // What the theory rules out cannot be a counterexample.
  const theory = rewriter.guard(check.regions.theory);
  const allowed = rewriter.guard(check.region);
  if (captured && guards.and(theory, guards.not(allowed)) !== FALSE) complain('captures a call that is not certified');
  const meant = rewriter.guard(check.inside);
  if (!captured && keys && theory === TRUE && meant === TRUE) complain('misses a call that it is meant to capture');
}

function* probesOf(check: PredicateCheck): Generator<Probe> {
  const { store } = check.source;
  const { guards } = store;
  const { regions } = check;
  const pools = valuePools(check);
  const bases: Probe[] = [];
  for (const region of [check.inside, ...Object.values(regions.byVerdict), regions.possible]) {
    for (const cube of cover(guards, region, regions.possible).cubes) {
      const witness = guards.witness(guards.all([cubeGuard(guards, cube), region, regions.possible]));
      if (witness !== undefined) bases.push(realise(store, witness, pools));
    }
  }
  // Every class first, then around each in turn, so that a bound on the number leaves none out.
  const rings = bases.map((base) => neighbours(base, pools));
  let count = 0;
  for (const probe of [...bases, ...bases.map((base) => ({ ...base, args: { ...base.args, 'no such argument': 1 } }))]) {
    yield probe;
    count += 1;
  }
  for (let open = true; open && count < PREDICATE_PROBES_MAX;) {
    open = false;
    for (const ring of rings) {
      const next = ring.next();
      if (next.done === true) continue;
      open = true;
      yield next.value;
      count += 1;
    }
  }
}

interface Pools {
  readonly args: ReadonlyMap<string, readonly JsonValue[]>;
  readonly inputs: ReadonlyMap<string, readonly (string | null)[]>;
}

const BASE_VALUES: readonly JsonValue[] = ['', 'x', 0, 1.5, true, false, null, [], ['x'], {}, { x: 1 }];

/** Values that propositions ask about, by top-level argument and input. */
function valuePools(check: PredicateCheck): Pools {
  const { store } = check.source;
  const args = new Map<string, JsonValue[]>(check.shape.arguments.map((name) => [name, [...BASE_VALUES]]));
  const inputs = new Map<string, (string | null)[]>([...check.source.inputs, ...check.target.inputs].map((name) => [name, [null, '', 'x']]));
  const all = propositionsOf(store, [check.inside, check.region, check.regions.possible, ...Object.values(check.regions.byVerdict)]);
  const add = (subject: TermId, value: JsonValue): void => {
    const term = store.term(subject);
    if (term.kind === 'argument' && typeof term.path[0] === 'string') (args.get(term.path[0]) ?? []).push(nest(term.path.slice(1), value));
    if (term.kind === 'element') {
      const over = store.term(term.of);
      if (over.kind === 'argument' && typeof over.path[0] === 'string')
        (args.get(over.path[0]) ?? []).push(nest(over.path.slice(1), [value]), nest(over.path.slice(1), ['q', value]));
    }
    if (term.kind === 'input' && typeof value === 'string') inputs.get(term.name)?.push(value);
  };
  const visit = (id: number): void => {
    const proposition = store.proposition(id);
    if (proposition.kind === 'equal') {
      for (const [subject, constant] of [
        [proposition.left, proposition.right],
        [proposition.right, proposition.left],
      ] as const) {
        const value = jsonConstant(store, constant);
        if (value !== undefined) add(subject, value);
      }
    }
    if (proposition.kind === 'type') for (const value of BASE_VALUES) add(proposition.of, value);
    if (proposition.kind === 'test') {
      const [subject, operand] = proposition.args;
      const text = operand === undefined ? undefined : textOf(store, operand);
      if (subject !== undefined && text !== undefined) for (const value of [text, `${text}q`, `q${text}`, `q${text}q`]) add(subject, value);
    }
    if (proposition.kind === 'exists')
      for (const exit of store.loop(proposition.loop).exits) for (const inner of propositionsOf(store, [exit.when])) visit(inner);
  };
  for (const id of all) visit(id);
  const distinct = <Value>(values: readonly Value[]): Value[] => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  return {
    args: new Map([...args].map(([name, values]) => [name, distinct(values)])),
    inputs: new Map([...inputs].map(([name, values]) => [name, distinct(values)])),
  };
}

function nest(path: readonly (string | number)[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, part) => (typeof part === 'number' ? Array.from({ length: part + 1 }, () => inner) : { [part]: inner }), value);
}

function jsonConstant(store: Store, id: TermId): JsonValue | undefined {
  const term = store.term(id);
  if (term.kind !== 'constant') return undefined;
  switch (term.value.type) {
    case 'string':
    case 'boolean':
      return term.value.value;
    case 'int':
      return Number.isSafeInteger(Number(term.value.value)) ? Number(term.value.value) : undefined;
    case 'float':
      return Number.isFinite(term.value.value) ? term.value.value : undefined;
    case 'null':
      return null;
    case 'undefined':
    case 'bytes':
    case 'special':
      return undefined;
  }
}

/** For every argument and input the pool value that agrees with most of what the assignment says about it. */
function realise(store: Store, assignment: ReadonlyMap<number, boolean>, pools: Pools): Probe {
  const args: Record<string, JsonValue> = {};
  for (const [name, pool] of pools.args) {
    const value = bestValue(store, assignment, name, pool);
    if (value !== undefined) args[name] = value;
  }
  const inputs = new Map<string, string | null>();
  for (const [name, pool] of pools.inputs) {
    const wantsNull = [...assignment].some(([id, holds]) => {
      const proposition = store.proposition(id);
      if (proposition.kind !== 'type' || proposition.is !== 'null' || !holds) return false;
      const of = store.term(proposition.of);
      return of.kind === 'input' && of.name === name;
    });
    inputs.set(name, wantsNull ? null : (pool.find((value) => value !== null) ?? null));
  }
  return { args, inputs };
}

function bestValue(store: Store, assignment: ReadonlyMap<number, boolean>, name: string, pool: readonly JsonValue[]): JsonValue | undefined {
  const about = [...assignment].filter(([id]) => mentions(store, id, name));
  let best: { value: JsonValue | undefined; agreement: number } = { value: undefined, agreement: -1 };
  for (const value of [...pool, undefined]) {
    const fold: Fold = { term: () => undefined, test: () => undefined };
    const members: JsonObject = value === undefined ? {} : { [name]: value };
    const rewriter = new Rewriter(store, fold, callSubstitution(store, { arguments: literalOf(members), inputs: new Map() }, fold));
    const agreement = about.filter(([id, holds]) => rewriter.proposition(id) === (holds ? TRUE : FALSE)).length;
    if (agreement > best.agreement) best = { value, agreement };
  }
  return best.value;
}

function mentions(store: Store, id: number, name: string): boolean {
  return [...store.guardSources(store.guards.variable(id)).argumentPaths].some((path) => path === `/${name}` || path.startsWith(`/${name}/`));
}

function* neighbours(base: Probe, pools: Pools): Generator<Probe> {
  for (const [name, pool] of pools.args) {
    for (const value of pool) yield { ...base, args: { ...base.args, [name]: value } };
    yield { ...base, args: Object.fromEntries(Object.entries(base.args).filter(([key]) => key !== name)) };
  }
  for (const [name, pool] of pools.inputs) for (const value of pool) yield { ...base, inputs: new Map([...base.inputs, [name, value]]) };
}
