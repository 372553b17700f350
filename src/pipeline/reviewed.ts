/**
 * What profile and inventories say to a comparison: relations, classes and bounds, with their expressions read over the
 * terms of one store. An expression that cannot be said exactly gives nothing, which only makes verdicts more cautious.
 */
import type { BoundLibrary } from '../analysis/bound-library.js';
import { celGuard, type CelScope } from '../analysis/cel-terms.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { LanguageSemantics } from '../analysis/language.js';
import { Machine } from '../analysis/machine.js';
import { NOWHERE } from '../analysis/setup.js';
import type { Store } from '../analysis/store.js';
import type { Guard } from '../analysis/terms.js';
import type { Knowledge } from '../analysis/theory.js';
import type { Reviewed } from '../compatibility/decide.js';
import { envelopeOf } from '../compatibility/envelope.js';
import type { Program } from '../ir/program.js';
import type { CelNode } from '../profile/cel.js';
import type { Inventory } from '../profile/inventory.js';
import type { Profile } from '../profile/profile.js';

export interface ReviewedSides {
  readonly profile: Profile;
  readonly inventories: readonly Inventory[];
  readonly semantics: LanguageSemantics;
  /** The same inventories, bound to the dependency versions of each side. */
  readonly source: BoundLibrary;
  readonly target: BoundLibrary;
}

/** Stands for an unknown class below every other: where some class has unknown bases, no two are taken for exclusive. */
const SOME_UNKNOWN_CLASS = 'fcd:unknown-class';

export function reviewedOf(sides: ReviewedSides): Reviewed {
  const { profile, semantics, source, target } = sides;
  const ofTarget = new Set(target.relations);
  const classes = [...new Set(sides.inventories.flatMap((inventory) => [...inventory.classes.keys()].map((identity) => source.canonical(identity))))].sort();
  const knowledge: Knowledge = {
    fold: semantics.fold,
    isSubclass: (identity, ancestor) => identity === ancestor || identity === SOME_UNKNOWN_CLASS || isKnownSubclass(source, identity, ancestor),
    classes: hasUnknownBases(sides.inventories, source) ? [...classes, SOME_UNKNOWN_CLASS] : classes,
    // A relation is used where it is reviewed for the versions of both sides.
    relations: source.relations.filter((relation) => ofTarget.has(relation)),
    relationHolds: (store, relation, variables) => (relation.when === undefined ? TRUE : guardOf(store, sides, relation.when.ast, variables)),
  };
  const envelope = envelopeOf(profile, (store, bound, effect) => {
    if (bound.when === undefined) return TRUE;
    const fields = effect.dimensions.map((dimension) => ({ when: TRUE, key: store.string(dimension.name), value: dimension.value }));
    const scope = new Map([
      ['args', store.intern({ kind: 'argument', path: [] })],
      ['dimensions', store.intern({ kind: 'record', fields })],
    ]);
    return guardOf(store, sides, bound.when.ast, scope);
  });
  return { knowledge, envelope };
}

function isKnownSubclass(library: BoundLibrary, identity: string, ancestor: string): boolean {
  return library.lineage(identity).includes(library.canonical(ancestor));
}

function hasUnknownBases(inventories: readonly Inventory[], library: BoundLibrary): boolean {
  const known = new Set(inventories.flatMap((inventory) => [...inventory.classes.keys()].map((identity) => library.canonical(identity))));
  return inventories.some((inventory) => [...inventory.classes.values()].some((bases) => bases.some((base) => !known.has(library.canonical(base)))));
}

/** A condition over terms, read as the evaluator reads it, in a program without code; undefined where reading it stops or throws. */
function guardOf(store: Store, sides: ReviewedSides, node: CelNode, scope: CelScope): Guard | undefined {
  const program: Program = { language: sides.semantics.language, modules: new Map(), functions: new Map(), classes: new Map(), foreignWrites: [], syntaxErrors: [] };
  const machine = new Machine(store, program, sides.source, sides.semantics);
  let guard: Guard = FALSE;
  const exits = machine.collect(() => {
    guard = celGuard(machine, node, scope, NOWHERE);
  });
  const isExact = machine.outcomes.length === 0 && exits.throws === undefined && exits.returns === undefined && !machine.dead;
  return isExact ? guard : undefined;
}
