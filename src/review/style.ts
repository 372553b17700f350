/** How text output looks: colours where wanted, and widths in terminal columns. Holds no content. */

export interface Style {
  readonly color: boolean;
  /** Columns that a line may fill. */
  readonly width: number;
}

export type Paint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue';

const CODES: Readonly<Record<Paint, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
};

export function paint(style: Style, how: Paint | undefined, text: string): string {
  if (!style.color || how === undefined || text === '') return text;
  const [on, off] = CODES[how];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

const ESCAPES = /\u001b\[\d+m/g;
/** Combining marks and joiners take no column. */
const NO_COLUMN = /^[\p{Mark}\u200b-\u200f\ufe00-\ufe0f]$/u;
/** East Asian wide letters and pictures take two. */
const TWO_COLUMNS = /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(ESCAPES, '')) columns += NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1;
  return columns;
}

/** Control characters of analysed source never reach a terminal as they are. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    if (character === '\t') return '  ';
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}

/** Lines of at most `width` columns, broken at spaces, or inside a word that is longer than a line. */
export function wrap(text: string, width: number): readonly string[] {
  const limit = Math.max(1, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    const joined = line === '' ? rest : `${line} ${rest}`;
    if (columnsOf(joined) <= limit) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    while (columnsOf(rest) > limit) {
      const head = headOf(rest, limit);
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = rest;
  }
  return [...lines, line];
}

function headOf(text: string, width: number): string {
  let head = '';
  for (const character of text) {
    if (head !== '' && columnsOf(head + character) > width) break;
    head += character;
  }
  return head;
}

/** Wrapped text with a hanging indent. */
export function indented(style: Style, indent: number, text: string, firstPrefix = ''): string {
  const hang = ' '.repeat(indent + columnsOf(firstPrefix));
  const lines = wrap(text, Math.max(20, style.width - hang.length));
  return lines.map((line, index) => (index === 0 ? `${' '.repeat(indent)}${firstPrefix}${line}` : `${hang}${line}`)).join('\n');
}
