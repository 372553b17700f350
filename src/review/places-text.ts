/** Places with the text of their lines, and reasons that are told in full sentences. */
import type { Reason } from '../compatibility/verdict.js';
import type { Quotes } from '../pipeline/quotes.js';
import { reasonPlaces, type QuotedPlace } from './quotes.js';
import { columnsOf, indented, paint, printable, type Paint, type Style } from './style.js';

const INDENT = 2;

/** Each reason once, however many classes share it. With one release, sides are not named. */
export function reasonsText(style: Style, reasons: readonly Reason[], quotes: Quotes, how: { readonly paint?: Paint; readonly oneSided?: boolean } = {}): string {
  const oneSided = how.oneSided === true;
  const parts = reasons.map((reason) => {
    const side = oneSided || reason.side === 'both' ? '' : `${reason.side}: `;
    const sentence = `${side}${printable(reason.message)} [${reason.code}]`;
    return [indented(style, INDENT, sentence, `${paint(style, how.paint, '•')} `), ...quoteLines(style, reasonPlaces(quotes, reason), INDENT + 2, oneSided), ...nextLine(style, reason)].join('\n');
  });
  return [...new Set(parts)].join('\n');
}

/** `source  server.py:117  raise ValueError(…)`, on two lines where one is too narrow. */
export function quoteLines(style: Style, places: readonly QuotedPlace[], indent: number, oneSided = false): readonly string[] {
  const margin = ' '.repeat(indent);
  return places.flatMap((place) => {
    const where = `${oneSided ? '' : `${place.side}  `}${place.file}:${String(place.line)}`;
    const head = `${margin}${paint(style, 'dim', where)}`;
    const { text } = place;
    if (text === undefined || text === '') return [head];
    const line = `${head}  ${text}`;
    return columnsOf(line) <= style.width ? [line] : [head, `${margin}    ${text}`];
  });
}

function nextLine(style: Style, reason: Reason): readonly string[] {
  return reason.next === undefined ? [] : [indented(style, INDENT + 2, reason.next, 'next: ')];
}
