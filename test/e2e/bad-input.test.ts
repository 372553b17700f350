/** Bad input of every kind: a clear error with the next step, the right exit code, and nothing half-written. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fcd, NOTES_PROFILE, notesProfiles, notesServer, scratchFolder, writeFiles, type Ran } from './fixture.js';

const profiles = notesProfiles();
const CALL = ['--tool', 'write_note', '--call', '{"title": "x"}', '--profiles', profiles];

/** The error is said on standard error, in words and with a next step, without a stack. */
function expectClearError(ran: Ran, code: number, ...words: readonly (string | RegExp)[]): void {
  for (const word of words) expect(ran.stderr).toMatch(word);
  expect(ran.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  expect(ran.stdout).toBe('');
  expect(ran.code).toBe(code);
}

describe('usage', () => {
  it('refuses unknown verbs, options and missing arguments with 64 and a hint', async () => {
    expectClearError(await fcd(['chekc']), 64, /unknown command 'chekc'/, /check/);
    expectClearError(await fcd(['check']), 64, /missing required argument 'target'/, /--help/);
    expectClearError(await fcd(['check', 'x', '--agianst', 'y']), 64, /unknown option '--agianst'/, /--against/);
    expectClearError(await fcd(['summarize', 'x']), 64, /--tool/);
    expectClearError(await fcd(['decide', '--source', 'x']), 64, /--target is missing/, /--batch/);
    expectClearError(await fcd(['decide', '--batch', 'x', '--tool', 'y']), 64, /--tool does not go with --batch/);
    expectClearError(await fcd(['decide', '--batch', 'no-such-file']), 64, /no-such-file cannot be read/);
    expectClearError(await fcd(['summarize', 'x', '--tool', 'y', '--format', 'pdf']), 64, /no format "pdf"/, /table, tree, json/);
  });

  it('shows the help when there is nothing to do', async () => {
    const ran = await fcd([]);
    expect(ran.stdout + ran.stderr).toContain('Usage: fcd');
  });

  it('says an error as JSON too, where JSON was asked for', async () => {
    const ran = await fcd(['check', 'pkg:nope/x@1', '--json']);
    expect(ran.code).toBe(64);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'purl-type-unsupported', next: expect.stringContaining('pkg:pypi') } });
  });
});

describe('releases', () => {
  it('refuses what names no release', async () => {
    expectClearError(await fcd(['check', 'pkg:nope/x@1']), 64, /pkg:nope/, /pkg:pypi/);
    expectClearError(await fcd(['check', 'pkg:pypi/mcp-server-git']), 64, /names no version/, /@VERSION/);
    expectClearError(await fcd(['check', './no-such-folder']), 64, /no-such-folder/, /path that exists/);
    expectClearError(await fcd(['check', notesServer(), '--against', '1.0.0', '--profiles', profiles]), 64, /is a version/, /package URL/);
  });

  it('says that a registry cannot be reached, and leaves nothing behind', async () => {
    const cache = scratchFolder();
    const env = { PIP_INDEX_URL: 'http://127.0.0.1:1/simple', PIP_EXTRA_INDEX_URL: '', PIP_RETRIES: '0', PIP_CONFIG_FILE: '/dev/null', FCD_CACHE: cache };
    const ran = await fcd(['check', 'pkg:pypi/mcp-server-git@2025.12.18'], { env });
    expectClearError(ran, 2, /127\.0\.0\.1/);
    const trees = join(cache, 'v1', 'trees');
    expect(existsSync(trees) ? readdirSync(trees) : []).toEqual([]);
    expect(existsSync(join(cache, 'summaries'))).toBe(false);
  });

  it('says that a release is not in the cache when offline', async () => {
    const ran = await fcd(['check', 'pkg:pypi/mcp-server-git@2025.12.18', '--offline'], { env: { FCD_CACHE: scratchFolder() } });
    expectClearError(ran, 2, /not in the cache/, /without --offline/);
  });
});

describe('profiles', () => {
  it('names file, line and fix of a broken profile', async () => {
    const broken = notesProfiles(NOTES_PROFILE.replace('version: 1', 'version: one\nverison: 2').replace("packageVersions: '*'", "packageVersions: '=>1'"));
    expectClearError(await fcd(['check', notesServer(), '--profiles', broken]), 64, /notes\/write_note\.yaml:3:/, /verison/);
    const unclosed = notesProfiles(NOTES_PROFILE.replace('[python-builtins', '[[python-builtins'));
    expectClearError(await fcd(['check', notesServer(), '--profiles', unclosed]), 64, /notes\/write_note\.yaml:\d+:\d+/);
    const lint = await fcd(['profile', 'lint', '--profiles', broken]);
    expect(lint.stdout).toMatch(/notes\/write_note\.yaml:3:.*error/);
    expect(lint.code).toBe(1);
  });

  it('finds nothing to mend in the profiles that ship', async () => {
    const ran = await fcd(['profile', 'lint']);
    expect(ran.stdout).toMatch(/\d+ files: 0 errors/);
    expect(ran.code).toBe(0);
  });

  it('says which profiles there are when none speaks of the package', async () => {
    expectClearError(await fcd(['check', notesServer({ name: 'other-package' }), '--profiles', profiles]), 2, /no profile speaks of/, /pkg:pypi\/fixture-notes/, /--profiles DIR/);
    expectClearError(await fcd(['check', notesServer(), '--profiles', scratchFolder()]), 2, /no profile speaks of/);
  });

  it('says which versions a profile covers', async () => {
    const narrow = notesProfiles(NOTES_PROFILE.replace("packageVersions: '*'", "packageVersions: '>=2'"));
    expectClearError(await fcd(['check', notesServer(), '--profiles', narrow]), 2, />=2/, /1\.0\.0/);
  });

  it('lists the tools when one is not known', async () => {
    expectClearError(await fcd(['summarize', notesServer(), '--tool', 'wirte_note', '--profiles', profiles]), 64, /"wirte_note"/, /Did you mean "write_note"/);
  });

  it('refuses a profile for another language', async () => {
    const foreign = NOTES_PROFILE.replace('language: python', 'language: go').replaceAll('py:notestore', 'go:notestore');
    expectClearError(await fcd(['check', notesServer(), '--profiles', notesProfiles(foreign)]), 64, /notes\/write_note\.yaml:5:10/, /is not a package of go/);
    const inventories = notesProfiles(foreign.replace('pkg:pypi/fixture-notes', 'pkg:github/fixture/notes'));
    expectClearError(await fcd(['check', notesServer(), '--profiles', inventories]), 2, /no profile speaks of/, /pkg:github\/fixture\/notes/);
  });
});

describe('calls', () => {
  it('reads calls strictly', async () => {
    const server = notesServer();
    const decide = (call: string, ...more: readonly string[]): Promise<Ran> => fcd(['decide', '--source', server, '--target', server, ...CALL, '--call', call, ...more]);
    expectClearError(await decide('{"title": "a", "title": "b"}'), 64, /"title" appears twice/);
    expectClearError(await decide('{"title": "\\ud800"}'), 64, /surrogate/);
    expectClearError(await decide('{"title": 12345678901234567890}'), 64, /12345678901234567890/);
    expectClearError(await decide('["title"]'), 64, /JSON object/);
    expectClearError(await decide('{"title": '), 64, /--call:1:/);
    expectClearError(await decide('{}', '--input', 'repository=/srv'), 64, /names no input/, /option:repository=/);
    expectClearError(await decide('{}', '--input', 'dependency:mcp=new'), 64, /not a version/);
    expectClearError(await decide('{}', '--fact', 'is-a-branch=true'), 64, /no fact "is-a-branch"/);
  });
});

describe('handlers', () => {
  const check = (server: string): Promise<Ran> => fcd(['check', server, '--profiles', profiles]);

  it('stops at syntax of Python 2, with the line', async () => {
    const ran = await check(notesServer({ helper: '    print "writing", arguments["title"]\n    return "written"\n' }));
    expect(ran.stdout).toMatch(/\[syntax-error\]/);
    expect(ran.stdout).toMatch(/fixture_notes\/server\.py:8/);
    expect(ran.stdout).toMatch(/next:/);
    expect(ran.code).toBe(2);
  });

  it('stops at recursion, with the line', async () => {
    const helper = '    if arguments["title"] == "":\n        return "nothing"\n    return write_note(arguments)\n';
    const ran = await check(notesServer({ helper }));
    expect(ran.stdout).toMatch(/\[recursion\]/);
    expect(ran.stdout).toMatch(/fixture_notes\/server\.py:\d+/);
    expect(ran.code).toBe(2);
  });

  it('reads a handler of 10,000 lines', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `    if arguments.get("k${index % 7}") == "v${index}":\n        count = ${index}`);
    const helper = `    title = arguments["title"]\n    count = 0\n${lines.join('\n')}\n    notestore.put(title, "")\n    return "written"\n`;
    const ran = await check(notesServer({ helper }));
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('notes.write (text "", title)');
    expect(ran.code).toBe(0);
  });

  it('escalates what it cannot read, with the line and the next step', async () => {
    const ran = await check(notesServer({ helper: '    return eval(arguments["title"])\n' }));
    expect(ran.stdout).toMatch(/could not be decided/);
    expect(ran.stdout).toMatch(/fixture_notes\/server\.py:8/);
    expect(ran.stdout).toMatch(/next:/);
    expect(ran.code).toBe(2);
  });
});

describe('summaries that were made before', () => {
  it('are made again when they cannot be read', async () => {
    const cache = scratchFolder();
    const server = notesServer();
    const run = (): Promise<Ran> => fcd(['check', server, '--profiles', profiles, '--json'], { env: { FCD_CACHE: cache } });
    const first = await run();
    expect(first.code).toBe(0);
    const folder = join(cache, 'summaries');
    const files = readdirSync(folder);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.endsWith('.json'))).toEqual([]);
    for (const damage of ['', '{', '{"schema":1}', 'null']) {
      writeFiles(folder, Object.fromEntries(files.map((file) => [file, damage])));
      expect(await run()).toEqual(first);
    }
  });
});
