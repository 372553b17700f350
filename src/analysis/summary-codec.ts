/**
 * The semantic part of a summary as canonical JSON: what a call can do, without places in the source. Summaries that say
 * the same have the same bytes, whatever the order of discovery or the way the handler is written down.
 *
 * Terms, propositions, diagram nodes and loops stand in one table, parts before what is made of them, numbered by a walk
 * over the outcomes in canonical order. `summary-decode.ts` reads it back.
 */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { digestOfJson, type Digest } from '../base/digest.js';
import { InvariantError, unreachable } from '../base/errors.js';
import type { ConstantValue } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { canonicalOutcomes, type PlacedOutcome } from './canonical-outcomes.js';
import { TRUE } from './guards.js';
import { propositionChildren, termChildren, type Store } from './store.js';
import type { Behaviour, Guard, LoopIndex, PropositionId, TermId } from './terms.js';
import type { Context, Dimension, Outcome, Summary } from './summary.js';

export const SUMMARY_SCHEMA = 1;

export interface EncodedSummary {
  readonly semantic: JsonObject;
  readonly digest: Digest;
  /** Places of each encoded outcome, same index. */
  readonly spans: readonly (readonly Span[])[];
}

export function encodeSummary(summary: Summary): EncodedSummary {
  const placed = canonicalOutcomes(summary);
  const encoder = new Encoder(summary.store);
  const domain = encoder.guardRef(summary.domain);
  const serving = encoder.guardRef(summary.serving);
  const outcomes = placed.map((p: PlacedOutcome) => encoder.outcome(p.outcome));
  const semantic: JsonObject = {
    schema: SUMMARY_SCHEMA,
    tool: summary.tool,
    language: summary.language,
    absent: summary.absent,
    domain,
    serving,
    nodes: encoder.nodes,
    outcomes,
    inputs: [...new Set(summary.inputs)].sort(),
    behaviours: sortedBehaviours(summary.behaviours),
  };
  return { semantic, digest: digestOfJson(semantic), spans: placed.map((p) => p.spans) };
}

function sortedBehaviours(behaviours: readonly Behaviour[]): JsonObject[] {
  const texts = new Map(behaviours.map((b) => [JSON.stringify([b.callee, b.form, b.range, b.entry]), encodeBehaviour(b)]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function encodeBehaviour(behaviour: Behaviour): JsonObject {
  return { callee: behaviour.callee, form: behaviour.form, range: behaviour.range, entry: behaviour.entry };
}

type Part =
  | { readonly kind: 'term'; readonly id: TermId }
  | { readonly kind: 'proposition'; readonly id: PropositionId }
  | { readonly kind: 'guard'; readonly id: Guard }
  | { readonly kind: 'loop'; readonly id: LoopIndex };
const keyOf = (part: Part): string => `${part.kind} ${String(part.id)}`;

class Encoder {
  readonly nodes: JsonValue[] = [];
  private readonly store: Store;
  private readonly numbers = new Map<string, number>();

  constructor(store: Store) {
    this.store = store;
  }

  guardRef(guard: Guard): JsonValue {
    return guard <= TRUE ? guard === TRUE : this.ref({ kind: 'guard', id: guard });
  }
  private termRef(id: TermId): number {
    return this.ref({ kind: 'term', id });
  }
  private loopRef(id: LoopIndex): number {
    return this.ref({ kind: 'loop', id });
  }

  /** Numbers a part after everything that it is made of, without recursion. */
  private ref(part: Part): number {
    const known = this.numbers.get(keyOf(part));
    if (known !== undefined) return known;
    const stack = [part];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const key = keyOf(top);
      if (this.numbers.has(key)) {
        stack.pop();
        continue;
      }
      const missing = this.children(top).filter((child) => !this.numbers.has(keyOf(child)));
      if (missing.length > 0) {
        // The first child is numbered first.
        stack.push(...missing.reverse());
        continue;
      }
      stack.pop();
      const node = this.node(top);
      this.numbers.set(key, this.nodes.length);
      this.nodes.push(node);
    }
    return this.numbers.get(keyOf(part))!;
  }

  private children(part: Part): Part[] {
    const guards = (all: readonly Guard[]): Part[] => all.filter((guard) => guard > TRUE).map((id) => ({ kind: 'guard', id }));
    const terms = (all: readonly TermId[]): Part[] => all.map((id) => ({ kind: 'term', id }));
    const loops = (all: readonly LoopIndex[]): Part[] => all.map((id) => ({ kind: 'loop', id }));
    switch (part.kind) {
      case 'term': {
        const children = termChildren(this.store.term(part.id));
        return [...terms(children.terms), ...guards(children.guards), ...loops(children.loops)];
      }
      case 'proposition': {
        const children = propositionChildren(this.store.proposition(part.id));
        return [...terms(children.terms), ...loops(children.loops)];
      }
      case 'guard': {
        const node = this.store.guards.inspect(part.id)!;
        return [{ kind: 'proposition', id: node.variable }, ...guards([node.high, node.low])];
      }
      case 'loop': {
        const loop = this.store.loop(part.id);
        return [
          ...terms([
            loop.over,
            ...loop.exits.flatMap((exit) => (exit.value === undefined ? [] : [exit.value])),
            ...loop.carried.flatMap((c) => [c.initial, c.next]),
          ]),
          ...guards([...loop.exits.map((exit) => exit.when), ...loop.effects.map((effect) => effect.when)]),
        ];
      }
      default:
        return unreachable(part);
    }
  }

  private node(part: Part): JsonValue {
    switch (part.kind) {
      case 'term':
        return this.termNode(part.id);
      case 'proposition':
        return this.propositionNode(part.id);
      case 'guard': {
        const node = this.store.guards.inspect(part.id)!;
        return {
          kind: 'choice',
          proposition: this.ref({ kind: 'proposition', id: node.variable }),
          high: this.guardRef(node.high),
          low: this.guardRef(node.low),
        };
      }
      case 'loop': {
        const loop = this.store.loop(part.id);
        return {
          kind: 'loop-record',
          over: this.termRef(loop.over),
          depth: loop.depth,
          exits: loop.exits.map((exit) => ({
            name: exit.name,
            when: this.guardRef(exit.when),
            ...(exit.value === undefined ? {} : { value: this.termRef(exit.value) }),
          })),
          carried: loop.carried.map((c) => ({ name: c.name, initial: this.termRef(c.initial), next: this.termRef(c.next) })),
          effects: loop.effects.map((effect) => ({ key: effect.key, when: this.guardRef(effect.when) })),
        };
      }
      default:
        return unreachable(part);
    }
  }

  private termNode(id: TermId): JsonValue {
    const term = this.store.term(id);
    const refs = (all: readonly TermId[]): number[] => all.map((child) => this.termRef(child));
    switch (term.kind) {
      case 'constant':
        return { kind: term.kind, value: encodeConstant(term.value) };
      case 'argument':
        return { kind: term.kind, path: [...term.path] };
      case 'input':
        return { kind: term.kind, name: term.name, ...optional('type', term.type) };
      case 'external':
        return { kind: term.kind, identity: term.identity, ...(term.self === undefined ? {} : { self: this.termRef(term.self) }) };
      case 'apply':
        return { kind: term.kind, fn: term.fn, args: refs(term.args), ...optional('type', term.type) };
      case 'observe':
        return {
          kind: term.kind,
          behaviour: encodeBehaviour(term.behaviour),
          args: refs(term.args),
          world: this.termRef(term.world),
          ...optional('type', term.type),
          ...(term.resource === undefined ? {} : { resource: this.termRef(term.resource) }),
        };
      case 'fresh':
        return { kind: term.kind, behaviour: encodeBehaviour(term.behaviour), args: refs(term.args), serial: term.serial, ...optional('type', term.type) };
      case 'opaque':
        return { kind: term.kind, digest: term.digest, args: refs(term.args), world: this.termRef(term.world) };
      case 'list':
        return {
          kind: term.kind,
          as: term.as,
          segments: term.segments.map((s): JsonObject =>
            s.kind === 'items' ? { when: this.guardRef(s.when), items: refs(s.items) } : { when: this.guardRef(s.when), spread: this.termRef(s.of) },
          ),
        };
      case 'record':
        return {
          kind: term.kind,
          fields: term.fields.map((f) => ({ when: this.guardRef(f.when), key: this.termRef(f.key), value: this.termRef(f.value) })),
          ...(term.rest === undefined ? {} : { rest: this.termRef(term.rest) }),
          ...(term.removed === undefined ? {} : { removed: term.removed.map((r) => ({ when: this.guardRef(r.when), key: this.termRef(r.key) })) }),
          ...optional('type', term.type),
        };
      case 'conditional':
        return { kind: term.kind, when: this.guardRef(term.when), then: this.termRef(term.then), otherwise: this.termRef(term.otherwise) };
      case 'element':
        return { kind: term.kind, depth: term.depth, of: this.termRef(term.of), ...optional('type', term.type) };
      case 'loop':
        return { kind: term.kind, loop: this.loopRef(term.loop), name: term.name, ...optional('type', term.type) };
      case 'carried':
        return { kind: term.kind, depth: term.depth, name: term.name, ...optional('type', term.type) };
      case 'error':
        return { kind: term.kind, call: this.termRef(term.call), ...optional('type', term.type) };
      case 'world':
        return { kind: term.kind, after: refs(term.after), ...optional('name', term.name) };
      case 'function':
      case 'class':
      case 'object':
        throw new InvariantError(`a ${term.kind} of the evaluation reached a summary`);
      default:
        return unreachable(term);
    }
  }

  private propositionNode(id: PropositionId): JsonValue {
    const proposition = this.store.proposition(id);
    switch (proposition.kind) {
      case 'has':
        return { kind: proposition.kind, path: [...proposition.path] };
      case 'type':
        return { kind: proposition.kind, of: this.termRef(proposition.of), is: proposition.is };
      case 'equal':
        return { kind: proposition.kind, left: this.termRef(proposition.left), right: this.termRef(proposition.right) };
      case 'test':
        return { kind: proposition.kind, fn: proposition.fn, args: proposition.args.map((arg) => this.termRef(arg)) };
      case 'throws':
        return { kind: proposition.kind, call: this.termRef(proposition.call), ...optional('type', proposition.type) };
      case 'exists':
        return { kind: proposition.kind, loop: this.loopRef(proposition.loop), exit: proposition.exit };
      default:
        return unreachable(proposition);
    }
  }

  outcome(outcome: Outcome): JsonValue {
    const when = this.guardRef(outcome.when);
    switch (outcome.kind) {
      case 'effect':
        return {
          kind: outcome.kind,
          when,
          call: this.termRef(outcome.call),
          behaviour: encodeBehaviour(outcome.behaviour),
          operation: outcome.operation,
          dimensions: this.dimensions(outcome.dimensions),
          protective: outcome.protective,
          baseline: outcome.baseline,
          contexts: outcome.contexts.map((context: Context) => ({ operation: context.operation, dimensions: this.dimensions(context.dimensions) })),
          loops: outcome.loops.map((loop) => this.loopRef(loop)),
        };
      case 'disclose':
        return { kind: outcome.kind, when, channel: outcome.channel, source: this.termRef(outcome.source) };
      case 'exit':
        return { kind: outcome.kind, when, how: outcome.how, ...optional('type', outcome.type), effectsBefore: this.guardRef(outcome.effectsBefore) };
      case 'escalate':
        return { kind: outcome.kind, when, code: outcome.code, message: outcome.message, next: outcome.next };
      default:
        return unreachable(outcome);
    }
  }

  private dimensions(dimensions: readonly Dimension[]): JsonValue {
    return dimensions.map((d) => ({ name: d.name, value: this.termRef(d.value), exact: d.exact }));
  }
}

function optional(name: string, value: string | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** Floats as text: JSON has no minus zero, no infinities and no NaN. */
function encodeConstant(value: ConstantValue): JsonObject {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return { type: value.type };
    case 'boolean':
      return { type: value.type, value: value.value };
    case 'string':
    case 'int':
      return { type: value.type, value: value.value };
    case 'bytes':
      return { type: value.type, hex: value.hex };
    case 'float':
      return { type: value.type, value: Object.is(value.value, -0) ? '-0' : String(value.value) };
    case 'special':
      return { type: value.type, name: value.name };
  }
}
