/** SHA-256 digests in their one written form, `sha256:` and 64 lower-case hex digits. */
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

export type Digest = `sha256:${string}`;

const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

export function isDigest(text: string): text is Digest {
  return DIGEST_PATTERN.test(text);
}

/** Text is hashed as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function digestOf(data: string | Uint8Array): Digest {
  return `sha256:${sha256Hex(data)}`;
}

/** Digest of the canonical form (RFC 8785), so that equal values have equal digests. */
export function digestOfJson(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}
