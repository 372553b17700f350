import { describe, expect, test } from 'vitest';
import { FcdError } from '../../../src/base/errors.js';
import type { Condition, Fact } from '../../../src/compatibility/facts.js';
import { tabulatePair, type PairTable } from '../../../src/compatibility/table.js';
import { pair, REVIEWED } from './kit.js';

const FEW = { allClasses: false };

/** `has t`, `!startsWith "-"` and so on: enough to tell conditions apart. */
function brief(fact: Fact): string {
  const { claim } = fact;
  const what = claim.kind === 'given' ? `has ${claim.path.join('.')}` : claim.kind === 'test' ? claim.fn : claim.kind === 'equal' ? `is ${JSON.stringify(claim.right)}` : claim.kind;
  return `${fact.holds ? '' : '!'}${what}`;
}
const said = ({ anyOf, more }: Condition): string => `${anyOf.map((facts) => facts.map(brief).join(' ')).join(' | ')}${more === 0 ? '' : ` +${String(more)}`}`;
const rowsOf = (table: PairTable): (string | undefined)[][] => table.rows.map((row) => [row.verdict, said(row.calls), row.source.refuses, row.target.refuses]);

describe('the table for people', () => {
  test('one row where nothing differs', () => {
    const { source, target } = pair();
    for (const side of [source, target]) side.effect('write', { dimensions: { path: side.arg('p') } }).returns();
    const table = tabulatePair(source.build(), target.build(), REVIEWED, FEW);
    expect(table).toMatchObject({ verdict: 'compatible', common: [], more: 0 });
    expect(rowsOf(table)).toEqual([['equal', '', 'never', 'never']]);
  });

  test('a row for what is refused, and one for all the rest', () => {
    const { store, source, target } = pair();
    const option = target.startsWith('t', '-');
    for (const side of [source, target]) side.domain = store.guards.implies(side.has('t'), side.is('t', 'string'));
    source.effect('diff', { dimensions: { target: source.arg('t') } }).returns();
    target
      .effect('diff', { when: store.guards.not(option), dimensions: { target: target.arg('t') } })
      .throws(option)
      .returns(store.guards.not(option));
    expect(rowsOf(tabulatePair(source.build(), target.build(), REVIEWED, FEW))).toEqual([
      ['narrower', 'text.startsWith', 'never', 'always'],
      ['equal', '', 'never', 'never'],
    ]);
    const back = tabulatePair(target.build(), source.build(), REVIEWED, FEW);
    expect(rowsOf(back)).toEqual([
      ['changed', 'text.startsWith', 'always', 'never'],
      ['equal', '', 'never', 'never'],
    ]);
    expect(back.rows[0]?.reasons).toMatchObject([{ code: 'condition-widened', detail: { kind: 'effect', deed: { operation: 'diff' } } }]);
  });

  test('conditions that all rows share are said once', () => {
    const { store, source, target } = pair();
    for (const side of [source, target]) {
      const { guards } = store;
      side.domain = guards.implies(side.has('t'), side.is('t', 'string'));
      const [a, b] = [side.startsWith('t', 'a'), side.startsWith('t', 'b')];
      const [first, second] = side === source ? ['read', 'list'] : ['write', 'send'];
      side.effect(first, { when: a }).effect(second, { when: b }).returns();
    }
    const table = tabulatePair(source.build(), target.build(), REVIEWED, FEW);
    expect(table.common.map(brief)).toEqual(['has t']);
    expect(rowsOf(table).map(([verdict, calls]) => [verdict, calls])).toEqual([
      ['changed', 'text.startsWith'],
      ['changed', 'text.startsWith'],
      ['equal', ''],
    ]);
    expect(table.rows.map((row) => row.target.deeds.map((deed) => deed.operation))).toEqual([['write'], ['send'], []].sort((x, y) => ((x[0] ?? '') < (y[0] ?? '') ? 1 : -1)));
  });

  test('a fact about the world stands with the answer that turns on it, and not among the calls', () => {
    const { store, source, target } = pair();
    const refused = source.fails('check', [source.arg('x')]);
    source
      .effect('write', { when: store.guards.not(refused) })
      .throws(refused)
      .returns(store.guards.not(refused));
    target.effect('write').returns();
    const forth = tabulatePair(source.build(), target.build(), REVIEWED, FEW);
    expect(rowsOf(forth)).toEqual([['escalated', '', 'sometimes', 'never']]);
    expect(forth.rows[0]?.turnsOn?.anyOf).toMatchObject([[{ holds: true, world: true, claim: { kind: 'throws' } }]]);
    const back = tabulatePair(target.build(), source.build(), REVIEWED, FEW);
    expect(back.verdict).toBe('compatible');
    expect(back.rows[0]?.turnsOn?.anyOf).toMatchObject([[{ holds: true, claim: { kind: 'throws' } }]]);
  });

  test('all classes have a row each', () => {
    const { store, source, target } = pair();
    const either = (side: typeof source) => store.guards.or(side.equals('m', store.string('a')), side.equals('n', store.string('b')));
    source.effect('write').returns();
    target.effect('write', { when: store.guards.not(either(target)) }).throws(either(target)).returns(store.guards.not(either(target)));
    expect(tabulatePair(source.build(), target.build(), REVIEWED, FEW).rows.map((row) => row.verdict)).toEqual(['narrower', 'equal']);
    expect(tabulatePair(source.build(), target.build(), REVIEWED, { allClasses: true }).rows.filter((row) => row.verdict === 'narrower')).toHaveLength(2);
  });

  test('many cases are counted, not listed', () => {
    const { store, source, target } = pair();
    const every = Array.from({ length: 12 }, (_, at) => target.equals(`a${String(at)}`, store.string('x')));
    const any = store.guards.any(every);
    source.effect('write').returns();
    target.effect('write', { when: store.guards.not(any) }).throws(any).returns(store.guards.not(any));
    const [row] = tabulatePair(source.build(), target.build(), REVIEWED, FEW).rows;
    expect(row?.calls.anyOf).toHaveLength(4);
    expect(row?.calls.more).toBe(8);
  });

  test('a comparison that outgrows the diagrams escalates', () => {
    const { store, source, target } = pair();
    for (const side of [source, target]) side.effect('write', { when: side.has('p') }).returns();
    const [a, b] = [source.build(), target.build()];
    store.guards.and = () => {
      throw new FcdError('guard-limit', 'a guard needs more than 1 diagram nodes');
    };
    expect(tabulatePair(a, b, REVIEWED, FEW)).toMatchObject({ verdict: 'escalated', rows: [{ verdict: 'escalated', reasons: [{ code: 'limit' }] }] });
  });
});
