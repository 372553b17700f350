/** The places that a report names, each with the text of its line. */
import type { Span } from '../ir/span.js';
import type { Reason, Side } from '../compatibility/verdict.js';
import type { Quotes } from '../pipeline/quotes.js';
import { printable } from './style.js';

/** A place of one side, as reports print it. */
export interface QuotedPlace {
  readonly side: Side;
  readonly file: string;
  readonly line: number;
  readonly text?: string;
}

export function quoteSpan(quotes: Quotes, side: Side, span: Span): QuotedPlace {
  const text = quotes.line(side, span.file, span.line);
  return { side, file: span.file, line: span.line, ...(text === undefined ? {} : { text: printable(text.trim()) }) };
}

/** The places of a reason, source first. A reason of both sides has its place in the source. */
export function reasonPlaces(quotes: Quotes, reason: Reason): readonly QuotedPlace[] {
  const own: Side = reason.side === 'target' ? 'target' : 'source';
  const other: Side = own === 'source' ? 'target' : 'source';
  const places = [
    ...(reason.span === undefined ? [] : [quoteSpan(quotes, own, reason.span)]),
    ...(reason.otherSpan === undefined ? [] : [quoteSpan(quotes, other, reason.otherSpan)]),
  ];
  return places.sort((left, right) => (left.side === right.side ? 0 : left.side === 'source' ? -1 : 1));
}
