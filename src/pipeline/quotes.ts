/** Lines of the two releases that a report quotes, read before it is printed. */
import type { Span } from '../ir/span.js';
import type { Doings } from '../compatibility/doings.js';
import type { CallStory } from '../compatibility/story.js';
import type { PairTable } from '../compatibility/table.js';
import type { CallDecision, DescribedEffect, Reason, Side } from '../compatibility/verdict.js';
import type { SummaryView } from './describe-summary.js';
import type { OpenRelease } from './session.js';

export interface Quotes {
  /** The text of a line, or undefined where there is none. */
  line(side: Side, file: string, line: number): string | undefined;
}

export async function quotesOf(source: OpenRelease, target: OpenRelease, spans: readonly Span[]): Promise<Quotes> {
  const files = new Set(spans.map((span) => span.file));
  const texts = { source: await textsOf(source, files), target: source === target ? undefined : await textsOf(target, files) };
  return { line: (side, file, line) => (side === 'target' ? (texts.target ?? texts.source) : texts.source).get(file)?.[line - 1] };
}

async function textsOf({ release }: OpenRelease, files: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Set(release.files.map((file) => file.path));
  const texts = new Map<string, readonly string[]>();
  for (const file of files) if (known.has(file)) texts.set(file, (await release.read(file)).toString('utf8').split(/\r\n|\r|\n/));
  return texts;
}

export function spansOfDecision({ sourceEffects, targetEffects, reasons }: Pick<CallDecision, 'sourceEffects' | 'targetEffects' | 'reasons'>): readonly Span[] {
  return [...sourceEffects, ...targetEffects].flatMap(spanOfEffect).concat(reasons.flatMap(spansOfReason));
}

export function spansOfTable(table: PairTable): readonly Span[] {
  return table.rows.flatMap((row) => [...spansOfDoings(row.source), ...spansOfDoings(row.target), ...row.reasons.flatMap(spansOfReason)]);
}

export function spansOfStory({ source, target }: CallStory): readonly Span[] {
  return [...spansOfDoings(source), ...spansOfDoings(target)];
}

export function spansOfView({ effects, exits, disclosures, escalations }: SummaryView): readonly Span[] {
  return [...effects.flatMap((effect) => effect.chain), ...[...exits, ...disclosures].flatMap((outcome) => outcome.span ?? []), ...escalations.flatMap(spansOfReason)];
}

function spansOfDoings({ deeds, refusedAt }: Doings): readonly Span[] {
  return [...deeds.flatMap((deed) => deed.span ?? []), ...refusedAt];
}

function spanOfEffect(effect: DescribedEffect): readonly Span[] {
  return effect.span === undefined ? [] : [effect.span];
}

function spansOfReason(reason: Reason): readonly Span[] {
  return [reason.span, reason.otherSpan].filter((span) => span !== undefined);
}
