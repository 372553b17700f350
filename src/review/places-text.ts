/** Reasons with the source lines that make them, as text. */
import type { Reason } from '../compatibility/verdict.js';
import type { Quotes } from '../pipeline/quotes.js';
import { reasonPlaces, type QuotedPlace } from './quotes.js';
import { indented, paint, type Paint, type Style } from './style.js';
import { brief, shortValue } from './words.js';

const INDENT = 2;

export interface ReasonStyle {
  readonly paint?: Paint;
  /** There is one release, so sides are not named. */
  readonly oneSided?: boolean;
  /** The beginning of long sentences only. */
  readonly brief?: boolean;
  /** Applied to each sentence before it is cut. */
  readonly say?: (text: string) => string;
}

/** Each reason once, however many classes share it. */
export function reasonsText(style: Style, reasons: readonly Reason[], quotes: Quotes, how: ReasonStyle = {}): string {
  const oneSided = how.oneSided === true;
  const seen = new Set<string>();
  const parts = reasons.flatMap((reason) => {
    const places = reasonPlaces(quotes, reason);
    const text = [indented(style, INDENT, sentenceOf(reason, how), `${paint(style, how.paint, '•')} `), ...placeLines(style, places, oneSided), ...nextLine(style, reason)].join('\n');
    if (seen.has(text)) return [];
    seen.add(text);
    return [text];
  });
  return parts.join('\n');
}

function sentenceOf(reason: Reason, how: ReasonStyle): string {
  const message = how.say === undefined ? shortValue(reason.message) : how.say(shortValue(reason.message));
  const side = how.oneSided === true || reason.side === 'both' ? '' : `${reason.side}: `;
  return `${side}${how.brief === true ? brief(message) : message} [${reason.code}]`;
}

export function placeLines(style: Style, places: readonly QuotedPlace[], oneSided = false): readonly string[] {
  return places.flatMap((place) => {
    const where = `${oneSided ? '' : `${place.side}  `}${place.file}:${place.line}`;
    const head = `${' '.repeat(INDENT + 2)}${paint(style, 'dim', where)}`;
    return place.text === undefined || place.text === '' ? [head] : [head, `${' '.repeat(INDENT + 6)}${place.text}`];
  });
}

function nextLine(style: Style, reason: Reason): readonly string[] {
  return reason.next === undefined ? [] : [indented(style, INDENT + 2, reason.next, 'next: ')];
}
