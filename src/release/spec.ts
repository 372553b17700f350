/** Reads how a user names a release: a purl, a git URL, or a path. Touches nothing; `acquire.ts` finds out what is there. */
import { formatPurl, isPurl, parsePurl, type Purl } from '../base/purl.js';
import { isVersion, normalizeVersion } from '../base/versions.js';
import { ReleaseError } from './errors.js';

export interface PypiSpec {
  readonly kind: 'pypi';
  /** Canonical; what identity and cache go by. */
  readonly purl: Purl;
  readonly name: string;
  readonly version: string;
  readonly artifact: 'wheel' | 'sdist' | 'preferred';
  /** `sha256:…` that the artifact must have. */
  readonly checksum?: string;
}

export interface GitSpec {
  readonly kind: 'git';
  readonly purl: Purl;
  /** Where to fetch from; may hold credentials or a path of this machine, so it never reaches an identity. */
  readonly url: string;
  /** Tag or commit id. */
  readonly ref: string;
}

export interface PathSpec {
  readonly kind: 'path';
  readonly path: string;
  readonly subpath: string;
}

export type ReleaseSpec = PypiSpec | GitSpec | PathSpec;

/** Purl types that are a git forge: the purl specification gives the host of each. */
const FORGE_HOSTS: ReadonlyMap<string, string> = new Map([
  ['github', 'github.com'],
  ['bitbucket', 'bitbucket.org'],
]);

export function parseReleaseSpec(text: string): ReleaseSpec {
  if (isPurl(text)) return specFromPurl(parsePurl(text), text);
  if (text.startsWith('git+')) return specFromGitUrl(text);
  const hash = text.lastIndexOf('#');
  const path = hash < 0 ? text : text.slice(0, hash);
  if (path === '')
    throw new ReleaseError('spec-invalid', `"${text}" names no release`, {
      next: 'Name a package URL such as pkg:pypi/NAME@VERSION, or a path such as ./checkout.',
    });
  return { kind: 'path', path, subpath: checkSubpath(hash < 0 ? '' : text.slice(hash + 1), text) };
}

function specFromPurl(purl: Purl, text: string): ReleaseSpec {
  if (purl.type === 'pypi') return pypiSpec(purl, text);
  const host = FORGE_HOSTS.get(purl.type);
  if (host !== undefined) {
    checkQualifiers(purl, []);
    if (purl.namespace === undefined)
      throw new ReleaseError('spec-invalid', `${text} names no owner`, { next: `Write it as pkg:${purl.type}/OWNER/REPOSITORY@TAG.` });
    return gitSpec(purl, `https://${host}/${purl.namespace}/${purl.name}.git`, text);
  }
  if (purl.type === 'generic' && purl.qualifiers.has('vcs_url')) {
    checkQualifiers(purl, ['vcs_url']);
    const spec = specFromGitUrl(purl.qualifiers.get('vcs_url') ?? '');
    return { ...spec, purl };
  }
  throw new ReleaseError('purl-type-unsupported', `releases of the type pkg:${purl.type} are not supported`, {
    next: 'Supported are pkg:pypi, pkg:github, pkg:bitbucket, pkg:generic with ?vcs_url=git+https://…, a git+https:// URL, and a path.',
  });
}

function pypiSpec(purl: Purl, text: string): PypiSpec {
  checkQualifiers(purl, ['artifact', 'checksum']);
  const example = `pkg:pypi/${purl.name}@VERSION`;
  if (purl.namespace !== undefined) throw new ReleaseError('spec-invalid', `${text}: PyPI has no namespaces`, { next: `Write it as ${example}.` });
  if (purl.version === undefined) throw new ReleaseError('version-needed', `${text} names no version`, { next: `Write it as ${example}.` });
  if (!isVersion('pypi', purl.version))
    throw new ReleaseError('version-missing', `${text}: "${purl.version}" is not a version as PEP 440 writes them`, { next: `Write it as ${example}.` });
  const artifact = purl.qualifiers.get('artifact') ?? 'preferred';
  if (artifact !== 'wheel' && artifact !== 'sdist' && artifact !== 'preferred') {
    throw new ReleaseError('qualifier-unsupported', `${text}: artifact is "${artifact}"`, {
      next: 'Write ?artifact=wheel or ?artifact=sdist, or leave it out.',
    });
  }
  const checksum = purl.qualifiers.get('checksum');
  if (checksum !== undefined && !/^sha256:[0-9a-f]{64}$/.test(checksum)) {
    throw new ReleaseError('qualifier-unsupported', `${text}: the checksum is not sha256: and 64 hex digits`, {
      next: 'Give the sha256 that the package index shows.',
    });
  }
  // Equal versions have several spellings (1.0 and v1.0.0-a1); the identity has one.
  const version = normalizeVersion('pypi', purl.version);
  return { kind: 'pypi', purl: { ...purl, version }, name: purl.name, version, artifact, ...(checksum === undefined ? {} : { checksum }) };
}

function gitSpec(purl: Purl, url: string, text: string): GitSpec {
  if (purl.version === undefined) throw new ReleaseError('version-needed', `${text} names no tag or commit`, { next: 'Add @TAG or @COMMIT.' });
  return { kind: 'git', purl, url, ref: checkRef(purl.version, text) };
}

/** `git+https://host/repo.git@ref#folder`, `git+ssh://…`, `git+file:///…`. */
function specFromGitUrl(text: string): GitSpec {
  const match = /^git\+(?<url>(?:https|ssh|file):\/\/[^#]+?)@(?<ref>[^@#:]+)(?:#(?<subpath>.*))?$/.exec(text);
  const { url, ref, subpath } = match?.groups ?? {};
  if (url === undefined || ref === undefined) {
    throw new ReleaseError('spec-invalid', 'this git URL cannot be read', {
      next: 'Write it as git+https://HOST/REPOSITORY.git@TAG-OR-COMMIT, with #FOLDER when the project is not at its root.',
    });
  }
  const name = (url.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(/\.git$/, '') || 'repository';
  const purl: Purl = {
    type: 'generic',
    name,
    version: checkRef(ref, text),
    qualifiers: new Map(url.startsWith('file:') ? [] : [['vcs_url', `git+${withoutCredentials(url)}@${ref}`]]),
    subpath: checkSubpath(subpath ?? '', text),
  };
  return { kind: 'git', purl, url, ref };
}

function withoutCredentials(url: string): string {
  return url.replace(/^(https:\/\/)[^/@]*@/, '$1');
}

/** The rules of git-check-ref-format that matter for a name that is handed to git. */
function checkRef(ref: string, text: string): string {
  if (ref.startsWith('-') || ref.endsWith('/') || ref.endsWith('.lock') || ref.includes('..') || ref.includes('@{') || /[\p{Cc} ~^:?*[\\]/u.test(ref)) {
    throw new ReleaseError('spec-invalid', `${text}: "${ref}" cannot be a tag or a commit`, { next: 'Name a tag or a commit id.' });
  }
  return ref;
}

function checkSubpath(subpath: string, text: string): string {
  const trimmed = subpath.replace(/\/+$/, '');
  if (trimmed === '') return '';
  if (trimmed.startsWith('/') || trimmed.includes('\\') || trimmed.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new ReleaseError('spec-invalid', `${text}: the folder after "#" must be a plain path inside the release`, { next: 'Write it as #folder/inside.' });
  }
  return trimmed;
}

function checkQualifiers(purl: Purl, known: readonly string[]): void {
  const unknown = [...purl.qualifiers.keys()].filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  throw new ReleaseError('qualifier-unsupported', `${formatPurl(purl)} has qualifiers that are not supported: ${unknown.join(', ')}`, {
    next: known.length === 0 ? 'Leave them out.' : `Supported here: ${known.join(', ')}.`,
  });
}
