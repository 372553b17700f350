/**
 * Lines of a stream of bytes, split at line feeds only: other separators may stand inside JSON text. A line that is too
 * long or not UTF-8 is told apart and does not end the stream.
 */

export type Line = { readonly kind: 'line'; readonly number: number; readonly text: string } | { readonly kind: 'unreadable'; readonly number: number; readonly why: string };

const LINE_FEED = 10;

export async function* readLines(input: AsyncIterable<Uint8Array | string>, bytesMax: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const take = (): Line => {
    const line = length > bytesMax ? ({ kind: 'unreadable', number, why: `the line is longer than ${bytesMax} bytes` } as const) : decode(Buffer.concat(parts), number);
    parts = [];
    length = 0;
    number += 1;
    return line;
  };
  for await (const chunk of input) {
    let rest: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      parts.push(rest.subarray(0, at));
      length += at;
      yield take();
      rest = rest.subarray(at + 1);
    }
    length += rest.length;
    // Of a line that is already too long nothing more is kept.
    if (length <= bytesMax) parts.push(rest);
  }
  if (length > 0) yield take();
}

function decode(bytes: Uint8Array, number: number): Line {
  try {
    return { kind: 'line', number, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'unreadable', number, why: 'the line is not UTF-8' };
  }
}
