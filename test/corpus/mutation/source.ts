/** Python source as indented lines: as much structure as the operators need. */

export class Source {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }
  static of(text: string): Source {
    return new Source(text.split('\n'));
  }
  get text(): string {
    return this.lines.join('\n');
  }

  indentOf(at: number): number {
    return /^ */.exec(this.lines[at] ?? '')![0].length;
  }
  /** One past the last line of the block that the line heads, the line alone when it heads none. */
  endOf(at: number): number {
    let end = at + 1;
    while (end < this.lines.length && (this.lines[end]!.trim() === '' || this.indentOf(end) > this.indentOf(at))) end += 1;
    while (end > at + 1 && this.lines[end - 1]!.trim() === '') end -= 1;
    return end;
  }
  replace(from: number, to: number, lines: readonly string[]): Source {
    return new Source([...this.lines.slice(0, from), ...lines, ...this.lines.slice(to)]);
  }
  edit(at: number, line: string): Source {
    return this.replace(at, at + 1, [line]);
  }

  /** Numbers of the lines that match. */
  matching(pattern: RegExp): number[] {
    return this.lines.flatMap((line, at) => (pattern.test(line) ? [at] : []));
  }
  /** A statement on one line of its own, inside a function. */
  simple(): number[] {
    return this.lines.flatMap((line, at) => (/^ {4,}[^\s"]/.test(line) && !/:$/.test(line) && !/^ *(@|prefix\b)/.test(line) ? [at] : []));
  }
  /** The line of the `def` around a line. */
  functionOf(at: number): number {
    for (let head = at; head >= 0; head -= 1) if (/^ *(async )?def /.test(this.lines[head]!) && this.indentOf(head) < this.indentOf(at)) return head;
    return -1;
  }
}

/** Every way to replace one match of a pattern in one line. */
export function substitutions(source: Source, pattern: RegExp, by: (match: RegExpExecArray) => string | undefined): Source[] {
  const found: Source[] = [];
  source.lines.forEach((line, at) => {
    for (const match of line.matchAll(new RegExp(pattern.source, 'g'))) {
      const text = by(match);
      if (text !== undefined && text !== match[0]) found.push(source.edit(at, line.slice(0, match.index) + text + line.slice(match.index + match[0].length)));
    }
  });
  return found;
}

export const indented = (lines: readonly string[], by: number): string[] =>
  lines.map((line) => (line.trim() === '' ? line : by >= 0 ? ' '.repeat(by) + line : line.slice(-by)));
