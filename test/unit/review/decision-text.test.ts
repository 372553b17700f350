import { describe, expect, it } from 'vitest';
import { decisionText, type DecisionView } from '../../../src/review/decision-text.js';
import { anyOf, argument, call, deed, doings, fact, PLAIN, QUOTES, repository, span, VOCABULARY } from './kit.js';

const write = deed('file.write', { repository }, { span: span(9) });
const view = (more: Partial<DecisionView> = {}): DecisionView => ({
  tool: 'git_diff',
  source: 'pkg:pypi/x@2',
  target: 'pkg:pypi/x@1',
  decision: { verdict: 'changed', sourceEffects: [], targetEffects: [], reasons: [{ code: 'effect-added', message: 'exact', side: 'target', span: span(9), detail: { kind: 'effect', deed: write } }] },
  story: { provided: [fact({ kind: 'throws', call: repository }, false, true)], source: doings([], { refuses: 'always', refusedAt: [span(3)] }), target: doings([write]) },
  byDefinition: false,
  vocabulary: VOCABULARY,
  quotes: QUOTES,
  explain: false,
  ...more,
});

describe('one decided call', () => {
  it('shows the verdict, both sides with their lines, and why', () => {
    expect(decisionText(PLAIN, view())).toBe(`git_diff  changed: the target does something else

  Provided that the repository at repo_path does not fail:

  source  pkg:pypi/x@2
    - refuses
      server.py:3  source line 3 of server.py

  target  pkg:pypi/x@1
    - file.write (the repository at repo_path)
      server.py:9  target line 9 of server.py

  Why
  • only the target file.write [effect-added]`);
  });

  it('explained, has the lines around and what operations mean', () => {
    const text = decisionText(PLAIN, view({ explain: true }));
    expect(text).toMatch(/ 1 {6}source line 1 of server.py\n +2 {6}source line 2 of server.py\n +> +3 {6}source line 3 of server.py\n +4 /);
    expect(text).toContain('file.write: Writes a file.');
    const atTheEnd = decisionText(PLAIN, view({ explain: true, story: { provided: [], source: doings([]), target: doings([deed('file.write', {}, { span: span(20) })]) } }));
    expect(atTheEnd).toContain('>   20');
    expect(atTheEnd).not.toContain('  21');
  });

  it('names the facts on which an escalation turns, and how they are declared', () => {
    const facts = [fact({ kind: 'throws', call: call('py:git#Repo.rev_parse', [argument('target')], repository) }, false, true)];
    const decision = { verdict: 'escalated' as const, sourceEffects: [], targetEffects: [], reasons: [{ code: 'world-fact' as const, message: 'exact', side: 'both' as const, turnsOn: facts, next: 'Declare it.' }] };
    const text = decisionText(PLAIN, view({ decision, story: { provided: [], source: doings([]), target: doings([{ ...write, when: anyOf(facts) }]) } }));
    expect(text).toContain('- file.write (the repository at repo_path), where target names something in the repository at');
    expect(text).toMatch(/declare it\s+with --fact target-is-a-revision=true or =false \[world-fact\]/);
  });
});
