/**
 * A region as a short list of cubes (conjunctions of literals): irredundant, each cube as short as the room between
 * `inside` and `outside` allows (Minato and Morreale). What cannot happen at all is room, so it never shows in a row.
 */
import { FALSE, TRUE, type Guards } from '../analysis/guards.js';
import type { Guard, PropositionId } from '../analysis/terms.js';

export interface CubeLiteral {
  readonly proposition: PropositionId;
  readonly holds: boolean;
}
export type Cube = readonly CubeLiteral[];

export interface Cover {
  readonly cubes: readonly Cube[];
  /** The cubes as one guard: `inside` implies it, it implies `inside or not possible`. */
  readonly guard: Guard;
}

/** Cubes that hold all of `inside` and nothing possible beside it. */
export function cover(guards: Guards, inside: Guard, possible: Guard): Cover {
  const cache = new Map<string, Cover>();
  const visit = (lower: Guard, upper: Guard): Cover => {
    if (lower === FALSE) return { cubes: [], guard: FALSE };
    if (upper === TRUE) return { cubes: [[]], guard: TRUE };
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
    const test = guards.variable(variable);
    const result: Cover = {
      cubes: [
        ...high.cubes.map((cube): Cube => [{ proposition: variable, holds: true }, ...cube]),
        ...low.cubes.map((cube): Cube => [{ proposition: variable, holds: false }, ...cube]),
        ...both.cubes,
      ],
      guard: guards.or(both.guard, guards.ite(test, high.guard, low.guard)),
    };
    cache.set(key, result);
    return result;
  };
  const possibleInside = guards.and(inside, possible);
  return visit(possibleInside, guards.or(possibleInside, guards.not(possible)));
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
