import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireRelease } from '../../../src/release/acquire.js';
import { tarGz, zip } from './archives.js';
import { refusal, refusalCode, useScratchFolder } from './scratch.js';

const scratch = useScratchFolder();

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(scratch(), path)), { recursive: true });
    await writeFile(join(scratch(), path), text);
  }
}

const options = (): { cacheDir: string; workingDirectory: string; env: Record<string, string> } => ({
  cacheDir: join(scratch(), 'cache'),
  workingDirectory: scratch(),
  env: {},
});

const PYPROJECT = '[project]\nname = "Demo.Tool"\nversion = "1.2"\ndependencies = ["GitPython>=3.1", "click"]\n';
const LOCK =
  'version = 1\n[[package]]\nname = "gitpython"\nversion = "3.1.50"\n[[package]]\nname = "demo-tool"\nversion = "1.2"\nsource = { editable = "." }\n';

describe('a folder', () => {
  it('is identified by its files and not by its path', async () => {
    await write({
      'one/a.py': 'x',
      'one/pyproject.toml': PYPROJECT,
      'one/uv.lock': LOCK,
      'two/a.py': 'x',
      'two/pyproject.toml': PYPROJECT,
      'two/uv.lock': LOCK,
    });
    const one = await acquireRelease('./one', options());
    const two = await acquireRelease(join(scratch(), 'two'), options());
    expect(one.identity).toEqual({ purl: `dir:${one.identity.tree}`, tree: one.identity.tree });
    expect(two.identity).toEqual(one.identity);
    expect(JSON.stringify(one)).not.toContain(scratch());
    expect(one.name).toBe('Demo.Tool');
    expect(one.version).toBe('1.2');
    expect((await one.read('a.py')).toString()).toBe('x');
    const lock = one.files.find((file) => file.path === 'uv.lock');
    expect(one.dependencies).toEqual([
      {
        name: 'click',
        ecosystem: 'pypi',
        declared: '*',
        from: { path: 'pyproject.toml', sha256: one.files.find((file) => file.path === 'pyproject.toml')?.sha256 },
      },
      { name: 'gitpython', ecosystem: 'pypi', declared: '>=3.1', locked: '3.1.50', from: { path: 'uv.lock', sha256: lock?.sha256 } },
    ]);
  });

  it('leaves out version control, installed packages and caches of tools, and nothing else', async () => {
    await write({
      'd/.git/HEAD': '',
      'd/sub/.git': 'gitdir: x',
      'd/sub/node_modules/x/y.js': '',
      'd/a/__pycache__/a.pyc': '',
      'd/env/pyvenv.cfg': '',
      'd/env/lib/x.py': '',
      'd/.github/x.yml': '',
      'd/.env': '',
      'd/sub/x.py': '',
    });
    expect((await acquireRelease('./d', options())).files.map((file) => file.path)).toEqual(['.env', '.github/x.yml', 'sub/x.py']);
  });

  it('has a project below its root', async () => {
    await write({ 'd/src/tool/pyproject.toml': PYPROJECT, 'd/uv.lock': LOCK });
    const release = await acquireRelease('./d#src/tool/', options());
    expect([release.subpath, release.name, release.identity.purl]).toEqual(['src/tool', 'Demo.Tool', `dir:${release.identity.tree}#src/tool`]);
    // A workspace has one lock at its root.
    expect(release.dependencies.find((dependency) => dependency.name === 'gitpython')?.locked).toBe('3.1.50');
    expect(await refusalCode(() => acquireRelease('./d#src/other', options()))).toBe('path-missing');
    expect(await refusalCode(() => acquireRelease('./d#../d', options()))).toBe('spec-invalid');
  });

  it('that changes while it is read is an error', async () => {
    await write({ 'd/a.py': 'x', 'd/b.py': 'x' });
    const release = await acquireRelease('./d', options());
    await write({ 'd/a.py': 'y' });
    expect(await refusalCode(() => release.read('a.py'))).toBe('file-changed');
    expect((await release.read('b.py')).toString()).toBe('x');
    expect(await refusalCode(() => release.read('c.py'))).toBe('file-missing');
  });

  it('may link inside and not outside', async () => {
    await write({ 'd/a.py': 'x', 'secret.py': 's' });
    await symlink('a.py', join(scratch(), 'd/l.py'));
    await symlink('l.py', join(scratch(), 'd/l2.py'));
    await symlink('loop.py', join(scratch(), 'd/loop.py'));
    const release = await acquireRelease('./d', options());
    expect((await release.read('l2.py')).toString()).toBe('x');
    expect(await refusalCode(() => release.read('loop.py'))).toBe('file-missing');
    await symlink('../secret.py', join(scratch(), 'd/out.py'));
    expect(await refusalCode(() => acquireRelease('./d', options()))).toBe('member-link-unsafe');
  });

  it('that is not there is an error that names it as the user did', async () => {
    const error = await refusal(() => acquireRelease('./nowhere', options()));
    expect([error.code, error.place, error.message.includes(scratch())]).toEqual(['path-missing', { file: './nowhere' }, false]);
  });
});

describe('an archive file', () => {
  it('is identified by its digest, and cached', async () => {
    await writeFile(
      join(scratch(), 'demo-1.2.tar.gz'),
      tarGz([
        { path: 'demo-1.2/pyproject.toml', body: PYPROJECT },
        { path: 'demo-1.2/a.py', body: 'x' },
      ]),
    );
    const release = await acquireRelease('./demo-1.2.tar.gz', options());
    expect(release.identity.purl).toBe(`pkg:generic/demo-1.2.tar.gz?checksum=${(release.identity.artifact ?? '').replace(':', '%3A')}`);
    expect(release.files.map((file) => file.path)).toEqual(['a.py', 'pyproject.toml']);
    expect((await acquireRelease('./demo-1.2.tar.gz', options())).identity).toEqual(release.identity);
  });

  it('in an unknown format is refused', async () => {
    await write({ 'a.rar': '' });
    expect(await refusalCode(() => acquireRelease('./a.rar', options()))).toBe('archive-unsupported');
  });

  it('with two METADATA files, or metadata that cannot be read, is refused', async () => {
    await writeFile(join(scratch(), 'a.whl'), zip([{ path: 'a-1.dist-info/METADATA' }, { path: 'b-1.dist-info/METADATA' }]));
    expect(await refusalCode(() => acquireRelease('./a.whl', options()))).toBe('metadata-unreadable');
    await writeFile(join(scratch(), 'b.whl'), zip([{ path: 'a-1.dist-info/METADATA', body: 'Requires-Dist: a ^1.0\n\n' }]));
    expect(await refusalCode(() => acquireRelease('./b.whl', options()))).toBe('metadata-unreadable');
    await write({ 'd/pyproject.toml': '[project\n' });
    expect((await refusal(() => acquireRelease('./d', options()))).place).toEqual({ file: 'pyproject.toml' });
  });
});
