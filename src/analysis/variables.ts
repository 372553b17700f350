/** Variables of activations: who owns them, and reading them. */
import type { FunctionId } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { FALSE } from './guards.js';
import type { Machine } from './machine.js';
import { UNBOUND } from './state.js';
import type { TermId } from './terms.js';

/** The activation that owns a variable, seen from the current one. */
export function owningActivation(m: Machine, owner: FunctionId): number | undefined {
  let at: number | undefined = m.activation;
  while (at !== undefined && at >= 0) {
    const activation: { function: string; parent?: number } | undefined = m.activations[at];
    if (activation?.function === owner) return at;
    at = activation?.parent;
  }
  return undefined;
}

export function readLocal(m: Machine, owner: FunctionId, name: string, span: Span): TermId {
  const activation = owningActivation(m, owner);
  const value =
    activation === undefined
      ? undefined
      : (m.cur.frames.get(activation)?.get(name) ?? m.setupFrames.get(activation)?.get(name) ?? m.moduleFrames.get(activation)?.get(name));
  if (m.phase === 'call' && activation !== undefined && activation < m.setupActivations && m.outerWrites.has(name)) {
    return m.stop(
      'shared-state',
      `the variable ${name} outlives the call and is assigned by other code`,
      span,
      'make the variable local, or keep the release on one epoch',
    );
  }
  if (
    m.phase === 'call' &&
    value !== undefined &&
    activation !== undefined &&
    !m.cur.frames.has(activation) &&
    m.holdsSharedObject(value) &&
    m.shared.mayChangeVariable(owner, name)
  ) {
    return m.stop(
      'shared-state',
      `the object in ${name} outlives the call and may be changed by other code`,
      span,
      'make the object immutable or local, or keep the release on one epoch',
    );
  }
  if (value === undefined) {
    m.raise(m.semantics.errors.name, [m.store.string(name)]);
    return m.store.null;
  }
  const unbound = m.store.constant({ type: 'special', name: UNBOUND });
  let missing = FALSE;
  for (const { when, leaf } of m.leaves(value)) if (leaf === unbound) missing = m.store.guards.or(missing, when);
  m.raise(m.semantics.errors.name, [m.store.string(name)], missing);
  return value;
}
