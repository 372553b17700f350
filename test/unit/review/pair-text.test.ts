import { describe, expect, it } from 'vitest';
import { ALWAYS } from '../../../src/compatibility/facts.js';
import { comparisonBody, tally } from '../../../src/review/pair-text.js';
import { anyOf, argument, deed, doings, fact, list, PLAIN, QUOTES, repository, row, span, startsWith, table, VOCABULARY } from './kit.js';

const target = argument('target');
const read = deed('git.read', { repository, selection: list(target) }, { span: span(7) });
const write = deed('file.write', { repository, words: list(target) }, { span: span(9) });
const changed = row('changed', anyOf([startsWith(target, '-')]), doings([], { refuses: 'always', refusedAt: [span(3)] }), doings([write], { refuses: 'sometimes' }), {
  reasons: [{ code: 'effect-added', message: 'the exact words', side: 'target', span: span(9), detail: { kind: 'effect', deed: write } }],
});
const kept = row('equal', ALWAYS, doings([read]), doings([read]));
const body = (rows: ReturnType<typeof table>): string => comparisonBody(PLAIN, { tool: 'git_diff', vocabulary: VOCABULARY, table: rows, byDefinition: false, quotes: QUOTES });

describe('the table of a tool', () => {
  it('has a row for each class, and under a change the lines of both releases', () => {
    expect(body(table([changed, kept], { common: [fact({ kind: 'given', path: ['repo_path'] })] }))).toBe(`conditional: some calls keep their effects or do less, others do not

  Where repo_path is given, the first row that fits:
  CALLS                      ANSWER   SOURCE                             TARGET
  ─────────────────────────  ───────  ─────────────────────────────────  ───────────────────────────
  target starts with "-"     changes  refuses                            file.write (words [target])
    source  server.py:3  source line 3 of server.py
    target  server.py:9  target line 9 of server.py

  all other supported calls  keeps    reads the repository (selection    the same
                                      [target])`);
  });

  it('says where a narrower target refuses, with its line', () => {
    const narrower = row('narrower', ALWAYS, doings([read]), doings([read], { refuses: 'sometimes', refusedAt: [span(4)] }), { turnsOn: anyOf([fact({ kind: 'throws', call: repository }, true, true)]) });
    const text = body(table([narrower], { verdict: 'compatible' }));
    expect(text).toMatch(/all supported calls +narrows +reads the repository +the same, or refuses/);
    expect(text).toContain('· refuses where there is no repository at repo_path');
    expect(text).toContain('target  server.py:4  target line 4 of server.py');
  });

  it('tells what could not be decided, and why', () => {
    const open = row('escalated', ALWAYS, doings([read], { refuses: 'sometimes' }), doings([read]), {
      reasons: [{ code: 'unreviewed-callee', message: 'f is not reviewed', side: 'target', span: span(5), next: 'Review it.' }],
      turnsOn: anyOf([fact({ kind: 'throws', call: repository }, true, true)]),
    });
    const text = body(table([open], { verdict: 'escalated' }));
    expect(text).toContain('cannot be decided');
    expect(text).toContain('· the target does more where there is no repository at repo_path');
    expect(text).toContain('· f is not reviewed, next: Review it. [unreviewed-callee]');
    expect(text).toContain('target  server.py:5');
  });

  it('counts what becomes of calls', () => {
    expect(tally([changed, kept])).toBe('some calls change, some keep');
    expect(tally([kept])).toBe('every call keeps');
  });
});
