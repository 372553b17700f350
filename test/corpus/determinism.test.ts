/**
 * The same bytes from the same release: on another store, with the files in another order, in another folder, time zone and
 * language; and a release against itself is equal by evaluation, without being told.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { literalOf } from '../../src/analysis/literal.js';
import { Store } from '../../src/analysis/store.js';
import { Pairs } from '../../src/pipeline/pair.js';
import { Session } from '../../src/pipeline/session.js';
import { analyse, FOLDER, pair, semanticText, server, told, type Files, type Release } from './harness.js';
import { HANDLERS } from './mutation/handlers.js';

const FIXTURES: readonly (readonly [string, Release])[] = [
  ...HANDLERS.map((handler) => [handler.name, server({ body: '', module: handler.module })] as const),
  [
    'many modules',
    server({
      top: 'from depot_server.a import first\nfrom depot_server import b',
      body: 'first(arguments["path"])\nb.second(arguments["path"])',
      files: {
        'depot_server/a.py': 'from depot import files\nfrom depot_server.b import second\n\ndef first(path):\n    second(path)\n    files.delete(path)\n',
        'depot_server/b.py': 'from depot import files\n\ndef second(path):\n    files.write(path)\n',
      },
    }),
  ],
];
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function written(files: Files, name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'fcd-same-')), name);
  folders.push(dirname(folder));
  const all = { ...files, 'pyproject.toml': '[project]\nname = "depot-server"\nversion = "1.0.0"\n', 'requirements.txt': 'depot==1.0\nmcp==1.2.0\n' };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe.each(FIXTURES)('%s', (name, release) => {
  test('equals itself by evaluation', async () => {
    // Two analyses of one release, in one store: nothing is shared by being the same object.
    const both = await pair(release, { ...release });
    const report = both.report();
    // A call that the evaluator stops at is decided nowhere, also not against itself.
    const stops = both.source.summary.outcomes.some((outcome) => outcome.kind === 'escalate');
    expect(report.verdict).toBe(stops ? 'conditional' : 'compatible');
    for (const row of report.classes) expect(['equal', 'escalated'], row.condition).toContain(row.verdict);
    for (const call of HANDLERS.find((handler) => handler.name === name)?.calls ?? [{ path: 'a' }]) {
      const decision = both.decide(call);
      expect(decision.verdict, told(decision)).toBe('equal');
    }
  });

  test('has the same bytes on another store and in another order of files', async () => {
    const expected = semanticText((await analyse(release)).summary);
    const used = new Store();
    for (const [, other] of FIXTURES) await analyse(other, used);
    expect(semanticText((await analyse(release, used)).summary)).toBe(expected);
    const shuffled = { ...release, files: Object.fromEntries(Object.entries(release.files).reverse()) };
    expect(semanticText((await analyse(shuffled)).summary)).toBe(expected);
  });
});

test('in other folders, with the shortcut off, releases equal themselves', async () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'fcd-same-cache-'));
  folders.push(cacheDir);
  const session = new Session({ profilesFolder: FOLDER, cacheDir, offline: true });
  const pairs = new Pairs(session);
  const inputs = { source: new Map<string, string | null>(), target: new Map<string, string | null>() };
  for (const handler of HANDLERS) {
    const { files } = server({ body: '', module: handler.module });
    const source = await session.open(written(files, 'one'));
    const target = await session.open(written(files, 'another-place'));
    const profile = session.profiles.applicable(target.packages, target.label)[0]!;
    for (const call of handler.calls) {
      const { decision, byDefinition } = await pairs.decide({ source, target, profile, inputs, shortcut: false }, literalOf(call), new Map());
      expect(byDefinition).toBe(false);
      expect(decision.verdict, `${handler.name} ${JSON.stringify(call)} ${told(decision)}`).toBe('equal');
    }
    const [left, right] = [await pairs.summary(source, profile, new Map()), await pairs.summary(target, profile, new Map())];
    expect(semanticText(right.summary)).toBe(semanticText(left.summary));
    expect({ ...right.evidence, release: undefined }).toEqual({ ...left.evidence, release: undefined });
  }
});

test('another process, time zone, language and folder give the same bytes', () => {
  const release = FIXTURES.at(-1)![1];
  const root = join(import.meta.dirname, '../..');
  const run = (folder: string, env: Record<string, string>): string => {
    const cache = mkdtempSync(join(tmpdir(), 'fcd-same-cache-'));
    folders.push(cache);
    const ran = spawnSync(process.execPath, [join(root, 'bin/fcd.js'), 'summarize', folder, '--tool', 'act', '--profiles', FOLDER, '--json'], {
      encoding: 'utf8',
      cwd: tmpdir(),
      env: { ...process.env, FCD_CACHE: cache, ...env },
    });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).not.toBe('');
    return ran.stdout.replaceAll(folder, 'FOLDER');
  };
  const expected = run(written(release.files, 'one'), { TZ: 'UTC', LANG: 'C' });
  expect(run(written(release.files, 'two'), { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' })).toBe(expected);
});
