/** What the command loads before it has work to do. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fcd, scratchFolder, type Ran } from './fixture.js';

const RECORDER = join(import.meta.dirname, 'record-imports.mjs');
const HEAVY = ['web-tree-sitter', 'tree-sitter-python', '/ajv/', 'cel-js', '/yaml/', 'yauzl', '/tar/', 'smol-toml', 'dist/frontends', 'dist/analysis', 'dist/profile', 'dist/semantics', 'dist/compatibility'];

async function modulesOf(args: readonly string[]): Promise<{ readonly ran: Ran; readonly loaded: readonly string[] }> {
  const file = join(scratchFolder(), 'modules.txt');
  const ran = await fcd(args, { env: { RECORD_IMPORTS: file }, nodeArguments: ['--import', RECORDER] });
  return { ran, loaded: existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [] };
}

const heavyOf = (loaded: readonly string[]): readonly string[] => HEAVY.filter((part) => loaded.some((url) => url.includes(part)));

describe('start-up', () => {
  it.each(['--help', '--version', 'decide --help', 'profile --help', 'check', 'nonsense'])('fcd %s loads no parser, no schema checker and no expression language', async (line) => {
    const { ran, loaded } = await modulesOf(line.split(' '));
    expect(ran.stdout + ran.stderr).not.toBe('');
    expect(loaded.some((url) => url.includes('commander'))).toBe(true);
    expect(heavyOf(loaded)).toEqual([]);
  });

  it('sees what a verb with work to do loads', async () => {
    const { loaded } = await modulesOf(['profile', 'list']);
    expect(heavyOf(loaded)).toEqual(expect.arrayContaining(['/ajv/', '/yaml/', 'cel-js', 'dist/profile']));
  });

  it('gives every verb a help text with an example and the exit codes', async () => {
    for (const verb of [['check'], ['decide'], ['explain'], ['summarize'], ['profile', 'lint'], ['profile', 'list']]) {
      const { code, stdout } = await fcd([...verb, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}\$ fcd /);
      expect(stdout).toContain('Exit codes:');
      expect(stdout).toContain('--json');
    }
  });
});
