/**
 * Runs one conformance case. The steps of the compiler are given, so that the format and the runner stand without an
 * evaluator and a second evaluator can be held to the same cases. An operating error inside a step is a finding, too.
 */
import { FcdError } from '../../src/base/errors.js';
import { parseProgram } from '../../src/ir/parse.js';
import { printProgram } from '../../src/ir/print.js';
import type { Program } from '../../src/ir/program.js';
import { verifyProgram } from '../../src/ir/verify.js';
import type { ConformanceCase, PlacedText } from './conformance-case.js';

export type CaseSide = 'source' | 'target';

export interface ConformanceSteps<Envelope, Summary> {
  /** Inventories, profile and deployment of a case. */
  readonly load: (one: Pick<ConformanceCase, 'inventory' | 'profile' | 'deployment'>) => Envelope;
  readonly summarize: (program: Program, envelope: Envelope, side: CaseSide) => Summary;
  /** As the section `summary` has it: lines that end with a newline, the same for equal meaning. */
  readonly printSummary: (summary: Summary, envelope: Envelope) => string;
  /** One line for one call. */
  readonly decide: (source: Summary, target: Summary, call: PlacedText, envelope: Envelope) => string;
}

export interface CaseFinding {
  readonly step: 'ir' | 'target-ir' | 'verify' | 'load' | 'summary' | 'verdict';
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

export interface CaseResult {
  readonly findings: readonly CaseFinding[];
  /** What the sections would have to say, as far as the steps came. */
  readonly summary?: string;
  readonly verdicts?: readonly string[];
}

export function runCase<Envelope, Summary>(one: ConformanceCase, steps: ConformanceSteps<Envelope, Summary>): CaseResult {
  const findings: CaseFinding[] = [];
  const attempt = <Result>(step: CaseFinding['step'], run: () => Result): { readonly result: Result } | undefined => {
    try {
      return { result: run() };
    } catch (error) {
      if (!(error instanceof FcdError)) throw error;
      findings.push({ step, message: `${error.code}: ${error.message}` });
      return undefined;
    }
  };
  const source = attempt('ir', () => readProgram(one.ir, findings));
  const targetIr = one.targetIr;
  const target = targetIr === undefined ? source : attempt('target-ir', () => readProgram(targetIr, findings));
  const envelope = attempt('load', () => steps.load(one));
  if (source === undefined || target === undefined || envelope === undefined || findings.length > 0) return { findings };

  const before = attempt('summary', () => steps.summarize(source.result, envelope.result, 'source'));
  const isOneSide = target === source && one.deployment === undefined;
  const after = isOneSide ? before : attempt('summary', () => steps.summarize(target.result, envelope.result, 'target'));
  if (before === undefined || after === undefined) return { findings };
  const printed = attempt('summary', () => steps.printSummary(before.result, envelope.result));
  if (one.summary !== undefined && printed !== undefined && printed.result !== one.summary) {
    findings.push({ step: 'summary', message: 'the summary is another', expected: one.summary, actual: printed.result });
  }
  const expected = one.verdict?.split('\n') ?? [];
  const verdicts = one.calls.map((call, index) => {
    const verdict = attempt('verdict', () => steps.decide(before.result, after.result, call, envelope.result))?.result;
    if (verdict !== undefined && verdict !== expected[index]) {
      findings.push({ step: 'verdict', message: `${call.file}:${call.linesBefore + 1}: the verdict is another`, expected: expected[index] ?? '', actual: verdict });
    }
    return verdict ?? '';
  });
  return { findings, verdicts, ...(printed === undefined ? {} : { summary: printed.result }) };
}

/** A program that is well-formed, and whose text is a fixed point of printing. */
function readProgram(ir: PlacedText, findings: CaseFinding[]): Program {
  const program = parseProgram(ir.text, { file: ir.file });
  for (const issue of verifyProgram(program)) {
    findings.push({ step: 'verify', message: `${issue.place.file}:${issue.place.line}:${issue.place.column}: ${issue.code}: ${issue.message}` });
  }
  const printed = printProgram(program);
  const again = printProgram(parseProgram(printed, { file: ir.file }));
  if (printed !== again) findings.push({ step: 'ir', message: 'printing what was printed gives another text', expected: printed, actual: again });
  return program;
}
