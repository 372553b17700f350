/** Reads pages of a Python package index (PEP 691 JSON, PEP 503 HTML) and chooses the artifacts of one version. No IO. */
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { NEAREST_VERSIONS_MAX } from '../base/limits.js';
import { parseJsonStrict } from '../base/parse-json.js';
import { normalizePypiName } from '../base/purl.js';
import { compareVersions, isVersion } from '../base/versions.js';
import { ReleaseError } from './errors.js';

export interface IndexFile {
  readonly name: string;
  readonly url: string;
  /** Hex. Files without one are left out: they could not be verified. */
  readonly sha256: string;
  readonly version: string;
  readonly form: 'pure-wheel' | 'other-wheel' | 'sdist';
}

export function readIndexPage(body: string, contentType: string, pageUrl: string, project: string): IndexFile[] {
  const rows = contentType.includes('json') ? readJsonRows(body) : readHtmlRows(body);
  const files: IndexFile[] = [];
  for (const row of rows) {
    const described = describeFileName(row.name, project);
    if (described === undefined || row.sha256 === undefined || !/^[0-9a-f]{64}$/.test(row.sha256)) continue;
    files.push({ ...described, name: row.name, sha256: row.sha256, url: resolveUrl(row.url, row.base ?? pageUrl, pageUrl) });
  }
  return files;
}

/** Joins the pages of several indexes. One name with two contents is refused: it could be either. */
export function mergeIndexFiles(pages: readonly (readonly IndexFile[])[]): IndexFile[] {
  const merged = new Map<string, IndexFile>();
  for (const file of pages.flat()) {
    const before = merged.get(file.name);
    if (before !== undefined && before.sha256 !== file.sha256) {
      throw new ReleaseError('registry-inconsistent', `the configured package indexes offer two different files named ${file.name}`, {
        next: 'Add ?checksum=sha256:… to the purl only after removing one of the indexes from the configuration of pip.',
      });
    }
    if (before === undefined) merged.set(file.name, file);
  }
  return [...merged.values()];
}

export function filesOfVersion(files: readonly IndexFile[], version: string): IndexFile[] {
  return files.filter((file) => compareVersions('pypi', file.version, version) === 0);
}

export interface ChosenFiles {
  readonly main: IndexFile;
  /** The sdist beside a wheel: lock files are usually only there. */
  readonly companion?: IndexFile;
}

/** The pure wheel, which is what users install, else the sdist. A wheel with compiled parts, or for Python 2, is not the source. */
export function chooseFiles(files: readonly IndexFile[], want: 'wheel' | 'sdist' | 'preferred'): ChosenFiles | undefined {
  const byName = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  const wheel = byName.find((file) => file.form === 'pure-wheel');
  const sdist = byName.find((file) => file.form === 'sdist' && file.name.endsWith('.tar.gz')) ?? byName.find((file) => file.form === 'sdist');
  if (want !== 'sdist' && wheel !== undefined) return { main: wheel, ...(sdist === undefined ? {} : { companion: sdist }) };
  if (want !== 'wheel' && sdist !== undefined) return { main: sdist };
  return undefined;
}

/** The published versions around one that is missing, oldest first. */
export function nearestVersions(files: readonly IndexFile[], version: string): string[] {
  const versions = [...new Set(files.map((file) => file.version))].sort((left, right) => compareVersions('pypi', left, right));
  const at = versions.findIndex((candidate) => compareVersions('pypi', candidate, version) > 0);
  const middle = at < 0 ? versions.length : at;
  const start = Math.max(0, Math.min(middle - Math.ceil(NEAREST_VERSIONS_MAX / 2), versions.length - NEAREST_VERSIONS_MAX));
  return versions.slice(start, start + NEAREST_VERSIONS_MAX);
}

interface Row {
  readonly name: string;
  readonly url: string;
  readonly sha256: string | undefined;
  readonly base?: string;
}

function readJsonRows(body: string): Row[] {
  let page: JsonValue;
  try {
    page = parseJsonStrict(body, { file: 'index page' });
  } catch (cause) {
    throw unreadable(cause);
  }
  const files = isObject(page) ? page['files'] : undefined;
  if (!Array.isArray(files)) throw unreadable();
  return (files as readonly JsonValue[]).filter(isObject).flatMap((file) => {
    const { filename, url, hashes } = file;
    if (typeof filename !== 'string' || typeof url !== 'string') return [];
    const sha256 = hashes !== undefined && isObject(hashes) ? hashes['sha256'] : undefined;
    return [{ name: filename, url, sha256: typeof sha256 === 'string' ? sha256 : undefined }];
  });
}

function readHtmlRows(body: string): Row[] {
  const base = /<base\b[^>]*\bhref\s*=\s*["']([^"']*)["']/i.exec(body)?.[1];
  return [...body.matchAll(/<a\b([^>]*)>([^<]*)<\/a\s*>/gi)].flatMap((match) => {
    const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(match[1] ?? '');
    const url = decodeEntities(href?.[1] ?? href?.[2] ?? '');
    const fragment = /#(?:.*&)?sha256=([0-9a-f]{64})/.exec(url);
    if (url === '') return [];
    return [
      {
        name: decodeEntities(match[2] ?? '').trim(),
        url: url.replace(/#.*$/, ''),
        sha256: fragment?.[1],
        ...(base === undefined ? {} : { base: decodeEntities(base) }),
      },
    ];
  });
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number.parseInt(decimal, 10));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name?.toLowerCase() ?? ''] ?? whole;
  });
}

/** A page from the network must not name files of this machine. */
function resolveUrl(url: string, base: string, pageUrl: string): string {
  let resolved: URL;
  try {
    resolved = new URL(url, new URL(base, pageUrl));
  } catch (cause) {
    throw unreadable(cause);
  }
  if (resolved.protocol !== 'https:' && resolved.protocol !== 'http:') throw unreadable();
  return resolved.href;
}

/** `name-version-python-abi-platform.whl` (PEP 427) and `name-version.tar.gz` (PEP 625, and older looser spellings). */
function describeFileName(fileName: string, project: string): Pick<IndexFile, 'version' | 'form'> | undefined {
  const wheel = /^(?<name>[^-]+)-(?<version>[^-]+)(?:-\d[^-]*)?-(?<python>[^-]+)-(?<abi>[^-]+)-(?<platform>[^-]+)\.whl$/.exec(fileName)?.groups;
  if (wheel !== undefined) {
    const { name = '', version = '', python = '', abi, platform } = wheel;
    if (normalizePypiName(name) !== project || !isVersion('pypi', version)) return undefined;
    const isPure = abi === 'none' && platform === 'any' && python.split('.').some((tag) => /^(?:py|cp)3/.test(tag));
    return { version, form: isPure ? 'pure-wheel' : 'other-wheel' };
  }
  const stem = /^(.*)\.(?:tar\.gz|zip)$/.exec(fileName)?.[1];
  if (stem === undefined) return undefined;
  for (let dash = stem.indexOf('-'); dash > 0; dash = stem.indexOf('-', dash + 1)) {
    const version = stem.slice(dash + 1);
    if (normalizePypiName(stem.slice(0, dash)) === project && isVersion('pypi', version)) return { version, form: 'sdist' };
  }
  return undefined;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(cause?: unknown): ReleaseError {
  return new ReleaseError('registry-inconsistent', 'the page of the package index cannot be read', {
    next: 'Check that index-url of pip names a package index.',
    cause,
  });
}
