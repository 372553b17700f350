import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FALSE, Guards, TRUE } from '../../../src/analysis/guards.js';

const VARIABLES = 6;

type Formula =
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and' | 'or' | 'xor' | 'implies'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'ite'; readonly test: Formula; readonly then: Formula; readonly otherwise: Formula };

const formula = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.record({ kind: fc.constant('variable' as const), index: fc.nat(VARIABLES - 1) }),
    fc.record({ kind: fc.constant('constant' as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant('not' as const), of: tie('formula') }),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const, 'xor' as const, 'implies' as const), left: tie('formula'), right: tie('formula') }),
    fc.record({ kind: fc.constant('ite' as const), test: tie('formula'), then: tie('formula'), otherwise: tie('formula') }),
  ),
})).formula;

function truth(f: Formula, at: number): boolean {
  switch (f.kind) {
    case 'variable':
      return ((at >> f.index) & 1) === 1;
    case 'constant':
      return f.value;
    case 'not':
      return !truth(f.of, at);
    case 'and':
      return truth(f.left, at) && truth(f.right, at);
    case 'or':
      return truth(f.left, at) || truth(f.right, at);
    case 'xor':
      return truth(f.left, at) !== truth(f.right, at);
    case 'implies':
      return !truth(f.left, at) || truth(f.right, at);
    case 'ite':
      return truth(f.test, at) ? truth(f.then, at) : truth(f.otherwise, at);
  }
}

function build(guards: Guards, variables: readonly number[], f: Formula): number {
  const again = (part: Formula): number => build(guards, variables, part);
  switch (f.kind) {
    case 'variable':
      return guards.variable(variables[f.index]!);
    case 'constant':
      return f.value ? TRUE : FALSE;
    case 'not':
      return guards.not(again(f.of));
    case 'and':
      return guards.and(again(f.left), again(f.right));
    case 'or':
      return guards.or(again(f.left), again(f.right));
    case 'xor':
      return guards.xor(again(f.left), again(f.right));
    case 'implies':
      return guards.implies(again(f.left), again(f.right));
    case 'ite':
      return guards.ite(again(f.test), again(f.then), again(f.otherwise));
  }
}

const ALL = Array.from({ length: 1 << VARIABLES }, (_, at) => at);

/** Declares in the given order; returns the variable of each index. */
function declareAll(guards: Guards, order: readonly number[]): number[] {
  const variables: number[] = [];
  for (const index of order) variables[index] = guards.declare(`k${String(index)}`);
  return variables;
}
const inOrder = [...Array(VARIABLES).keys()];
const order = fc.shuffledSubarray(inOrder, { minLength: VARIABLES });

function table(guards: Guards, variables: readonly number[], guard: number): boolean[] {
  return ALL.map((at) => guards.evaluate(guard, (variable) => ((at >> variables.indexOf(variable)) & 1) === 1));
}

describe('decision diagrams against truth tables', () => {
  test('every connective, and equivalent formulas are one node', () => {
    fc.assert(
      fc.property(formula, formula, order, (f, g, declared) => {
        const guards = new Guards();
        const variables = declareAll(guards, declared);
        const [a, b] = [build(guards, variables, f), build(guards, variables, g)];
        expect(table(guards, variables, a)).toEqual(ALL.map((at) => truth(f, at)));
        expect(a === b).toBe(ALL.every((at) => truth(f, at) === truth(g, at)));
        expect(guards.entails(a, b)).toBe(ALL.every((at) => !truth(f, at) || truth(g, at)));
        expect(guards.disjoint(a, b)).toBe(ALL.every((at) => !truth(f, at) || !truth(g, at)));
      }),
      { numRuns: 300 },
    );
  });

  test('quantifiers and restriction', () => {
    fc.assert(
      fc.property(formula, fc.subarray(inOrder), fc.nat(VARIABLES - 1), fc.boolean(), (f, bound, fixed, value) => {
        const guards = new Guards();
        const variables = declareAll(guards, inOrder);
        const guard = build(guards, variables, f);
        const mask = bound.reduce((bits, index) => bits | (1 << index), 0);
        const variants = (at: number): number[] => ALL.filter((other) => (other & ~mask) === (at & ~mask));
        const set = new Set(bound.map((index) => variables[index]!));
        expect(table(guards, variables, guards.exists(guard, set))).toEqual(ALL.map((at) => variants(at).some((other) => truth(f, other))));
        expect(table(guards, variables, guards.forAll(guard, set))).toEqual(ALL.map((at) => variants(at).every((other) => truth(f, other))));
        const bit = 1 << fixed;
        expect(table(guards, variables, guards.restrict(guard, variables[fixed]!, value))).toEqual(ALL.map((at) => truth(f, value ? at | bit : at & ~bit)));
      }),
      { numRuns: 300 },
    );
  });

  test('substitution, constrain, witness, support', () => {
    fc.assert(
      fc.property(formula, formula, fc.array(formula, { minLength: VARIABLES, maxLength: VARIABLES }), order, (f, care, replacements, declared) => {
        const guards = new Guards();
        const variables = declareAll(guards, declared);
        const guard = build(guards, variables, f);
        const built = replacements.map((replacement) => build(guards, variables, replacement));
        const mapped = guards.map(guard, (variable) => built[variables.indexOf(variable)]);
        const substituted = (at: number): number => inOrder.reduce((bits, index) => bits | (truth(replacements[index]!, at) ? 1 << index : 0), 0);
        expect(table(guards, variables, mapped)).toEqual(ALL.map((at) => truth(f, substituted(at))));

        const where = build(guards, variables, care);
        const constrained = guards.constrain(guard, where);
        expect(guards.and(constrained, where)).toBe(guards.and(guard, where));

        const witness = guards.witness(guard);
        expect(witness === undefined).toBe(ALL.every((at) => !truth(f, at)));
        if (witness !== undefined) expect(guards.evaluate(guard, (variable) => witness.get(variable) ?? false)).toBe(true);
        const depends = inOrder.filter((index) => ALL.some((at) => truth(f, at) !== truth(f, at ^ (1 << index))));
        expect([...guards.support(guard)].map((variable) => variables.indexOf(variable)).sort()).toEqual(depends);
      }),
      { numRuns: 300 },
    );
  });

  test('a variable declared later, between others, keeps what was built', () => {
    const guards = new Guards();
    const a = guards.declare('a');
    const c = guards.declare('c');
    const before = guards.and(guards.variable(a), guards.variable(c));
    const b = guards.declare('b');
    const all = guards.and(before, guards.variable(b));
    expect(guards.order([c, b, a])).toEqual([a, b, c]);
    expect(guards.inspect(guards.inspect(all)!.high)!.variable).toBe(b);
    expect(guards.restrict(all, b, true)).toBe(before);
  });
});
