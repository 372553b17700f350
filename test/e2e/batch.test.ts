/** `decide --batch`: the lines that the evaluation reads. DESIGN section 14. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fcd, GUARDED_HELPER, notesProfiles, notesServer, scratchFolder, writeFiles } from './fixture.js';

const profiles = notesProfiles();
const plain = notesServer();
const guarded = notesServer({ helper: GUARDED_HELPER, version: '1.1.0' });

const line = (id: string, source: string, target: string, call: object, more: object = {}): string => JSON.stringify({ id, source, target, tool: 'write_note', arguments: call, ...more });

interface Answer {
  readonly id: string | null;
  readonly verdict?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly next?: string };
  readonly sourceEffects?: readonly { readonly operation: string; readonly dimensions: Readonly<Record<string, string>>; readonly when: string; readonly context: readonly string[]; readonly file: string; readonly line: number }[];
  readonly targetEffects?: readonly object[];
  readonly reasons?: readonly { readonly code: string; readonly message: string; readonly side: string }[];
}

const answersOf = (stdout: string): readonly Answer[] => stdout.split('\n').slice(0, -1).map((text) => JSON.parse(text) as Answer);

describe('fcd decide --batch', () => {
  it('answers in order, and goes on after a line that cannot be read', async () => {
    const input = [
      line('keeps', plain, guarded, { title: 'x' }),
      'this is no JSON',
      '',
      line('narrows', plain, guarded, { title: '-x' }),
      JSON.stringify({ id: 'incomplete', source: plain, target: guarded }),
      '[1]',
      JSON.stringify({ id: 7, source: plain, target: guarded, tool: 'write_note', arguments: { title: 'x' }, inputs: { source: { 'repository': 'x' } } }),
      `{"id": "twice", "id": "twice", "source": ${JSON.stringify(plain)}}`,
      line('no-release', './no-such-folder', plain, { title: 'x' }),
      line('no-tool', plain, plain, { title: 'x' }).replace('write_note', 'erase_note'),
      line('changes', guarded, plain, { title: '-x' }, { accept: ['changed'], why: 'ignored' }),
    ].join('\n');
    const ran = await fcd(['decide', '--batch', '-', '--profiles', profiles], { input });
    expect(ran.stderr).toBe('');
    const answers = answersOf(ran.stdout);
    expect(answers.map((answer) => [answer.id, answer.verdict ?? answer.error?.code])).toEqual([
      ['keeps', 'equal'],
      [null, 'json-syntax'],
      ['narrows', 'narrower'],
      ['incomplete', 'call-invalid'],
      [null, 'call-invalid'],
      [7, 'input-invalid'],
      [null, 'json-duplicate-key'],
      ['no-release', 'path-missing'],
      ['no-tool', 'tool-missing'],
      ['changes', 'changed'],
    ]);
    expect(answers[1]?.error?.message).toContain('standard input:2:1');
    expect(answers[3]?.error?.message).toContain('"tool"');
    expect(ran.code).toBe(1);
    const keeps = answers[0];
    expect(Object.keys(keeps ?? {})).toEqual(['id', 'verdict', 'sourceEffects', 'targetEffects', 'reasons']);
    expect(keeps?.sourceEffects).toEqual([{ operation: 'notes.write', dimensions: { text: '""', title: '"x"' }, when: 'always', context: [], file: 'fixture_notes/server.py', line: 9 }]);
    expect(answers[9]?.reasons?.[0]).toMatchObject({ side: 'target', file: 'fixture_notes/server.py', line: 9 });
  });

  it('ends with 0 when every line is contained, and with 2 when a line escalates or cannot be read', async () => {
    const folder = scratchFolder();
    const batch = async (name: string, lines: readonly string[]): Promise<number | null> => {
      writeFiles(folder, { [name]: `${lines.join('\n')}\n` });
      return (await fcd(['decide', '--batch', join(folder, name), '--profiles', profiles])).code;
    };
    expect(await batch('fine.jsonl', [line('a', plain, guarded, { title: 'x' }), line('b', plain, guarded, { title: '-x' })])).toBe(0);
    expect(await batch('escalates.jsonl', [line('a', plain, guarded, { title: 'x' }), line('b', plain, guarded, { title: 5 })])).toBe(2);
    expect(await batch('unreadable.jsonl', [line('a', plain, guarded, { title: 'x' }), '{'])).toBe(2);
  });

  it('escalates a call with an argument that the profile does not cover', async () => {
    const ran = await fcd(['decide', '--batch', '-', '--profiles', profiles], { input: line('a', plain, guarded, { title: 'x', folder: 'y' }) });
    expect(answersOf(ran.stdout)[0]).toMatchObject({ verdict: 'escalated', reasons: [{ code: 'outside-domain' }] });
  });

  it('tells a dependency version that only one side runs with', async () => {
    const inputs = { source: { 'dependency:mcp': '1.2.0' }, target: { 'dependency:mcp': '1.10.0' } };
    const ran = await fcd(['decide', '--batch', '-', '--profiles', profiles], { input: [line('same', plain, plain, { title: 'x' }, { inputs }), line('unknown', plain, plain, { title: 'x' }, { inputs: { target: { 'dependency:mcp': null } } })].join('\n') });
    const [same, unknown] = answersOf(ran.stdout);
    expect(same?.verdict).toBe('equal');
    expect(unknown?.verdict).toBe('escalated');
    expect(unknown?.reasons?.[0]?.code).toBe('version-unknown');
  });
});
