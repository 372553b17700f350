/**
 * A region as a short list of cubes (conjunctions of literals): irredundant, each cube as short as the room between
 * `inside` and `outside` allows (Minato and Morreale). What cannot happen at all is room, so it never shows in a row.
 */
import { CLASS_ROWS_MAX } from '../base/limits.js';
import { FALSE, TRUE, type Guards } from '../analysis/guards.js';
import type { Guard, PropositionId } from '../analysis/terms.js';

export interface CubeLiteral {
  readonly proposition: PropositionId;
  readonly holds: boolean;
}
export type Cube = readonly CubeLiteral[];

export interface Cover {
  /** The first cubes, at most `limit`; `count` says how many there are in all. */
  readonly cubes: readonly Cube[];
  readonly count: number;
  /** All cubes as one guard: `inside` implies it, it implies `inside or not possible`. */
  readonly guard: Guard;
}

/** A set of cubes that shares its parts: there may be exponentially many cubes in a small one. */
type Cubes =
  | { readonly kind: 'none'; readonly guard: Guard; readonly count: number }
  | { readonly kind: 'everything'; readonly guard: Guard; readonly count: number }
  | {
      readonly kind: 'split';
      readonly guard: Guard;
      readonly count: number;
      readonly variable: PropositionId;
      readonly high: Cubes;
      readonly low: Cubes;
      readonly both: Cubes;
    };

const NONE: Cubes = { kind: 'none', guard: FALSE, count: 0 };
const EVERYTHING: Cubes = { kind: 'everything', guard: TRUE, count: 1 };

/** Cubes that hold all of `inside` and nothing possible beside it. */
export function cover(guards: Guards, inside: Guard, possible: Guard, limit = CLASS_ROWS_MAX): Cover {
  const cache = new Map<string, Cubes>();
  const visit = (lower: Guard, upper: Guard): Cubes => {
    if (lower === FALSE) return NONE;
    if (upper === TRUE) return EVERYTHING;
    const key = `${String(lower)},${String(upper)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const variable = topVariable(guards, lower, upper);
    const [lowerHigh, lowerLow] = branches(guards, lower, variable);
    const [upperHigh, upperLow] = branches(guards, upper, variable);
    const low = visit(guards.and(lowerLow, guards.not(upperHigh)), upperLow);
    const high = visit(guards.and(lowerHigh, guards.not(upperLow)), upperHigh);
    const rest = guards.or(guards.and(lowerLow, guards.not(low.guard)), guards.and(lowerHigh, guards.not(high.guard)));
    const both = visit(rest, guards.and(upperHigh, upperLow));
    const guard = guards.or(both.guard, guards.ite(guards.variable(variable), high.guard, low.guard));
    const result: Cubes = { kind: 'split', variable, high, low, both, guard, count: high.count + low.count + both.count };
    cache.set(key, result);
    return result;
  };
  const possibleInside = guards.and(inside, possible);
  const all = visit(possibleInside, guards.or(possibleInside, guards.not(possible)));
  const cubes: Cube[] = [];
  for (const cube of enumerate(all, [])) {
    if (cubes.length >= limit) break;
    cubes.push(cube);
  }
  return { cubes, count: all.count, guard: all.guard };
}

function* enumerate(cubes: Cubes, before: Cube): Generator<Cube> {
  if (cubes.kind === 'none') return;
  if (cubes.kind === 'everything') {
    yield before;
    return;
  }
  yield* enumerate(cubes.high, [...before, { proposition: cubes.variable, holds: true }]);
  yield* enumerate(cubes.low, [...before, { proposition: cubes.variable, holds: false }]);
  yield* enumerate(cubes.both, before);
}

export function cubeGuard(guards: Guards, cube: Cube): Guard {
  return guards.all(cube.map((literal) => (literal.holds ? guards.variable(literal.proposition) : guards.not(guards.variable(literal.proposition)))));
}

function topVariable(guards: Guards, left: Guard, right: Guard): number {
  const variables = [guards.inspect(left)?.variable, guards.inspect(right)?.variable].filter((variable) => variable !== undefined);
  return guards.order(variables)[0]!;
}

function branches(guards: Guards, guard: Guard, variable: number): [Guard, Guard] {
  const node = guards.inspect(guard);
  return node?.variable === variable ? [node.high, node.low] : [guard, guard];
}
