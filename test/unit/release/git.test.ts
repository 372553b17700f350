import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { acquireRelease, type AcquireOptions } from '../../../src/release/acquire.js';
import { MODE_EXECUTABLE, MODE_FILE, MODE_LINK } from '../../../src/release/tree.js';
import { refusal, refusalCode, useScratchFolder } from './scratch.js';

const scratch = useScratchFolder();
const repository = (): string => join(scratch(), 'upstream.git');

/** The user's configuration, with a mirror for a forge and a filter that would change files on checkout. */
function environment(): NodeJS.ProcessEnv {
  const settings = [
    [`url.${pathToFileURL(scratch()).href}/.insteadOf`, 'https://github.com/owner/'],
    ['filter.shout.smudge', 'tr a-z A-Z'],
    ['core.autocrlf', 'true'],
  ];
  return {
    PATH: process.env['PATH'],
    HOME: scratch(),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

function git(...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch(),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return execFileSync('git', args, { cwd: repository(), env, encoding: 'utf8' }).trim();
}

const options = (extra: AcquireOptions = {}): AcquireOptions => ({ cacheDir: join(scratch(), 'cache'), env: environment(), ...extra });

beforeEach(async () => {
  await mkdir(join(repository(), 'src/tool'), { recursive: true });
  git('init', '--quiet', '--initial-branch=main', '.');
  await writeFile(join(repository(), 'src/tool/main.py'), 'print("one")\n');
  await writeFile(join(repository(), 'src/tool/pyproject.toml'), '[project]\nname = "tool"\ndependencies = ["click>=8"]\n');
  await writeFile(join(repository(), 'run.sh'), 'echo\n');
  await writeFile(join(repository(), 'hidden.py'), 'y = 2\n');
  await writeFile(join(repository(), '.gitattributes'), '*.py filter=shout\nhidden.py export-ignore\n');
  await chmod(join(repository(), 'run.sh'), 0o755);
  await symlink('run.sh', join(repository(), 'link.sh'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  git('tag', 'v1');
  git('tag', '-a', '-m', 'annotated', 'v1-annotated');
  await writeFile(join(repository(), 'src/tool/main.py'), 'print("two")\n');
  git('commit', '--quiet', '-am', 'two');
  git('tag', 'v2');
});

describe('a git release', () => {
  it('is fetched through the configured mirror, as committed, whatever filters and attributes say', async () => {
    const mirrored = await acquireRelease('pkg:github/owner/upstream@v1#src/tool', options());
    expect(mirrored.files.map((file) => [file.path, file.mode])).toEqual([
      ['.gitattributes', MODE_FILE],
      ['hidden.py', MODE_FILE],
      ['link.sh', MODE_LINK],
      ['run.sh', MODE_EXECUTABLE],
      ['src/tool/main.py', MODE_FILE],
      ['src/tool/pyproject.toml', MODE_FILE],
    ]);
    expect((await mirrored.read('src/tool/main.py')).toString()).toBe('print("one")\n');
    expect((await mirrored.read('link.sh')).toString()).toBe('echo\n');
    expect([mirrored.name, mirrored.version, mirrored.subpath]).toEqual(['upstream', 'v1', 'src/tool']);
    expect(mirrored.dependencies.map((dependency) => dependency.name)).toEqual(['click']);
    expect(mirrored.identity.purl).toBe('pkg:github/owner/upstream@v1#src/tool');
    expect(mirrored.identity.artifact).toMatch(/^gitCommit:[0-9a-f]{40}$/);
  });

  it('is one identity by tag, annotated tag, commit and shortened commit, and never a path', async () => {
    const url = `git+${pathToFileURL(repository()).href}`;
    const commit = git('rev-parse', 'v1');
    const releases = [];
    for (const ref of ['v1', 'v1-annotated', commit, commit.slice(0, 10)]) releases.push(await acquireRelease(`${url}@${ref}`, options()));
    for (const release of releases) {
      expect(release.identity.artifact).toBe(`gitCommit:${commit}`);
      expect(release.identity.tree).toBe(releases[0]?.identity.tree);
      expect(JSON.stringify(release)).not.toContain(scratch());
    }
    expect((await acquireRelease(`${url}@v2`, options())).identity.tree).not.toBe(releases[0]?.identity.tree);
  });

  it('is read from the cache offline, and is an error when it is not there', async () => {
    const url = `git+${pathToFileURL(repository()).href}`;
    const online = await acquireRelease(`${url}@v1`, options());
    await rename(repository(), `${repository()}-gone`);
    const offline = await acquireRelease(`${url}@v1`, options({ offline: true }));
    expect(offline.identity).toEqual(online.identity);
    expect((await acquireRelease(`${url}@${online.identity.artifact!.slice('gitCommit:'.length)}`, options({ offline: true }))).identity.tree).toBe(
      online.identity.tree,
    );
    expect(await refusalCode(() => acquireRelease(`${url}@v2`, options({ offline: true })))).toBe('not-cached');
    expect(await refusalCode(() => acquireRelease(`${url}@v2`, options()))).toBe('git-failed');
    expect(await readdir(join(scratch(), 'cache/v1/tmp'))).toEqual([]);
  });

  it('that follows a moved tag is the new commit', async () => {
    const url = `git+${pathToFileURL(repository()).href}`;
    await acquireRelease(`${url}@v1`, options());
    git('tag', '--force', 'v1', 'v2');
    expect((await acquireRelease(`${url}@v1`, options())).identity.artifact).toBe(`gitCommit:${git('rev-parse', 'v2')}`);
  });

  it('must be a tag or a commit', async () => {
    const url = `git+${pathToFileURL(repository()).href}`;
    const branch = await refusal(() => acquireRelease(`${url}@main`, options()));
    expect(branch.code).toBe('version-missing');
    expect(branch.next).toContain('v1');
    expect(await refusalCode(() => acquireRelease(`${url}@${'0'.repeat(40)}`, options()))).toBe('version-missing');
    expect(await refusalCode(() => acquireRelease(`${url}@deadbeef`, options()))).toBe('version-missing');
  });

  it('with a link out of the tree is refused', async () => {
    await symlink('../../outside', join(repository(), 'out'));
    git('add', '.');
    git('commit', '--quiet', '-m', 'out');
    git('tag', 'bad');
    expect(await refusalCode(() => acquireRelease(`git+${pathToFileURL(repository()).href}@bad`, options()))).toBe('member-link-unsafe');
  });

  it('does not run a hook of the user, and does not obey variables of a surrounding hook', async () => {
    const release = await acquireRelease(
      `git+${pathToFileURL(repository()).href}@v1`,
      options({ env: { ...environment(), GIT_DIR: join(scratch(), 'elsewhere'), GIT_INDEX_FILE: 'x' } }),
    );
    expect(release.files).toHaveLength(6);
  });

  it('needs git', async () => {
    expect(await refusalCode(() => acquireRelease('pkg:github/owner/upstream@v1', options({ env: { PATH: scratch() } })))).toBe('tool-missing');
  });
});
