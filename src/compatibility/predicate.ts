/**
 * The machine form of a region: CEL text over `args`, `source` and `target` that is true only for calls of the region.
 * It closes the set of argument keys, checks the supported domain and then the region itself. What has no form in CEL is
 * left out towards "not captured". The printed text is evaluated on a witness and on the boundary of every class and
 * compared with the decision procedure before it is returned; a difference is a bug of fcd.
 */
import { PREDICATE_LENGTH_MAX } from '../base/limits.js';
import { FALSE, TRUE, type Guards } from '../analysis/guards.js';
import { propositionsOf } from '../analysis/theory.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard, PropositionId } from '../analysis/terms.js';
import type { CallShape } from './call-shape.js';
import { Atoms, stringLiteral } from './cel-atoms.js';
import { cover } from './cubes.js';
import type { Reviewed } from './decide.js';
import { printDiagram } from './print-diagram.js';
import { checkPredicate } from './probe.js';
import type { Regions } from './regions.js';
import type { Predicate } from './verdict.js';

export function predicateFor(region: Guard, regions: Regions, source: Summary, target: Summary, shape: CallShape, reviewed: Reviewed): Predicate {
  const { store } = source;
  const { guards } = store;
  if (region === FALSE) return { kind: 'none', code: 'no-call', reason: 'No supported call is certified.' };
  const read = new Set<string>();
  const atoms = new Atoms(store, { inputSide: (name) => (source.inputs.includes(name) ? 'source' : 'target'), readInput: (name) => read.add(name) });
  const { domain } = regions.comparison;
  const mentioned = [...propositionsOf(store, [region, domain, regions.possible, regions.theory])];
  const mute = new Set(mentioned.filter((id) => !atoms.covers(id)));
  const partial = mentioned.filter((id) => !mute.has(id) && atoms.meantWhere(id) !== TRUE);
  /** A guard that asks an atom only where that says what its proposition says. */
  const asked = (guard: Guard, elsewhere: (guard: Guard, atom: ReadonlySet<PropositionId>) => Guard): Guard =>
    partial.reduce((result, id) => guards.ite(atoms.meantWhere(id), result, elsewhere(result, new Set([id]))), guard);
  const possible = asked(guards.exists(regions.theory, mute), (guard, atom) => guards.exists(guard, atom));
  const sayable = (guard: Guard): Guard => asked(guards.forAll(guards.implies(regions.theory, guard), mute), (all, atom) => guards.forAll(all, atom));
  const inside = guards.and(sayable(guards.and(region, domain)), possible);
  if (inside === FALSE)
    return { kind: 'none', code: 'no-cel-form', reason: 'The certified calls cannot be told apart by a CEL predicate; decide such calls one by one.' };
  const supported = smallest(guards, sayable(domain), possible);
  const within = smallest(guards, inside, guards.and(supported, possible));

  read.clear();
  const atomOf = (id: number): string | undefined => atoms.atom(id);
  const parts = [
    keysClosed(shape),
    supported === TRUE ? undefined : printDiagram(guards, supported, atomOf),
    within === TRUE ? undefined : printDiagram(guards, within, atomOf),
  ];
  const failed = (supported !== TRUE && parts[1] === undefined) || (within !== TRUE && parts[2] === undefined);
  const inputsGiven = [...inputNames(store, [supported, within])]
    .sort()
    .map((name) => `${stringLiteral(name) ?? '""'} in ${source.inputs.includes(name) ? 'source' : 'target'}`);
  const text = [...inputsGiven, ...parts.filter((part) => part !== undefined).map((part) => `(${part})`)].join(' && ') || 'true';
  if (failed || text.length > PREDICATE_LENGTH_MAX)
    return {
      kind: 'none',
      code: 'too-large',
      reason: `The predicate would be longer than ${String(PREDICATE_LENGTH_MAX)} characters; decide such calls one by one.`,
    };

  const exact = guards.and(guards.and(region, domain), guards.and(regions.theory, guards.not(inside))) === FALSE;
  checkPredicate({ text, exact, inside, region: guards.and(region, domain), regions, source, target, shape, fold: reviewed.knowledge.fold });
  return { kind: 'predicate', text, exact };
}

function keysClosed(shape: CallShape): string | undefined {
  if (shape.additionalArguments) return undefined;
  return `args.all(k, k in [${shape.arguments.map((name) => stringLiteral(name) ?? '""').join(', ')}])`;
}

/** The same guard where `care` holds, with the fewest nodes that are cheap to find. */
function smallest(guards: Guards, guard: Guard, care: Guard): Guard {
  const candidates = [guard, guards.and(guard, care), guards.constrain(guard, care), cover(guards, guard, care).guard];
  return candidates.reduce((best, candidate) => (guards.size(candidate) < guards.size(best) ? candidate : best));
}

function inputNames(store: Summary['store'], all: readonly Guard[]): Set<string> {
  return new Set(all.flatMap((guard) => [...store.guardSources(guard).inputs]));
}
