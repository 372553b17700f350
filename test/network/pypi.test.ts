/** Real releases from the package index that this machine's pip is set up for. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acquireRelease } from '../../src/release/acquire.js';
import { ReleaseError } from '../../src/release/errors.js';

let cacheDir = '';
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'fcd-network-'));
});
afterAll(async () => {
  await rm(cacheDir, { recursive: true, force: true });
});

describe('releases of the real package index', () => {
  it('a wheel with the lock of its source archive, again from the cache, again offline', async () => {
    const purl = 'pkg:pypi/mcp-server-git@2025.12.18';
    const release = await acquireRelease(purl, { cacheDir });
    expect(release.identity).toEqual({
      purl,
      artifact: 'sha256:1392a40b3f68e3949a52f3ebcbf2a2beab9936b1943eef859e5f5319806b3c2a',
      tree: 'sha256:9f48364f2d80bf074776ec8ddd3f4a8d8acccee1836ba62babcbd9bc6111442a',
    });
    expect(release.files.map((file) => file.path)).toContain('mcp_server_git/server.py');
    expect(release.dependencies.find((dependency) => dependency.name === 'gitpython')).toMatchObject({
      declared: '>=3.1.45',
      locked: '3.1.45',
      from: { path: 'uv.lock' },
    });
    expect(await acquireRelease(purl, { cacheDir, offline: true })).toMatchObject({ identity: release.identity, dependencies: release.dependencies });
  });

  it('a source archive', async () => {
    const release = await acquireRelease('pkg:pypi/mcp-server-git@0.2.0?artifact=sdist', { cacheDir });
    expect(release.files.map((file) => file.path)).toContain('src/mcp_server_git/__init__.py');
    expect(release.identity.artifact).toBe('sha256:0e11e3336bb9a1ec59fbf0b1582c7e53a0087527ca98fc3ece81116645d88ca7');
  });

  it('another project', async () => {
    const release = await acquireRelease('pkg:pypi/mcp-server-fetch@2025.1.17', { cacheDir });
    expect(release.files.map((file) => file.path)).toContain('mcp_server_fetch/server.py');
  });

  it('a version that there is not, with the nearest that there are', async () => {
    const error: unknown = await acquireRelease('pkg:pypi/mcp-server-git@2025.12.19', { cacheDir }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ReleaseError);
    expect(error).toMatchObject({ code: 'version-missing', next: expect.stringContaining('2025.12.18') });
  });
});
