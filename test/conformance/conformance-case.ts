/** A conformance case as it is written in a `.txtar` file; README.md beside this file describes the sections. */
import { FcdError } from '../../src/base/errors.js';
import { parseTxtar, type TxtarSection } from './txtar.js';

export const SECTIONS = ['ir', 'target-ir', 'inventory', 'profile', 'deployment', 'summary', 'calls', 'verdict'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Text whose line numbers are those of the case file, so that places in it can be looked up there. */
export interface PlacedText {
  readonly file: string;
  readonly text: string;
  /** Blank lines that were put before the text to make its line numbers right. */
  readonly linesBefore: number;
}

export interface ConformanceCase {
  readonly file: string;
  /** What the case shows, for people. */
  readonly comment: string;
  readonly ir: PlacedText;
  /** The release that is compared; absent: the same program. */
  readonly targetIr?: PlacedText;
  /** Of its own, beside those that there are for all cases. */
  readonly inventory?: PlacedText;
  /** Absent: the one for all cases. */
  readonly profile?: PlacedText;
  /** `{"source": {}, "target": {}}`: inputs and dependency versions of the two sides, named as in a batch. */
  readonly deployment?: PlacedText;
  /** Expected, as written. */
  readonly summary?: string;
  /** Each a JSON object on one line: the arguments of a call. */
  readonly calls: readonly PlacedText[];
  /** Expected, one line for each call. */
  readonly verdict?: string;
}

export type CaseErrorCode = 'case-unknown-section' | 'case-missing-section' | 'case-shape';

export class CaseError extends FcdError<CaseErrorCode> {}

export function readCase(text: string, file: string): ConformanceCase {
  const archive = parseTxtar(text, file);
  const sections = new Map(archive.sections.map((section) => [section.name, section]));
  const fail = (code: CaseErrorCode, message: string, line = 1): CaseError => new CaseError(code, `${file}:${line}: ${message}`, { place: { file, line } });
  for (const section of archive.sections) {
    if (!isSectionName(section.name)) throw fail('case-unknown-section', `no section is called ${section.name} (${SECTIONS.join(', ')})`, section.line - 1);
  }
  const find = (name: SectionName): TxtarSection | undefined => sections.get(name);
  const needed = (name: SectionName): TxtarSection => {
    const section = find(name);
    if (section === undefined) throw fail('case-missing-section', `a case has the section ${name}`);
    return section;
  };
  if (archive.comment.trim() === '') throw fail('case-shape', 'a case begins with a sentence that says what it shows');
  const [summary, calls, verdict, target, deployment] = [find('summary'), find('calls'), find('verdict'), find('target-ir'), find('deployment')];
  const optional = (name: 'inventory' | 'profile' | 'deployment'): object => {
    const section = find(name);
    return section === undefined ? {} : { [name]: placed(section, file) };
  };
  if (summary === undefined && verdict === undefined) throw fail('case-shape', 'a case expects a summary, a verdict or both');
  if ((calls === undefined) !== (verdict === undefined)) throw fail('case-shape', 'calls and verdict come together');
  if (target !== undefined && verdict === undefined) throw fail('case-shape', 'a target without calls is never looked at', target.line - 1);
  if (deployment !== undefined && linesOf(deployment, file).length !== 1) throw fail('case-shape', 'a deployment is one line', deployment.line - 1);
  const callLines = calls === undefined ? [] : linesOf(calls, file);
  if (verdict !== undefined && verdict.text.split('\n').length - 1 !== callLines.length) {
    throw fail('case-shape', 'the verdict has one line for each call', verdict.line - 1);
  }
  return {
    file,
    comment: archive.comment,
    ir: placed(needed('ir'), file),
    ...(target === undefined ? {} : { targetIr: placed(target, file) }),
    ...optional('inventory'),
    ...optional('profile'),
    ...optional('deployment'),
    ...(summary === undefined ? {} : { summary: summary.text }),
    calls: callLines,
    ...(verdict === undefined ? {} : { verdict: verdict.text }),
  };
}

function isSectionName(name: string): name is SectionName {
  return SECTIONS.some((known) => known === name);
}

function placed(section: TxtarSection, file: string): PlacedText {
  return place(section.text, section.line, file);
}

function place(text: string, line: number, file: string): PlacedText {
  return { file, text: '\n'.repeat(line - 1) + text, linesBefore: line - 1 };
}

function linesOf(section: TxtarSection, file: string): PlacedText[] {
  return section.text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => place(line, section.line + index, file));
}
