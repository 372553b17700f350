/**
 * Summaries in the cache. Each stands with a digest over all of it; anything that cannot be read, or is not what its
 * digest says, counts as never made. A summary that was just made goes the same way through its written form, so that
 * what is reported never depends on whether it was remembered.
 */
import type { Store } from '../analysis/store.js';
import type { Evidence, Summary } from '../analysis/summary.js';
import { encodeSummary } from '../analysis/summary-codec.js';
import { decodeSummary } from '../analysis/summary-decode.js';
import { canonicalJson, type JsonObject } from '../base/canonical-json.js';
import { digestOf, type Digest } from '../base/digest.js';
import type { SummaryCache } from './host.js';

export interface Analysed {
  readonly summary: Summary;
  readonly evidence: Evidence;
}

interface Remembered {
  /** What the summary was made from. */
  readonly key: Digest;
  readonly semantic: JsonObject;
  readonly evidence: Evidence;
}

/** The digest stands on a line of its own before the document. */
const SEPARATOR = '\n';

export async function readRemembered(cache: SummaryCache, key: Digest, store: Store): Promise<Analysed | undefined> {
  const text = await cache.find(key);
  if (text === undefined) return undefined;
  const at = text.indexOf(SEPARATOR);
  const document = text.slice(at + 1);
  if (at < 0 || text.slice(0, at) !== digestOf(document)) return undefined;
  // The digest vouches for the form: it is what `remember` wrote.
  const remembered = JSON.parse(document) as Remembered;
  return remembered.key === key ? analysedOf(remembered, store) : undefined;
}

export async function remember(cache: SummaryCache, key: Digest, summary: Summary, evidence: (semantic: Digest, spans: Evidence['spans']) => Evidence): Promise<Analysed> {
  const { semantic, digest, spans } = encodeSummary(summary);
  const remembered: Remembered = { key, semantic, evidence: evidence(digest, spans) };
  const document = canonicalJson(remembered);
  await cache.remember(key, `${digestOf(document)}${SEPARATOR}${document}`);
  return analysedOf(remembered, summary.store);
}

function analysedOf({ semantic, evidence }: Remembered, store: Store): Analysed {
  return { summary: decodeSummary(semantic, store, evidence.spans), evidence };
}
