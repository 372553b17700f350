/**
 * Reads and writes txtar: several texts in one file. Free text first, then sections that begin with a line `-- name --`.
 * A section's text is all that follows, to the next such line. Written back, a file that was read is the same file.
 */
import { FcdError } from '../../src/base/errors.js';

export interface TxtarSection {
  readonly name: string;
  /** Ends with a newline unless it is empty. */
  readonly text: string;
  /** Line of the file on which the text begins, 1-based. */
  readonly line: number;
}

export interface Txtar {
  readonly comment: string;
  readonly sections: readonly TxtarSection[];
}

export type TxtarErrorCode = 'txtar-marker' | 'txtar-duplicate' | 'txtar-line-end';

export class TxtarError extends FcdError<TxtarErrorCode> {}

const MARKER = /^-- (\S(?:.*\S)?) --$/;
/** What was meant to be a marker and would otherwise silently become text of the section before. */
const NEARLY_MARKER = /^\s*--\s*[\w-]+\s*--\s*$/;

export function parseTxtar(text: string, file: string): Txtar {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const sections: { name: string; lines: string[]; line: number }[] = [];
  const comment: string[] = [];
  lines.forEach((line, index) => {
    const number = index + 1;
    if (line.endsWith('\r')) throw problem('txtar-line-end', 'lines end with a line feed alone', file, number);
    const name = MARKER.exec(line)?.[1];
    if (name === undefined) {
      if (NEARLY_MARKER.test(line)) throw problem('txtar-marker', `a section begins with "-- name --" and nothing else on its line, found "${line}"`, file, number);
      (sections.at(-1)?.lines ?? comment).push(line);
      return;
    }
    if (sections.some((section) => section.name === name)) throw problem('txtar-duplicate', `the section ${name} is there twice`, file, number);
    sections.push({ name, lines: [], line: number + 1 });
  });
  return { comment: join(comment), sections: sections.map((section) => ({ name: section.name, text: join(section.lines), line: section.line })) };
}

export function formatTxtar(archive: Txtar): string {
  return archive.comment + archive.sections.map((section) => `-- ${section.name} --\n${section.text}`).join('');
}

function join(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function problem(code: TxtarErrorCode, message: string, file: string, line: number): TxtarError {
  return new TxtarError(code, `${file}:${line}: ${message}`, { place: { file, line } });
}
