/** What can go wrong while a release is acquired: one class, a closed set of codes, each with what to do next. */
import { FcdError } from '../base/errors.js';

export type ReleaseErrorCode =
  /** The spec is neither a purl, a git URL nor a path, or breaks the rules of its form. */
  | 'spec-invalid'
  | 'purl-type-unsupported'
  | 'qualifier-unsupported'
  /** The purl names no version; a release is always one version. */
  | 'version-needed'
  | 'path-missing'
  | 'package-missing'
  | 'version-missing'
  /** The version exists, but not in a form whose source can be read. */
  | 'artifact-missing'
  | 'registry-unreachable'
  /** The registry answered with an error or asked for credentials. */
  | 'registry-refused'
  /** Two indexes offer different files under one name, or a page cannot be read. */
  | 'registry-inconsistent'
  /** A program that is needed (python3 with pip, git) is not there or too old. */
  | 'tool-missing'
  | 'git-failed'
  | 'not-cached'
  /** The cache does not hold what its digests say. */
  | 'cache-corrupt'
  | 'cache-unusable'
  /** Downloaded bytes are not those that were promised. */
  | 'digest-mismatch'
  | 'archive-unreadable'
  | 'archive-unsupported'
  | 'member-path-unsafe'
  | 'member-link-unsafe'
  | 'member-kind-unsupported'
  | 'member-duplicate'
  | 'member-collision'
  | 'limit-exceeded'
  | 'file-missing'
  /** A file of a folder release changed after its digest was taken. */
  | 'file-changed'
  /** Metadata or a lock file of the release cannot be read. */
  | 'metadata-unreadable'
  | 'cancelled';

export class ReleaseError extends FcdError<ReleaseErrorCode> {}

/** Credentials in URLs never reach an error text. */
export function redactUrls(text: string): string {
  return text.replace(/\/\/[^/\s@]*@/g, '//');
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ReleaseError('cancelled', 'acquiring the release was cancelled', { cause: signal.reason });
}

export function isErrnoException(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
