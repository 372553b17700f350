/**
 * Package URLs, parsed to a plain record and printed in one canonical form (so that two spellings of one release are one
 * cache key and one identity). Reading is strict: a sub-path with `..`, or a type-specific rule broken, is an error.
 */
import { PackageURL } from 'packageurl-js';
import { FcdError } from './errors.js';

export interface Purl {
  readonly type: string;
  readonly namespace?: string;
  readonly name: string;
  readonly version?: string;
  /** Sorted by key when printed. */
  readonly qualifiers: ReadonlyMap<string, string>;
  /** Folder inside the release, '' for its root. */
  readonly subpath: string;
}

export type PurlErrorCode = 'purl-syntax';

export class PurlError extends FcdError<PurlErrorCode> {}

export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}

export function parsePurl(text: string): Purl {
  const subpathText = text.includes('#') ? text.slice(text.indexOf('#') + 1) : '';
  if (subpathText.split('/').some((segment) => isDotSegment(decodeSegment(segment, text)))) {
    throw purlError(text, 'the sub-path after "#" has a "." or ".." segment');
  }
  let parsed: PackageURL;
  try {
    parsed = PackageURL.fromString(text);
  } catch (cause) {
    throw purlError(text, cause instanceof Error ? cause.message : 'it cannot be read', cause);
  }
  return {
    type: parsed.type,
    ...(parsed.namespace === undefined ? {} : { namespace: parsed.namespace }),
    name: parsed.type === 'pypi' ? normalizePypiName(parsed.name) : parsed.name,
    ...(parsed.version === undefined ? {} : { version: parsed.version }),
    qualifiers: new Map(Object.entries(parsed.qualifiers ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))),
    subpath: parsed.subpath ?? '',
  };
}

/** The canonical text. Parsing it gives the same record. */
export function formatPurl(purl: Purl): string {
  const qualifiers = purl.qualifiers.size === 0 ? undefined : Object.fromEntries(purl.qualifiers);
  try {
    return new PackageURL(purl.type, purl.namespace, purl.name, purl.version, qualifiers, purl.subpath === '' ? undefined : purl.subpath).toString();
  } catch (cause) {
    throw purlError(`${purl.type}/${purl.name}`, cause instanceof Error ? cause.message : 'it cannot be written', cause);
  }
}

/** PEP 503: runs of `-`, `_` and `.` are one `-`, letters are lower case. */
export function normalizePypiName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

function isDotSegment(segment: string): boolean {
  return segment === '.' || segment === '..' || segment.includes('/') || segment.includes('\\') || segment.includes('\0');
}

function decodeSegment(segment: string, text: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw purlError(text, 'it has a broken percent escape', cause);
  }
}

function purlError(text: string, why: string, cause?: unknown): PurlError {
  return new PurlError('purl-syntax', `"${text}" is not a package URL: ${why}`, {
    next: 'Write it as pkg:TYPE/NAMESPACE/NAME@VERSION, for example pkg:pypi/requests@2.32.3.',
    cause,
  });
}
