/**
 * Source positions. A span points into one file of one release; lines and columns are 1-based,
 * columns count UTF-16 code units, the end is exclusive. Printed form: `path:line:column-line:column`.
 */
export interface Span {
  /** Path inside the release, with `/` separators. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export function formatSpan(span: Span): string {
  return `${span.file}:${span.line}:${span.column}`;
}
