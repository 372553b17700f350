/**
 * The data whose canonical JSON is digested: maps become objects, expressions their text, absent members and digests are
 * left out. Two files that load to the same meaning have the same digest, however they are written.
 */
import type { JsonValue } from '../base/canonical-json.js';
import { digestOfJson, type Digest } from '../base/digest.js';
import { InvariantError } from '../base/errors.js';
import type { CelText } from './inventory.js';

export function digestOfForm(form: object): Digest {
  return digestOfJson(canonicalForm(form));
}

export function canonicalForm(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(canonicalForm);
  if (value instanceof Map) return Object.fromEntries([...(value as Map<string, unknown>)].map(([key, member]) => [key, canonicalForm(member)]));
  if (typeof value === 'object') {
    if (isCelText(value)) return value.text;
    const members = Object.entries(value).filter(([key, member]) => key !== 'digest' && member !== undefined);
    return Object.fromEntries(members.map(([key, member]) => [key, canonicalForm(member)]));
  }
  throw new InvariantError(`no canonical form for a ${typeof value}`);
}

function isCelText(value: object): value is CelText {
  return 'ast' in value && 'text' in value;
}
