/** Terms, propositions and conditions of a store as the data of `facts.ts`. Bounded in depth and in alternatives. */
import { unreachable } from '../base/errors.js';
import { CONDITION_ALTERNATIVES_MAX } from '../base/limits.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import { leaves } from '../analysis/construct.js';
import type { Store } from '../analysis/store.js';
import type { Guard, PropositionId, Proposition, TermId } from '../analysis/terms.js';
import { cover, cubeGuard, type Cube, type CubeLiteral } from './cubes.js';
import type { Claim, Condition, Fact, ListItem, Value } from './facts.js';

const NESTING_MAX = 6;
/** Alternatives that are tried for each that is shown. */
const ALTERNATIVES_TRIED = 8;
const CUT: Value = { kind: 'cut' };

export class FactReader {
  readonly #store: Store;
  /** What is possible at all: alternatives of values and of conditions outside it are not read. */
  readonly #possible: Guard;

  constructor(store: Store, possible: Guard) {
    this.#store = store;
    this.#possible = possible;
  }

  value(id: TermId, depth = 0): Value {
    if (depth > NESTING_MAX) return CUT;
    const store = this.#store;
    const term = store.term(id);
    const again = (child: TermId): Value => this.value(child, depth + 1);
    const call = (callee: string, [receiver, ...args]: readonly TermId[]): Value => ({
      kind: 'call',
      callee,
      ...(receiver === undefined || receiver === store.null ? {} : { receiver: again(receiver) }),
      args: args.map(again),
    });
    switch (term.kind) {
      case 'constant':
        return { kind: 'constant', value: term.value };
      case 'argument':
        return { kind: 'argument', path: term.path };
      case 'input':
        return { kind: 'input', name: term.name };
      case 'external':
        return { kind: 'named', identity: term.identity };
      case 'function':
        return { kind: 'named', identity: term.function };
      case 'class':
        return { kind: 'named', identity: term.class };
      case 'apply':
        return term.fn === 'text.concat' ? { kind: 'text', parts: term.args.map(again) } : { kind: 'call', callee: term.fn, args: term.args.map(again) };
      case 'observe':
      case 'fresh':
        return call(term.behaviour.callee, term.args);
      case 'opaque':
        return { kind: 'call', callee: 'code that is not modelled', args: term.args.map(again) };
      case 'list':
        return {
          kind: 'list',
          items: term.segments
            .filter((segment) => this.#canHold(segment.when))
            .flatMap((segment): readonly ListItem[] => {
              const sometimes = !this.#mustHold(segment.when);
              return segment.kind === 'items'
                ? segment.items.map((item) => ({ value: again(item), spread: false, sometimes }))
                : [{ value: again(segment.of), spread: true, sometimes }];
            }),
        };
      case 'record':
        return {
          kind: 'record',
          fields: term.fields
            .filter((field) => this.#canHold(field.when))
            .map((field) => ({ name: again(field.key), value: again(field.value), sometimes: !this.#mustHold(field.when) })),
          open: term.rest !== undefined,
        };
      case 'conditional': {
        const of = new Set(leaves(store, id).filter(({ when }) => this.#canHold(when)).map(({ leaf }) => leaf));
        const [only] = of;
        return of.size === 1 && only !== undefined ? again(only) : { kind: 'choice', of: [...of].map(again) };
      }
      case 'element':
        return { kind: 'element', of: again(term.of) };
      case 'loop':
        return { kind: 'gathered', over: again(store.loop(term.loop).over) };
      case 'error':
        return { kind: 'error', of: again(term.call) };
      case 'carried':
      case 'world':
      case 'object':
        return CUT;
      default:
        return unreachable(term);
    }
  }

  /** `inside`, as far as it says something where calls are possible: the shortest alternatives first. */
  condition(inside: Guard, limit = CONDITION_ALTERNATIVES_MAX): Condition {
    const { guards } = this.#store;
    const { cubes, count } = cover(guards, inside, this.#possible, limit * ALTERNATIVES_TRIED);
    const shortest = cubes
      .map((cube) => this.#shortened(cube, inside))
      .map((cube) => ({ cube, size: JSON.stringify(this.facts(cube)).length }))
      .sort((left, right) => left.cube.length - right.cube.length || negations(left.cube) - negations(right.cube) || left.size - right.size)
      .map(({ cube }) => cube);
    const chosen: Cube[] = [];
    let left = guards.and(inside, this.#possible);
    for (const cube of shortest) {
      const rest = guards.and(left, guards.not(cubeGuard(guards, cube)));
      if (rest === left) continue;
      left = rest;
      chosen.push(cube);
    }
    const shown = chosen.slice(0, limit);
    const all = chosen.length < 2 ? [] : entailed(this.#store, guards.and(inside, this.#possible), this.#possible);
    return {
      always: this.facts(all.filter((literal) => literal.holds && !['has', 'type'].includes(this.#store.proposition(literal.proposition).kind))),
      anyOf: shown.map((cube) => this.facts(cube)),
      more: chosen.length - shown.length + (left === FALSE ? 0 : Math.max(1, count - cubes.length)),
    };
  }

  facts(cube: Cube): readonly Fact[] {
    const facts = cube.map((literal) => this.#fact(literal));
    const texts = new Set(facts.filter(({ holds, claim }) => holds && claim.kind === 'test' && claim.fn.startsWith('text.')).map(({ claim }) => JSON.stringify(claim.kind === 'test' ? claim.args[0] : undefined)));
    // A test over text that holds says that there is text.
    return facts.filter(({ holds, claim }) => !(holds && claim.kind === 'type' && claim.is === 'string' && texts.has(JSON.stringify(claim.of))));
  }

  #fact({ proposition: id, holds }: CubeLiteral): Fact {
    const proposition = this.#store.proposition(id);
    const given = this.#asGiven(id, proposition);
    const [claim, negated] = given === undefined ? this.#claim(proposition) : [given, false];
    return { holds: holds !== negated, world: this.#store.isWorldFact(id), claim };
  }

  #claim(proposition: Proposition): readonly [Claim, negated: boolean] {
    const store = this.#store;
    switch (proposition.kind) {
      case 'has':
        return [{ kind: 'given', path: proposition.path }, false];
      case 'type':
        return [{ kind: 'type', of: this.value(proposition.of), is: proposition.is }, false];
      case 'equal': {
        const [first, second] = store.term(proposition.left).kind === 'constant' || store.term(proposition.left).kind === 'list' ? [proposition.right, proposition.left] : [proposition.left, proposition.right];
        return [{ kind: 'equal', left: this.value(first), right: this.value(second) }, false];
      }
      case 'test':
        return [{ kind: 'test', fn: proposition.fn, args: proposition.args.map((arg) => this.value(arg)) }, false];
      case 'throws':
        return [{ kind: 'throws', call: this.value(proposition.call), ...(proposition.type === undefined ? {} : { error: proposition.type }) }, false];
      case 'exists': {
        const loop = store.loop(proposition.loop);
        const exit = loop.exits.find((candidate) => candidate.name === proposition.exit);
        if (exit === undefined || loop.carried.length > 0 || loop.exits.length > 1) return [{ kind: 'left', over: this.value(loop.over), exit: proposition.exit }, false];
        return [{ kind: 'some', over: this.value(loop.over), when: new FactReader(store, TRUE).condition(exit.when) }, false];
      }
      default:
        return unreachable(proposition);
    }
  }

  /** The type of an argument that has it whenever it is given says only that it is given. */
  #asGiven(id: PropositionId, proposition: Proposition): Claim | undefined {
    if (proposition.kind !== 'type') return undefined;
    const term = this.#store.term(proposition.of);
    if (term.kind !== 'argument' || term.path.length === 0) return undefined;
    const { guards } = this.#store;
    const given = guards.and(this.#possible, this.#store.propositionGuard({ kind: 'has', path: term.path }));
    return guards.entails(given, guards.variable(id)) ? { kind: 'given', path: term.path } : undefined;
  }

  /** Without the literals that can go where calls are possible; what does not hold, and types, go first. */
  #shortened(cube: Cube, inside: Guard): Cube {
    const { guards } = this.#store;
    let kept = cube;
    const dispensable = (literal: CubeLiteral): number => (literal.holds ? 0 : 2) + (this.#store.proposition(literal.proposition).kind === 'type' ? 1 : 0);
    for (const literal of [...cube].sort((left, right) => dispensable(right) - dispensable(left))) {
      const without = kept.filter((other) => other !== literal);
      if (guards.entails(guards.and(cubeGuard(guards, without), this.#possible), inside)) kept = without;
    }
    return kept;
  }

  #canHold(guard: Guard): boolean {
    return guard === TRUE || this.#store.guards.and(guard, this.#possible) !== FALSE;
  }
  #mustHold(guard: Guard): boolean {
    return guard === TRUE || this.#store.guards.entails(this.#possible, guard);
  }
}

function negations(cube: Cube): number {
  return cube.filter((literal) => !literal.holds).length;
}

/** The literals that hold wherever `inside` does, without those that follow from the others among what is possible. */
export function entailed(store: Store, inside: Guard, possible: Guard, concerns: (proposition: PropositionId) => boolean = () => true): Cube {
  const { guards } = store;
  if (inside === FALSE) return [];
  let found: Cube = [];
  for (const proposition of guards.order(guards.support(inside))) {
    if (!concerns(proposition)) continue;
    const literal = [true, false].map((holds) => ({ proposition, holds })).find((each) => guards.entails(inside, cubeGuard(guards, [each])));
    if (literal === undefined || guards.entails(guards.and(possible, cubeGuard(guards, found)), cubeGuard(guards, [literal]))) continue;
    found = [...found, literal];
  }
  // A later literal may say what an earlier one says.
  for (const literal of found) {
    const others = found.filter((other) => other !== literal);
    if (guards.entails(guards.and(possible, cubeGuard(guards, others)), cubeGuard(guards, [literal]))) found = others;
  }
  return found;
}
