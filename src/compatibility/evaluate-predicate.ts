/**
 * Evaluates the printed text of a predicate on a concrete call. Anything but `true` means not captured: an error, a value
 * of another type, an input that is not in its map.
 */
import { Environment } from '@marcbachmann/cel-js';
import type { JsonObject, JsonValue } from '../base/canonical-json.js';
import { PREDICATE_DEPTH_MAX } from '../base/limits.js';

export interface PredicateScope {
  readonly args: JsonObject;
  /** Bound inputs by name; null: known to be unset. */
  readonly source: ReadonlyMap<string, string | null>;
  readonly target: ReadonlyMap<string, string | null>;
}

export type PredicateResult = { readonly kind: 'captured' } | { readonly kind: 'not-captured' } | { readonly kind: 'error'; readonly message: string };

const environment = new Environment({
  limits: { maxAstNodes: 20_000, maxDepth: PREDICATE_DEPTH_MAX, maxListElements: 4_000, maxMapEntries: 16, maxCallArguments: 4 },
})
  .registerVariable('args', 'map<string, dyn>')
  .registerVariable('source', 'map<string, dyn>')
  .registerVariable('target', 'map<string, dyn>');

export function evaluatePredicate(text: string, scope: PredicateScope): PredicateResult {
  try {
    const result: unknown = environment.evaluate(text, { args: plain(scope.args), source: new Map(scope.source), target: new Map(scope.target) });
    return result === true ? { kind: 'captured' } : { kind: 'not-captured' };
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error) };
  }
}

/** Maps, so that no key of a call is ever looked up in a prototype. */
function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map((item: JsonValue) => plain(item));
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  return value;
}
