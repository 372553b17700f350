/**
 * What a profile says to a comparison: ordered dimensions, inputs that may be told, effects that no certificate may
 * cover. `certificate` and the command line build it from a profile; tests build it by hand.
 */
import { TRUE } from '../analysis/guards.js';
import type { EffectOutcome } from '../analysis/summary.js';
import type { Store } from '../analysis/store.js';
import type { Guard } from '../analysis/terms.js';
import type { Profile } from '../profile/profile.js';

export interface Envelope {
  /** Values of an ordered dimension from smallest to largest, where the profile lets a lower value count as narrower. */
  readonly lowering: (operation: string, dimension: string) => readonly string[] | undefined;
  readonly disclosableInputs: ReadonlySet<string>;
  /** Conditions under which this effect may never be certified. */
  readonly bounds: (store: Store, effect: EffectOutcome) => readonly { readonly when: Guard; readonly reason: string }[];
}

/** `boundHolds` evaluates a bound's condition over an effect; undefined where it cannot be said, and the bound then applies. */
export function envelopeOf(
  profile: Profile,
  boundHolds: (store: Store, bound: Profile['bounds'][number], effect: EffectOutcome) => Guard | undefined,
): Envelope {
  return {
    lowering: (operation, dimension) => {
      const model = profile.operations.get(operation)?.dimensions.get(dimension);
      return model?.lowering === true ? model.order : undefined;
    },
    disclosableInputs: new Set([...profile.inputs.values()].filter((input) => input.disclosable).map((input) => input.name)),
    bounds: (store, effect) =>
      profile.bounds
        .filter((bound) => bound.operation === effect.operation)
        .map((bound) => ({ reason: bound.reason, when: bound.when === undefined ? TRUE : (boundHolds(store, bound, effect) ?? TRUE) })),
  };
}

/** No lowering, nothing disclosable, no bounds. */
export const PLAIN_ENVELOPE: Envelope = { lowering: () => undefined, disclosableInputs: new Set(), bounds: () => [] };
