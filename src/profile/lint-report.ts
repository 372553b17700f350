/** Collects the findings of one file, with places looked up by path, and the checks of expressions that all linters share. */
import { checkCel } from './check-cel.js';
import { findingAt, type Finding, type FindingCode } from './finding.js';
import type { CelText } from './inventory.js';
import type { Locate } from './read-context.js';
import type { Path, SourceText } from './yaml-text.js';

const UNFINISHED = /\b(TODO|FIXME|TBD)\b/;

export class LintReport {
  readonly findings: Finding[] = [];
  readonly #locate: Locate;

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  error(path: Path, code: FindingCode, message: string, fix: string, at: 'key' | 'value' = 'value'): void {
    this.findings.push(findingAt(this.#locate(path, at), code, message, fix));
  }

  warning(path: Path, code: FindingCode, message: string, fix: string, at: 'key' | 'value' = 'value'): void {
    this.findings.push(findingAt(this.#locate(path, at), code, message, fix, 'warning'));
  }

  cel(cel: CelText | undefined, path: Path, scope: ReadonlySet<string>): void {
    if (cel === undefined) return;
    for (const problem of checkCel(cel, scope)) {
      this.findings.push(findingAt(this.#locate(path, 'value', problem.offset), problem.code, problem.message, problem.fix));
    }
  }

  /** Also in comments: a reviewed file is finished. */
  unfinishedText(sources: readonly SourceText[]): void {
    for (const { file, text } of sources) {
      for (const [index, line] of text.split('\n').entries()) {
        const match = UNFINISHED.exec(line);
        if (match === null) continue;
        const place = { file, line: index + 1, column: match.index + 1 };
        this.findings.push(findingAt(place, 'unfinished-text', `"${match[0]}" marks unfinished work`, 'Finish it, or take it out.'));
      }
    }
  }
}
