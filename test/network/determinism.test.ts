/** Summaries of a real release, regenerated elsewhere and otherwise, byte for byte. Uses the built compiler. */
import { cp, mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGitReleases } from './git-releases.js';
import { ROOT, run } from './run-node.js';

const VERSION = '2025.12.18';
const LOCKED = JSON.stringify({ 'dependency:mcp': '1.1.0', 'dependency:gitpython': '3.1.45', 'dependency:pydantic': '2.10.1' });
const SCRIPT = join(ROOT, 'test/network/regenerate.mjs');
const MINUTE_MS = 60_000;
let scratch = '';

async function regenerate(folder: string, order: 'forward' | 'reverse', env: Readonly<Record<string, string>>): Promise<string> {
  const { code, stdout, stderr } = await run([SCRIPT, folder, order, LOCKED], env);
  expect(code, stderr).toBe(0);
  return stdout;
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'fcd-regenerate-'));
  const { release } = await openGitReleases().open(VERSION);
  for (const file of release.files) {
    const path = join(scratch, 'first', file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await release.read(file.path));
  }
  await cp(join(scratch, 'first'), join(scratch, 'another place/with a longer name'), { recursive: true });
}, 2 * MINUTE_MS);

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

it(
  'another folder, file order, time zone and language give the same bytes',
  async () => {
    const here = await regenerate(join(scratch, 'first'), 'forward', { TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' });
    const there = await regenerate(join(scratch, 'another place/with a longer name'), 'reverse', { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' });
    const lines = here.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(12);
    // Not bytes of nothing: most tools of the pack are served by this release, and have effects.
    expect(lines.filter((line) => line.includes('"effect"')).length).toBeGreaterThanOrEqual(8);
    expect(there).toBe(here);
  },
  2 * MINUTE_MS,
);
