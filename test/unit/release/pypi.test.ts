/** The whole way through the user's pip, against an index of our own on this machine. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireRelease, type AcquireOptions } from '../../../src/release/acquire.js';
import { tarGz, zip } from './archives.js';
import { refusal, refusalCode, useScratchFolder } from './scratch.js';

const scratch = useScratchFolder();

const WHEEL = zip([
  { path: 'demo/__init__.py', body: 'wheel' },
  { path: 'demo-1.1.dist-info/METADATA', body: 'Name: demo\nVersion: 1.1\nRequires-Dist: lib>=2\n' },
]);
const SDIST = tarGz([
  { path: 'demo-1.1/setup.py', body: 'raise SystemExit("this must never run")' },
  { path: 'demo-1.1/demo/__init__.py', body: 'sdist' },
  { path: 'demo-1.1/uv.lock', body: '[[package]]\nname = "lib"\nversion = "2.5"\n' },
]);
const hexOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

let server: Server;
let requests: string[];
/** What the index has, by path. A test may replace an answer. */
let answers: Map<string, (response: ServerResponse) => void>;
/** That of the last request for the project's page. */
let authorization: string | undefined;

const bytes =
  (body: Buffer | string, type = 'application/octet-stream') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': type }).end(body);
  };
const status = (code: number) => (response: ServerResponse) => {
  response.writeHead(code).end();
};

function page(files: Record<string, string>): (response: ServerResponse) => void {
  const listed = Object.entries(files).map(([filename, sha256]) => ({ filename, url: `/files/${filename}`, hashes: { sha256 } }));
  return bytes(JSON.stringify({ meta: { 'api-version': '1.1' }, name: 'demo', files: listed }), 'application/vnd.pypi.simple.v1+json');
}

beforeEach(async () => {
  requests = [];
  authorization = undefined;
  answers = new Map([
    [
      '/simple/demo/',
      page({
        'demo-1.0.tar.gz': '0'.repeat(64),
        'demo-1.1-py3-none-any.whl': hexOf(WHEEL),
        'demo-1.1.tar.gz': hexOf(SDIST),
        'demo-1.2-cp311-cp311-manylinux_2_17_x86_64.whl': '0'.repeat(64),
        'demo_other-1.1.tar.gz': '0'.repeat(64),
      }),
    ],
    ['/files/demo-1.1-py3-none-any.whl', bytes(WHEEL)],
    ['/files/demo-1.1.tar.gz', bytes(SDIST)],
  ]);
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/simple/demo/') authorization = request.headers.authorization;
    (answers.get(request.url ?? '') ?? status(404))(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function options(extra: AcquireOptions = {}, env: NodeJS.ProcessEnv = {}): AcquireOptions {
  const { port } = server.address() as AddressInfo;
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:PIP_|https?_proxy$|all_proxy$)/i.test(name)));
  return {
    cacheDir: join(scratch(), 'cache'),
    env: { ...own, PIP_CONFIG_FILE: '/dev/null', PIP_RETRIES: '0', PIP_INDEX_URL: `http://127.0.0.1:${port}/simple`, ...env },
    ...extra,
  };
}

const text = async (spec: string, extra: AcquireOptions = options()): Promise<string> =>
  (await (await acquireRelease(spec, extra)).read('demo/__init__.py')).toString();

describe('a PyPI release', () => {
  it('is its pure wheel, with the lock file of its source archive', async () => {
    const release = await acquireRelease('pkg:pypi/Demo@1.1', options());
    expect(release.identity.purl).toBe('pkg:pypi/demo@1.1');
    expect(release.identity.artifact).toBe(`sha256:${hexOf(WHEEL)}`);
    expect((await release.read('demo/__init__.py')).toString()).toBe('wheel');
    expect(release.dependencies).toMatchObject([
      { name: 'lib', declared: '>=2', locked: '2.5', from: { path: 'uv.lock', artifact: `sha256:${hexOf(SDIST)}` } },
    ]);
    expect([release.name, release.version, release.subpath]).toEqual(['demo', '1.1', '']);
  });

  it('is its source archive when asked for; nothing of it runs', async () => {
    expect(await text('pkg:pypi/demo@1.1?artifact=sdist')).toBe('sdist');
  });

  it('is its source archive when the wheel is compiled or for Python 2', async () => {
    answers.set(
      '/simple/demo/',
      page({ 'demo-1.1-cp311-cp311-macosx_11_0_arm64.whl': hexOf(WHEEL), 'demo-1.1-py2-none-any.whl': hexOf(WHEEL), 'demo-1.1.tar.gz': hexOf(SDIST) }),
    );
    expect(await text('pkg:pypi/demo@1.1')).toBe('sdist');
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.2', options()))).toBe('version-missing');
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1?artifact=wheel', options({ cacheDir: join(scratch(), 'other') })))).toBe(
      'artifact-missing',
    );
  });

  it('comes from the cache the second time, and offline', async () => {
    const online = await acquireRelease('pkg:pypi/demo@1.1', options());
    const before = requests.length;
    const again = await acquireRelease('pkg:pypi/demo@1.1', options());
    const offline = await acquireRelease('pkg:pypi/demo@1.1#demo', options({ offline: true }));
    expect(requests).toHaveLength(before);
    expect(again.identity).toEqual(online.identity);
    expect(again.dependencies).toEqual(online.dependencies);
    expect([offline.identity.tree, offline.subpath]).toEqual([online.identity.tree, 'demo']);
    const missing = await refusal(() => acquireRelease('pkg:pypi/demo@1.0', options({ offline: true })));
    expect(missing.code).toBe('not-cached');
    expect(missing.next).toContain('without --offline');
    expect(missing.next).toContain('pkg:pypi/demo@1.0');
    expect(requests).toHaveLength(before);
  });

  it('is read from an index that has only HTML', async () => {
    const html = `<!DOCTYPE html><html><head><title>x &amp; y</title></head><body><a href="../../files/demo-1.1.tar.gz#sha256=${hexOf(SDIST)}" data-requires-python="&gt;=3.8">demo-1.1.tar.gz</a><br/><a href="../../files/no-hash-1.1.tar.gz">demo-1.1.zip</a></body></html>`;
    answers.set('/simple/demo/', bytes(html, 'text/html; charset=utf-8'));
    expect(await text('pkg:pypi/demo@1.1')).toBe('sdist');
  });

  it('is asked for with the credentials of the configuration, which reach no error', async () => {
    const { port } = server.address() as AddressInfo;
    const env = { PIP_INDEX_URL: `http://user:secret@127.0.0.1:${port}/simple` };
    await acquireRelease('pkg:pypi/demo@1.1', options({}, env));
    expect(authorization).toBe(`Basic ${Buffer.from('user:secret').toString('base64')}`);
    answers.set('/simple/demo/', status(401));
    const refused = await refusal(() => acquireRelease('pkg:pypi/demo@1.0', options({}, env)));
    expect(refused.code).toBe('registry-refused');
    expect(JSON.stringify([refused.message, refused.next])).not.toContain('secret');
  });
});

describe('what goes wrong with a PyPI release', () => {
  it('no such project, no such version (with the nearest), only compiled artifacts', async () => {
    expect(await refusalCode(() => acquireRelease('pkg:pypi/missing@1', options()))).toBe('package-missing');
    const version = await refusal(() => acquireRelease('pkg:pypi/demo@1.0.5', options()));
    expect([version.code, version.next]).toEqual(['version-missing', 'Nearest published versions: 1.0, 1.1, 1.2.']);
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.2', options()))).toBe('artifact-missing');
  });

  it('bytes that are not those promised, and nothing of them stays', async () => {
    answers.set('/files/demo-1.1-py3-none-any.whl', bytes(SDIST));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options()))).toBe('digest-mismatch');
    const cache = join(scratch(), 'cache/v1');
    expect((await Promise.all(['tmp', 'trees', 'artifacts', 'releases'].map((name) => readdir(join(cache, name))))).flat()).toEqual([]);
  });

  it('a checksum of the purl that the index does not have', async () => {
    expect(await refusalCode(() => acquireRelease(`pkg:pypi/demo@1.1?checksum=sha256:${'0'.repeat(64)}`, options()))).toBe('digest-mismatch');
    expect(await text(`pkg:pypi/demo@1.1?checksum=sha256:${hexOf(WHEEL)}`)).toBe('wheel');
  });

  it('an index that is not there, fails, or talks nonsense', async () => {
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({}, { PIP_INDEX_URL: 'http://127.0.0.1:9/simple' })))).toBe(
      'registry-unreachable',
    );
    answers.set('/simple/demo/', status(503));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options()))).toBe('registry-unreachable');
    answers.set('/simple/demo/', status(410));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options()))).toBe('registry-refused');
    answers.set('/simple/demo/', bytes('{', 'application/vnd.pypi.simple.v1+json'));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options()))).toBe('registry-inconsistent');
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({}, { PIP_NO_INDEX: '1' })))).toBe('registry-refused');
  });

  it('an index page that names a file of this machine', async () => {
    answers.set('/simple/demo/', bytes(`<a href="file:///etc/demo-1.1.tar.gz#sha256=${'0'.repeat(64)}">demo-1.1.tar.gz</a>`, 'text/html'));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options()))).toBe('registry-inconsistent');
  });

  it('two indexes that disagree', async () => {
    const { port } = server.address() as AddressInfo;
    answers.set('/extra/demo/', page({ 'demo-1.1-py3-none-any.whl': '1'.repeat(64) }));
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({}, { PIP_EXTRA_INDEX_URL: `http://127.0.0.1:${port}/extra` })))).toBe(
      'registry-inconsistent',
    );
  });

  it('no Python, a Python without pip, cancelling', async () => {
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({}, { FCD_PYTHON: join(scratch(), 'python') })))).toBe('tool-missing');
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({}, { FCD_PYTHON: 'false' })))).toBe('tool-missing');
    const controller = new AbortController();
    answers.set('/simple/demo/', () => {
      controller.abort();
    });
    expect(await refusalCode(() => acquireRelease('pkg:pypi/demo@1.1', options({ signal: controller.signal })))).toBe('cancelled');
  });
});
