/** Tables for a terminal: columns aligned, cells wrapped so that a row never passes the width. */
import { columnsOf, paint, wrap, type Paint, type Style } from './style.js';

export interface Cell {
  readonly text: string;
  readonly paint?: Paint;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Lines of their own under the row, as they are. */
  readonly below?: readonly string[];
}

const GAP = 2;
const COLUMN_MIN = 8;

/** Rows have as many cells as there are titles. Cells may have several lines. */
export function renderTable(style: Style, titles: readonly string[], rows: readonly (readonly Cell[] | Row)[], indent = 2): string {
  const whole = rows.map((row): Row => ('cells' in row ? row : { cells: row }));
  const widths = fitWidths(titles, whole.map((row) => row.cells), style.width - indent);
  const margin = ' '.repeat(indent);
  const rule = margin + paint(style, 'dim', widths.map((width) => '─'.repeat(width)).join(' '.repeat(GAP)));
  const head = renderRow(style, titles.map((text) => ({ text, paint: 'bold' })), widths, margin);
  // Rows of several lines need air between them to be told apart.
  const rendered = whole.map((row) => [renderRow(style, row.cells, widths, margin), ...(row.below ?? [])].join('\n'));
  const gap = rendered.some((row) => row.includes('\n')) ? '\n\n' : '\n';
  return [head, rule, rendered.join(gap)].join('\n');
}

function renderRow(style: Style, row: readonly Cell[], widths: readonly number[], margin: string): string {
  const columns = row.map((cell, index) => cell.text.split('\n').flatMap((line) => wrap(line, widths[index] ?? COLUMN_MIN)));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const cells = row.map((cell, index) => {
      const text = columns[index]?.[at] ?? '';
      const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - columnsOf(text)));
      return paint(style, cell.paint, text) + padding;
    });
    return (margin + cells.join(' '.repeat(GAP))).trimEnd();
  }).join('\n');
}

/** Natural widths where they fit; otherwise the widest columns give way first. */
function fitWidths(titles: readonly string[], rows: readonly (readonly Cell[])[], width: number): readonly number[] {
  const widths = titles.map((title, index) => Math.max(columnsOf(title), ...rows.flatMap((row) => (row[index]?.text ?? '').split('\n').map(columnsOf))));
  const room = width - GAP * (titles.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= COLUMN_MIN) break;
    const index = widths.indexOf(widest);
    const second = Math.max(COLUMN_MIN, ...widths.filter((_, at) => at !== index));
    const cut = Math.max(1, Math.min(excess, widest - second));
    widths[index] = widest - cut;
    excess -= cut;
  }
  return widths;
}
