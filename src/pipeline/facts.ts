/**
 * Declared facts as a guard. A fact of the profile names a call that throws or does not; the declaration holds of every
 * such call of either summary. A fact that no handler asks about says nothing.
 */
import type { BoundLibrary } from '../analysis/bound-library.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { Store } from '../analysis/store.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard, TermId } from '../analysis/terms.js';
import { propositionsOf } from '../analysis/theory.js';
import type { CelNode } from '../profile/cel.js';
import type { Profile, ProfileFact } from '../profile/profile.js';
import { PipelineError } from './errors.js';
import type { FactValues } from './inputs.js';

export function factsGuard(summaries: readonly Summary[], profile: Profile, library: BoundLibrary, facts: FactValues): Guard {
  const store = summaries[0]?.store;
  if (store === undefined) return TRUE;
  const guards = [...facts].map(([id, holds]) => factGuard(store, summaries, factOf(profile, id), library, holds));
  return store.guards.all(guards);
}

function factOf(profile: Profile, id: string): ProfileFact {
  const fact = profile.facts.find((candidate) => candidate.id === id);
  if (fact !== undefined) return fact;
  const known = profile.facts.map((candidate) => `${candidate.id} (${candidate.description})`);
  throw new PipelineError('fact-invalid', `the profile of ${profile.tool} names no fact "${id}"`, { next: known.length === 0 ? 'It names none: leave the fact out.' : `Its facts are: ${known.join('; ')}` });
}

function factGuard(store: Store, summaries: readonly Summary[], fact: ProfileFact, library: BoundLibrary, holds: boolean): Guard {
  const callee = library.canonical(fact.call.callee);
  // By call: it throws when it throws anything.
  const throwing = new Map<TermId, Guard>();
  for (const id of propositionsOf(store, summaries.flatMap((summary) => summary.outcomes.map((outcome) => outcome.when)))) {
    const proposition = store.proposition(id);
    if (proposition.kind !== 'throws') continue;
    const call = store.term(proposition.call);
    if (call.kind !== 'observe' || library.canonical(call.behaviour.callee) !== callee) continue;
    if (!matchesCall(store, fact.call.arguments.map((pattern) => pattern.ast), call.args)) continue;
    throwing.set(proposition.call, store.guards.or(throwing.get(proposition.call) ?? FALSE, store.guards.variable(id)));
  }
  const throws = fact.throws === holds;
  return store.guards.all([...throwing.values()].map((guard) => (throws ? guard : store.guards.not(guard))));
}

/** `args[0]` of a call is the receiver, null for a function; a pattern that leaves the last arguments out says nothing of them. */
function matchesCall(store: Store, patterns: readonly CelNode[], args: readonly TermId[]): boolean {
  const actual = args[0] === store.null && patterns.length < args.length ? args.slice(1) : args;
  return patterns.length <= actual.length && patterns.every((pattern, at) => matches(store, pattern, actual[at] ?? store.null));
}

function matches(store: Store, pattern: CelNode, value: TermId): boolean {
  if (pattern.kind === 'identifier' && pattern.name === '_') return true;
  const wanted = patternTerm(store, pattern);
  return wanted !== undefined && wanted === value;
}

/** `args.a.b` or a literal as a term; undefined for anything else, which then matches nothing. */
function patternTerm(store: Store, pattern: CelNode): TermId | undefined {
  if (pattern.kind === 'literal') {
    const { value } = pattern;
    if (value === null) return store.null;
    if (typeof value === 'boolean') return store.boolean(value);
    if (typeof value === 'string') return store.string(value);
    return typeof value === 'bigint' ? store.int(value) : undefined;
  }
  const path = pathOf(pattern);
  if (path?.root === 'args') return store.intern({ kind: 'argument', path: path.steps });
  return undefined;
}

function pathOf(pattern: CelNode): { readonly root: string; readonly steps: readonly (string | number)[] } | undefined {
  if (pattern.kind === 'identifier') return { root: pattern.name, steps: [] };
  if (pattern.kind === 'select') {
    const outer = pathOf(pattern.operand);
    return outer === undefined ? undefined : { root: outer.root, steps: [...outer.steps, pattern.field] };
  }
  if (pattern.kind !== 'index' || pattern.index.kind !== 'literal') return undefined;
  const outer = pathOf(pattern.operand);
  const { value } = pattern.index;
  const step = typeof value === 'bigint' ? Number(value) : value;
  return outer === undefined || (typeof step !== 'string' && typeof step !== 'number') ? undefined : { root: outer.root, steps: [...outer.steps, step] };
}
