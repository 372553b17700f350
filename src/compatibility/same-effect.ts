/**
 * When two effects are the same action, as a guard: operation, dimensions, contexts and loops agree, term by term. A
 * dimension that is only approximate equals nothing, unless both effects are the very same call.
 */
import { equal, leaves } from '../analysis/construct.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { Store } from '../analysis/store.js';
import type { Context, Dimension, EffectOutcome } from '../analysis/summary.js';
import { textOf } from '../analysis/text-tests.js';
import type { Guard, TermId } from '../analysis/terms.js';
import type { Envelope } from './envelope.js';

export interface EffectMatcher {
  /** The same action, with the same contexts. */
  readonly exact: (target: EffectOutcome, source: EffectOutcome) => Guard;
  /** The same action or a narrower one: contexts may be added, ordered dimensions lowered. */
  readonly contained: (target: EffectOutcome, source: EffectOutcome) => Guard;
  /** Both touch one resource that the inventory names. */
  readonly sameResource: (left: EffectOutcome, right: EffectOutcome) => Guard;
  readonly sameValue: (left: TermId, right: TermId) => Guard;
  /** `later` may rely on what `earlier` did: it uses its result, or acts on the same thing. */
  readonly buildsOn: (later: EffectOutcome, earlier: EffectOutcome) => Guard;
}

export function effectMatcher(store: Store, envelope: Envelope): EffectMatcher {
  const { guards } = store;
  const exactly = new Map<EffectOutcome, Map<EffectOutcome, Guard>>();
  const narrower = new Map<EffectOutcome, Map<EffectOutcome, Guard>>();
  const remembered = (cache: Map<EffectOutcome, Map<EffectOutcome, Guard>>, left: EffectOutcome, right: EffectOutcome, compute: () => Guard): Guard => {
    let row = cache.get(left);
    if (row === undefined) cache.set(left, (row = new Map<EffectOutcome, Guard>()));
    let result = row.get(right);
    if (result === undefined) row.set(right, (result = compute()));
    return result;
  };

  const sameDimensions = (
    left: readonly Dimension[],
    right: readonly Dimension[],
    compareValues: (name: string, left: TermId, right: TermId) => Guard,
  ): Guard => {
    if (left.length !== right.length) return FALSE;
    let result: Guard = TRUE;
    for (const [at, dimension] of left.entries()) {
      const other = right[at]!;
      if (dimension.name !== other.name || !dimension.exact || !other.exact) return FALSE;
      result = guards.and(result, compareValues(dimension.name, dimension.value, other.value));
      if (result === FALSE) return FALSE;
    }
    return result;
  };
  const sameContext = (left: Context, right: Context): Guard =>
    left.operation === right.operation ? sameDimensions(left.dimensions, right.dimensions, (_name, a, b) => equal(store, a, b)) : FALSE;

  const sameContexts = (left: readonly Context[], right: readonly Context[]): Guard =>
    left.length === right.length ? guards.all(left.map((context, at) => sameContext(context, right[at]!))) : FALSE;

  /** The source's contexts stand around the target's effect in the same order, perhaps with more between. */
  const keepsContexts = (target: readonly Context[], source: readonly Context[]): Guard => {
    let row: Guard[] = Array.from({ length: target.length + 1 }, () => TRUE);
    for (const context of source) {
      const next: Guard[] = [FALSE];
      target.forEach((candidate, at) => next.push(guards.or(next[at]!, guards.and(row[at]!, sameContext(context, candidate)))));
      row = next;
    }
    return row[target.length]!;
  };

  const sameFrame = (left: EffectOutcome, right: EffectOutcome): boolean =>
    left.operation === right.operation &&
    left.protective === right.protective &&
    left.baseline === right.baseline &&
    left.loops.length === right.loops.length &&
    left.loops.every((loop, at) => loop === right.loops[at]);

  const sameAction = (target: EffectOutcome, source: EffectOutcome, compareValues: (name: string, left: TermId, right: TermId) => Guard): Guard => {
    if (!sameFrame(target, source)) return FALSE;
    if (target.call === source.call && identicalDimensions(target.dimensions, source.dimensions)) return TRUE;
    return sameDimensions(target.dimensions, source.dimensions, compareValues);
  };

  const lowered =
    (operation: string) =>
    (name: string, target: TermId, source: TermId): Guard => {
      const order = envelope.lowering(operation, name);
      if (order === undefined) return equal(store, target, source);
      return guards.any(
        leaves(store, target).flatMap((t) =>
          leaves(store, source).map((s) => {
            const [a, b] = [rankOf(store, order, t.leaf), rankOf(store, order, s.leaf)];
            const atMost = a !== undefined && b !== undefined ? (a <= b ? TRUE : FALSE) : equal(store, t.leaf, s.leaf);
            return guards.all([t.when, s.when, atMost]);
          }),
        ),
      );
    };

  return {
    exact: (target, source) =>
      remembered(exactly, target, source, () =>
        guards.and(
          sameAction(target, source, (_name, a, b) => equal(store, a, b)),
          sameContexts(target.contexts, source.contexts),
        ),
      ),
    contained: (target, source) =>
      remembered(narrower, target, source, () =>
        guards.and(sameAction(target, source, lowered(target.operation)), keepsContexts(target.contexts, source.contexts)),
      ),
    sameResource: (left, right) => {
      const [a, b] = [resourceOf(store, left), resourceOf(store, right)];
      return a === undefined || b === undefined ? FALSE : equal(store, a, b);
    },
    sameValue: (left, right) => equal(store, left, right),
    buildsOn: (later, earlier) => {
      if (uses(store, later, earlier.call)) return TRUE;
      const resources = [resourceOf(store, later), resourceOf(store, earlier)];
      const shared = later.dimensions.flatMap((l) =>
        earlier.dimensions.filter((e) => e.name === l.name && isName(store, e.value)).map((e) => equal(store, l.value, e.value)),
      );
      if (resources[0] !== undefined && resources[1] !== undefined) shared.push(equal(store, resources[0], resources[1]));
      return guards.any(shared);
    },
  };
}

/** Something that two effects can have in common; switches and numbers are not. */
function isName(store: Store, id: TermId): boolean {
  const term = store.term(id);
  return term.kind !== 'constant' || term.value.type === 'string';
}

function identicalDimensions(left: readonly Dimension[], right: readonly Dimension[]): boolean {
  return left.length === right.length && left.every((dimension, at) => dimension.name === right[at]!.name && dimension.value === right[at]!.value);
}

function rankOf(store: Store, order: readonly string[], value: TermId): number | undefined {
  const text = textOf(store, value);
  const rank = text === undefined ? -1 : order.indexOf(text);
  return rank < 0 ? undefined : rank;
}

function resourceOf(store: Store, effect: EffectOutcome): TermId | undefined {
  const call = store.term(effect.call);
  if (call.kind !== 'observe' || call.resource === undefined) return undefined;
  const resource = store.term(call.resource);
  // A marker such as `undisclosed` names nothing.
  return resource.kind === 'constant' && resource.value.type === 'special' ? undefined : call.resource;
}

/** The result of `call` goes into the effect; that it happened in the effect's world alone does not count. */
function uses(store: Store, effect: EffectOutcome, call: TermId): boolean {
  const seen = new Set<TermId>();
  const own = store.term(effect.call);
  const stack: TermId[] = [...effect.dimensions.map((d) => d.value), ...(own.kind === 'observe' || own.kind === 'fresh' ? own.args : [])];
  return stack.some((term) => store.sources(term).calls.has(call)) && reaches(store, stack, call, seen);
}

function reaches(store: Store, from: readonly TermId[], wanted: TermId, seen: Set<TermId>): boolean {
  const stack = [...from];
  while (stack.length > 0) {
    const next = stack.pop()!;
    if (next === wanted) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    const term = store.term(next);
    switch (term.kind) {
      case 'apply':
      case 'observe':
      case 'fresh':
      case 'opaque':
        stack.push(...term.args);
        break;
      case 'list':
        stack.push(...term.segments.flatMap((s) => (s.kind === 'items' ? s.items : [s.of])));
        break;
      case 'record':
        stack.push(...term.fields.flatMap((f) => [f.key, f.value]), ...(term.rest === undefined ? [] : [term.rest]));
        break;
      case 'conditional':
        stack.push(term.then, term.otherwise);
        break;
      case 'error':
        stack.push(term.call);
        break;
      case 'element':
        stack.push(term.of);
        break;
      case 'external':
      case 'function':
        if (term.self !== undefined) stack.push(term.self);
        break;
      case 'constant':
      case 'argument':
      case 'input':
      case 'class':
      case 'loop':
      case 'carried':
      case 'world':
      case 'object':
        break;
    }
  }
  return false;
}
