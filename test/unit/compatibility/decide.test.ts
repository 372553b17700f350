import { describe, expect, test } from 'vitest';
import { TRUE } from '../../../src/analysis/guards.js';
import { listOf } from '../../../src/analysis/construct.js';
import { decideWith, pair } from './kit.js';

describe('effects', () => {
  test('a summary is equal to itself, also with inexact dimensions and world facts', () => {
    const { store, source } = pair();
    const failed = source.fails('check', [source.arg('x')]);
    source
      .effect('write', { when: store.guards.not(failed), dimensions: { path: source.arg('x') }, exact: false })
      .throws(failed)
      .returns(store.guards.not(failed));
    source.disclose(source.observe('read'), store.guards.not(failed));
    expect(decideWith(source, source, { x: 'a' }).verdict).toBe('equal');
  });

  test('1: the same effect performed twice is changed; the other direction is narrower', () => {
    const { source, target } = pair();
    source.effect('commit', { dimensions: { message: source.arg('m') } }).returns();
    target
      .effect('commit', { dimensions: { message: target.arg('m') } })
      .effect('commit', { dimensions: { message: target.arg('m') } })
      .returns();
    const decision = decideWith(source, target, { m: 'x' });
    expect(decision.verdict).toBe('changed');
    expect(decision.reasons.map((r) => r.code)).toEqual(['count-or-order']);
    expect(decideWith(target, source, { m: 'x' }).verdict).toBe('narrower');
  });

  test('2: two effects in another order are changed', () => {
    const { store, source, target } = pair();
    source
      .effect('a', { dimensions: { x: store.string('1') } })
      .effect('b')
      .returns();
    target
      .effect('b')
      .effect('a', { dimensions: { x: store.string('1') } })
      .returns();
    expect(decideWith(source, target, {}).verdict).toBe('changed');
  });

  test('order between effects that exclude each other does not count', () => {
    const { store, source, target } = pair();
    const g = source.fails('check');
    source
      .effect('a', { when: g })
      .effect('b', { when: store.guards.not(g) })
      .returns();
    target
      .effect('b', { when: store.guards.not(g) })
      .effect('a', { when: g })
      .returns();
    expect(decideWith(source, target, {}).verdict).toBe('equal');
  });

  test('3: a context dropped is changed, a context added narrower', () => {
    const { source, target } = pair();
    source.effect('query', { contexts: ['read-only-transaction'] }).returns();
    target.effect('query').returns();
    const decision = decideWith(source, target, {});
    expect(decision.verdict).toBe('changed');
    expect(decision.reasons[0]?.code).toBe('protection-dropped');
    expect(decideWith(target, source, {}).verdict).toBe('narrower');
  });

  test('another context is changed; the same ones with one more between are narrower', () => {
    const contexts = (...names: string[]) => {
      const { source, target } = pair();
      source.effect('query', { contexts: ['tx', 'lock'] }).returns();
      target.effect('query', { contexts: names }).returns();
      return decideWith(source, target, {}).verdict;
    };
    expect(contexts('tx', 'lock')).toBe('equal');
    expect(contexts('tx', 'audit', 'lock')).toBe('narrower');
    expect(contexts('lock', 'tx')).toBe('changed');
    expect(contexts('tx', 'other')).toBe('changed');
    expect(contexts('tx', 'tx')).toBe('changed');
  });

  test('4: a protective effect dropped or moved behind is changed, added narrower', () => {
    const { source, target } = pair();
    source.effect('require-encryption', { protective: true }).effect('connect').returns();
    target.effect('connect').returns();
    expect(decideWith(source, target, {}).verdict).toBe('changed');
    expect(decideWith(source, target, {}).reasons[0]?.code).toBe('protection-dropped');
    expect(decideWith(target, source, {}).verdict).toBe('narrower');
    const late = pair();
    late.source.effect('require-encryption', { protective: true }).effect('connect').returns();
    late.target.effect('connect').effect('require-encryption', { protective: true }).returns();
    expect(decideWith(late.source, late.target, {}).verdict).toBe('changed');
  });

  test('a protection that goes together with what it protects is narrower', () => {
    const { source, target } = pair();
    source.effect('require-encryption', { protective: true }).effect('connect').returns();
    target.throws(TRUE);
    expect(decideWith(source, target, {}).verdict).toBe('narrower');
  });

  test('another dimension value is changed, with both values named', () => {
    const { store, source, target } = pair();
    source.effect('create', { dimensions: { visibility: store.string('private') } }).returns();
    target.effect('create', { dimensions: { visibility: store.string('public') } }).returns();
    const decision = decideWith(source, target, {});
    expect(decision.verdict).toBe('changed');
    expect(decision.reasons[0]).toMatchObject({ code: 'dimension-changed', side: 'target' });
    expect(decision.reasons[0]?.message).toContain('"private"');
    expect(decision.reasons[0]?.span?.line).toBe(1);
  });

  test('a lower value of an ordered dimension is narrower only where the profile says so', () => {
    const { store, source, target } = pair();
    source.effect('create', { dimensions: { visibility: store.string('public') } }).returns();
    target.effect('create', { dimensions: { visibility: store.string('private') } }).returns();
    expect(decideWith(source, target, {}).verdict).toBe('changed');
    const envelope = { lowering: () => ['private', 'public'], disclosableInputs: new Set<string>(), bounds: () => [] };
    expect(decideWith(source, target, {}, {}, envelope).verdict).toBe('narrower');
    expect(decideWith(target, source, {}, {}, envelope).verdict).toBe('changed');
  });

  test('inexact dimensions of different calls never match', () => {
    const { store, source, target } = pair();
    source.effect('write', { dimensions: { path: store.string('a') }, exact: false, callee: 'one' }).returns();
    target.effect('write', { dimensions: { path: store.string('a') }, exact: false, callee: 'two' }).returns();
    expect(decideWith(source, target, {}).verdict).toBe('changed');
  });

  test('a disjunction of source effects covers one target effect', () => {
    const { store, source, target } = pair();
    const g = source.fails('check');
    source
      .effect('write', { when: g })
      .effect('write', { when: store.guards.not(g) })
      .returns();
    target.effect('write').returns();
    expect(decideWith(source, target, {}).verdict).toBe('equal');
  });

  test('a dropped effect on which a kept one builds is changed; an independent one narrower', () => {
    const { source, target, store } = pair();
    source
      .effect('add', { dimensions: { repository: source.arg('r') } })
      .effect('commit', { dimensions: { repository: source.arg('r'), message: store.string('m') } })
      .returns();
    target.effect('commit', { dimensions: { repository: target.arg('r'), message: store.string('m') } }).returns();
    expect(decideWith(source, target, { r: '/x' })).toMatchObject({ verdict: 'changed', reasons: [{ code: 'dependency-dropped' }] });
    const apart = pair();
    apart.source
      .effect('log', { dimensions: { to: apart.store.string('stderr') } })
      .effect('commit')
      .returns();
    apart.target.effect('commit').returns();
    expect(decideWith(apart.source, apart.target, {}).verdict).toBe('narrower');
  });

  test('a baseline read is a set: repeated it is equal, of a new resource it is changed', () => {
    const { store, source, target } = pair();
    const repository = listOf(store, 'list', [store.string('repository'), source.arg('r')]);
    source.effect('read', { baseline: true, resource: repository, dimensions: { what: store.string('commits') } }).returns();
    target
      .effect('read', { baseline: true, resource: repository, dimensions: { what: store.string('commits') } })
      .effect('read', { baseline: true, resource: repository, dimensions: { what: store.string('refs') } })
      .returns();
    expect(decideWith(source, target, { r: '/x' }).verdict).toBe('equal');
    const elsewhere = pair();
    elsewhere.source.effect('read', { baseline: true, resource: elsewhere.source.arg('r') }).returns();
    elsewhere.target
      .effect('read', { baseline: true, resource: elsewhere.target.arg('r') })
      .effect('read', { baseline: true, resource: elsewhere.store.string('/etc'), dimensions: { what: elsewhere.store.null } })
      .returns();
    expect(decideWith(elsewhere.source, elsewhere.target, { r: '/x' }).verdict).toBe('changed');
  });
});

describe('conditions', () => {
  test('8: the same callee under two versions is not one observation', () => {
    const { source, target } = pair();
    source.effect('write', { dimensions: { path: source.observe('read', [], '<2') } }).returns();
    target.effect('write', { dimensions: { path: target.observe('read', [], '>=2') } }).returns();
    expect(decideWith(source, target, {}).verdict).not.toBe('equal');
  });

  test('9: a setting bound on one side only', () => {
    const { store, source, target } = pair();
    const unset = (side: typeof source) => {
      const value = side.input('option:readonly', 'optional<str>');
      return store.propositionGuard({ kind: 'type', of: value, is: 'null' });
    };
    for (const side of [source, target])
      side
        .effect('write', { when: unset(side) })
        .throws(store.guards.not(unset(side)))
        .returns(unset(side));
    expect(decideWith(source, target, {}).verdict).toBe('equal');
    expect(decideWith(source, target, {}, { source: { 'option:readonly': 'yes' }, target: { 'option:readonly': null } }).verdict).toBe('changed');
    expect(decideWith(source, target, {}, { source: { 'option:readonly': null }, target: { 'option:readonly': 'yes' } }).verdict).toBe('narrower');
    expect(decideWith(source, target, {}, { source: { 'option:readonly': 'yes' } }).verdict).toBe('changed');
  });

  test('a guard that only the source asks about escalates; one that only the target asks about is changed or narrower', () => {
    const { store, source, target } = pair();
    const refused = source.fails('check', [source.arg('x')]);
    source
      .effect('write', { when: store.guards.not(refused) })
      .throws(refused)
      .returns(store.guards.not(refused));
    target.effect('write').returns();
    const decision = decideWith(source, target, { x: 'a' });
    expect(decision.verdict).toBe('escalated');
    expect(decision.reasons[0]).toMatchObject({ code: 'world-fact' });
    expect(decision.reasons[0]?.message).toContain('check("a") fails');
    expect(decideWith(target, source, { x: 'a' }).verdict).toBe('narrower');
  });

  test('an effect under a fact that only the target asks about is changed', () => {
    const { source, target } = pair();
    source.returns();
    target.effect('write', { when: target.fails('exists') }).returns();
    expect(decideWith(source, target, {}).verdict).toBe('changed');
  });

  test('15: a refusal of options, per call', () => {
    const { store, source, target } = pair();
    const option = target.startsWith('t', '-');
    source.effect('diff', { dimensions: { target: source.arg('t') } }).returns();
    target
      .effect('diff', { when: store.guards.not(option), dimensions: { target: target.arg('t') } })
      .throws(option)
      .returns(store.guards.not(option));
    expect(decideWith(source, target, { t: 'main' }).verdict).toBe('equal');
    expect(decideWith(source, target, { t: '-x' }).verdict).toBe('narrower');
    expect(decideWith(target, source, { t: '-x' }).verdict).toBe('changed');
    expect(decideWith(target, source, { t: '-x' }).reasons[0]?.code).toBe('condition-widened');
  });

  test('exits alone: refused is narrower, answered is narrower', () => {
    const { source, target } = pair();
    source.returns();
    target.throws(TRUE);
    expect(decideWith(source, target, {})).toMatchObject({ verdict: 'narrower', reasons: [{ code: 'refused' }] });
    expect(decideWith(target, source, {})).toMatchObject({ verdict: 'narrower', reasons: [{ code: 'answered' }] });
  });
});

describe('disclosure and escalation', () => {
  test('12: something new told is changed, something less told is narrower', () => {
    const { source, target } = pair();
    source.disclose(source.observe('log')).returns();
    target.disclose(target.observe('log')).disclose(target.input('env:SECRET')).returns();
    expect(decideWith(source, target, {})).toMatchObject({ verdict: 'changed', reasons: [{ code: 'disclosure-added' }] });
    expect(decideWith(target, source, {})).toMatchObject({ verdict: 'narrower', reasons: [{ code: 'disclosure-dropped' }] });
    const envelope = { lowering: () => undefined, disclosableInputs: new Set(['env:SECRET']), bounds: () => [] };
    expect(decideWith(source, target, {}, {}, envelope).verdict).toBe('equal');
  });

  test('the caller may be told its own arguments', () => {
    const { source, target } = pair();
    source.returns();
    target.disclose(target.arg('x')).returns();
    expect(decideWith(source, target, { x: 'a' }).verdict).toBe('equal');
  });

  test('an undecided target escalates with its code', () => {
    const { source, target } = pair();
    source.effect('write').returns();
    target.escalate(target.startsWith('x', '-')).returns();
    expect(decideWith(source, target, { x: '-' })).toMatchObject({ verdict: 'escalated', reasons: [{ code: 'unreviewed-callee', side: 'target' }] });
    expect(decideWith(source, target, { x: 'a' }).verdict).toBe('narrower');
  });

  test('an undecided source escalates unless the target does nothing', () => {
    const { source, target } = pair();
    source.escalate();
    target.effect('write').returns();
    expect(decideWith(source, target, {}).verdict).toBe('escalated');
    const quiet = pair();
    quiet.source.escalate();
    quiet.target.throws(TRUE);
    expect(decideWith(quiet.source, quiet.target, {}).verdict).toBe('narrower');
  });

  test('outside the domain escalates', () => {
    const { source, target } = pair();
    source.domain = source.is('x', 'string');
    source.returns();
    target.returns();
    expect(decideWith(source, target, { x: 1 })).toMatchObject({ verdict: 'escalated', reasons: [{ code: 'outside-domain' }] });
    expect(decideWith(source, target, { x: 'a' }).verdict).toBe('equal');
  });
});
