import { describe, expect, test } from 'vitest';
import { FcdError } from '../../../src/base/errors.js';
import type { JsonObject } from '../../../src/base/canonical-json.js';
import { equal, hasType } from '../../../src/analysis/construct.js';
import type { Guard, TermId } from '../../../src/analysis/terms.js';
import { testText } from '../../../src/analysis/text-tests.js';
import { evaluatePredicate } from '../../../src/compatibility/evaluate-predicate.js';
import { reportPair } from '../../../src/compatibility/report.js';
import type { Predicate } from '../../../src/compatibility/verdict.js';
import { type Builder, decideWith, pair, REVIEWED } from './kit.js';

const shape = (...names: string[]) => ({ arguments: names, additionalArguments: false });

function captures(
  predicate: Predicate,
  args: JsonObject,
  inputs: { source?: Record<string, string | null>; target?: Record<string, string | null> } = {},
): boolean {
  if (predicate.kind === 'none') return false;
  const result = evaluatePredicate(predicate.text, {
    args,
    source: new Map(Object.entries(inputs.source ?? {})),
    target: new Map(Object.entries(inputs.target ?? {})),
  });
  if (result.kind === 'error') throw new Error(`${result.message}: ${predicate.text}`);
  return result.kind === 'captured';
}

describe('the decision table', () => {
  test('one class where both do the same', () => {
    const { source, target } = pair();
    for (const side of [source, target]) side.effect('write', { dimensions: { path: side.arg('p') } }).returns();
    const report = reportPair(source.build(), target.build(), shape('p'), REVIEWED);
    expect(report.verdict).toBe('compatible');
    expect(report.classes.map((row) => [row.condition, row.verdict])).toEqual([['all supported calls', 'equal']]);
    expect(report.equalWhen).toMatchObject({ kind: 'predicate', exact: true, text: '(args.all(k, k in ["p"]))' });
  });

  test('15: a refusal of options splits the calls, and the predicate asks for presence first', () => {
    const { store, source, target } = pair();
    const option = target.startsWith('t', '-');
    for (const side of [source, target]) side.domain = store.guards.implies(side.has('t'), side.is('t', 'string'));
    source.effect('diff', { dimensions: { target: source.arg('t') } }).returns();
    target
      .effect('diff', { when: store.guards.not(option), dimensions: { target: target.arg('t') } })
      .throws(option)
      .returns(store.guards.not(option));
    const forth = reportPair(source.build(), target.build(), shape('t'), REVIEWED);
    expect(forth.verdict).toBe('compatible');
    expect(forth.classes.map((row) => [row.condition, row.verdict])).toEqual([
      ['args.t starts with "-"', 'narrower'],
      ['args.t does not start with "-"', 'equal'],
    ]);
    expect(forth.availability).toHaveLength(2);
    const back = reportPair(target.build(), source.build(), shape('t'), REVIEWED);
    expect(back.verdict).toBe('conditional');
    expect(captures(back.containedWhen, {})).toBe(true);
    expect(captures(back.containedWhen, { t: 'main' })).toBe(true);
    expect(captures(back.containedWhen, { t: '-x' })).toBe(false);
    expect(captures(back.containedWhen, { t: 1 })).toBe(false);
    expect(captures(back.containedWhen, { t: 'main', other: 1 })).toBe(false);
    expect(back.classes.find((row) => row.verdict === 'changed')?.reasons[0]).toMatchObject({ code: 'condition-widened', side: 'target' });
  });

  test('a changed default: only calls that give the argument are certified', () => {
    const { store, source, target } = pair();
    const visibility = (side: Builder, otherwise: string): TermId =>
      store.intern({ kind: 'conditional', when: side.has('private'), then: side.arg('private'), otherwise: store.string(otherwise) });
    source.effect('create', { dimensions: { visibility: visibility(source, 'private') } }).returns();
    target.effect('create', { dimensions: { visibility: visibility(target, 'public') } }).returns();
    const report = reportPair(source.build(), target.build(), shape('private'), REVIEWED);
    expect(report.classes.map((row) => [row.condition, row.verdict])).toEqual([
      ['args.private is omitted', 'changed'],
      ['args.private is given', 'equal'],
    ]);
    expect(captures(report.equalWhen, {})).toBe(false);
    expect(captures(report.equalWhen, { private: 'public' })).toBe(true);
  });

  test('inputs that both sides read must be equal; those of one side are read from its map', () => {
    const { store, source, target } = pair();
    const unset = (side: Builder): Guard => store.propositionGuard({ kind: 'type', of: side.input('env:READONLY', 'optional<str>'), is: 'null' });
    source
      .effect('write', { when: unset(source) })
      .throws(store.guards.not(unset(source)))
      .returns(unset(source));
    target.effect('write').returns();
    const report = reportPair(source.build(), target.build(), shape(), REVIEWED);
    expect(report.verdict).toBe('conditional');
    expect(report).toMatchObject({ equalInputs: [], sourceInputs: ['env:READONLY'], targetInputs: [] });
    expect(captures(report.containedWhen, {}, { source: { 'env:READONLY': null } })).toBe(true);
    expect(captures(report.containedWhen, {}, { source: { 'env:READONLY': 'yes' } })).toBe(false);
    expect(captures(report.containedWhen, {}, {})).toBe(false);
  });

  test('what has no CEL form is not captured', () => {
    const { store, source, target } = pair();
    const gate = store.guards.and(source.has('sql'), store.propositionGuard({ kind: 'test', fn: 'sql.readOnly', args: [source.arg('sql')] }));
    source
      .effect('query', { when: gate, dimensions: { sql: source.arg('sql') } })
      .throws(store.guards.not(gate))
      .returns(gate);
    target.effect('query', { dimensions: { sql: target.arg('sql') } }).returns();
    const report = reportPair(source.build(), target.build(), shape('sql'), REVIEWED);
    expect(report.verdict).toBe('conditional');
    expect(report.containedWhen).toMatchObject({ kind: 'none', code: 'no-cel-form' });
  });

  test('facts about the world are quantified away towards caution', () => {
    const { store, source, target } = pair();
    const refused = source.fails('check', [source.arg('x')]);
    source
      .effect('write', { when: store.guards.not(refused) })
      .throws(refused)
      .returns(store.guards.not(refused));
    target.effect('write').returns();
    const report = reportPair(source.build(), target.build(), shape('x'), REVIEWED);
    expect(report.verdict).toBe('escalated');
    expect(report.classes).toMatchObject([
      { condition: 'all supported calls', verdict: 'escalated', reasons: [{ code: 'world-fact' }, { code: 'condition-widened' }] },
    ]);
    expect(reportPair(target.build(), source.build(), shape('x'), REVIEWED).verdict).toBe('compatible');
  });

  test('a condition on the elements of an array', () => {
    const { store, source, target } = pair();
    const files = source.arg('files');
    const element = store.intern({ kind: 'element', depth: 0, of: files });
    const when = testText(store, 'text.startsWith', [element, store.string('-')]);
    const loop = store.internLoop({ over: files, depth: 0, exits: [{ name: 'hit', when }], carried: [], effects: [] });
    const option = store.propositionGuard({ kind: 'exists', loop, exit: 'hit' });
    const domain = store.guards.and(source.has('files'), hasType(store, files, 'array'));
    for (const side of [source, target]) side.domain = domain;
    source
      .effect('add', { when: store.guards.not(option), dimensions: { files } })
      .throws(option)
      .returns(store.guards.not(option));
    target.effect('add', { dimensions: { files } }).returns();
    const report = reportPair(source.build(), target.build(), shape('files'), REVIEWED);
    expect(report.verdict).toBe('conditional');
    expect(captures(report.containedWhen, { files: ['a', 'b'] })).toBe(true);
    expect(captures(report.containedWhen, { files: ['a', '-b'] })).toBe(false);
    expect(captures(report.containedWhen, { files: 'a' })).toBe(false);
    expect(decideWith(source, target, { files: ['a', '-b'] }).verdict).toBe('changed');
    expect(decideWith(source, target, { files: ['a', 'b'] }).verdict).toBe('equal');
  });

  test('a comparison that outgrows the diagrams escalates', () => {
    const { store, source, target } = pair();
    for (const side of [source, target]) side.effect('write', { when: side.has('p') }).returns();
    const [a, b] = [source.build(), target.build()];
    store.guards.and = () => {
      throw new FcdError('guard-limit', 'a guard needs more than 1 diagram nodes');
    };
    expect(reportPair(a, b, shape('p'), REVIEWED)).toMatchObject({
      verdict: 'escalated',
      containedWhen: { kind: 'none', code: 'too-large' },
      reasons: [{ code: 'limit' }],
    });
    expect(decideWith(source, target, { p: 1 })).toMatchObject({ verdict: 'escalated', reasons: [{ code: 'limit' }] });
  });

  test('conditions in exponentially many cases are listed up to a bound', () => {
    const { store, source, target } = pair();
    const names = Array.from({ length: 40 }, (_, at) => `a${String(at)}`);
    const every = (side: Builder): Guard =>
      store.guards.all(names.map((name) => store.guards.or(side.equals(name, store.string('x')), side.equals(name, store.string('y')))));
    source.effect('write', { when: every(source) }).returns();
    target.effect('write', { when: store.guards.and(every(target), target.has('z')) }).returns();
    const report = reportPair(source.build(), target.build(), shape(...names, 'z'), REVIEWED);
    expect(report.verdict).toBe('compatible');
    expect(report.classes.length).toBeLessThanOrEqual(64);
    expect(report.classesNote).toMatch(/more classes/);
  });

  test('a mode argument with constants, integers and a conditional effect', () => {
    const { store, source, target } = pair();
    const soft = source.equals('mode', store.string('soft'));
    const hard = source.equals('mode', store.string('hard'));
    const deep = store.guards.and(source.has('n'), equal(store, source.arg('n'), store.int(3)));
    source.effect('reset', { when: store.guards.or(soft, hard), dimensions: { mode: source.arg('mode') } }).returns();
    target
      .effect('reset', { when: store.guards.or(soft, store.guards.and(hard, deep)), dimensions: { mode: target.arg('mode') } })
      .effect('wipe', { when: store.guards.and(hard, deep) })
      .returns();
    const report = reportPair(source.build(), target.build(), shape('mode', 'n'), REVIEWED);
    expect(report.verdict).toBe('conditional');
    expect(captures(report.containedWhen, { mode: 'hard', n: 3 })).toBe(false);
    expect(captures(report.containedWhen, { mode: 'hard', n: 4 })).toBe(true);
    expect(captures(report.equalWhen, { mode: 'hard', n: 4 })).toBe(false);
    expect(captures(report.equalWhen, { mode: 'soft', n: 3 })).toBe(true);
  });
});
