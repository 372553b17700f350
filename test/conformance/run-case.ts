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

export interface ConformanceSteps<Inventory, Profile, Summary> {
  readonly loadInventory: (source: PlacedText) => Inventory;
  readonly loadProfile: (source: PlacedText, inventory: Inventory) => Profile;
  readonly summarize: (program: Program, inventory: Inventory, profile: Profile) => Summary;
  /** As the section `summary` has it: lines that end with a newline, the same for equal meaning. */
  readonly printSummary: (summary: Summary) => string;
  /** One line for one call. */
  readonly decide: (source: Summary, target: Summary, call: PlacedText, profile: Profile) => string;
}

export interface CaseFinding {
  readonly step: 'ir' | 'target-ir' | 'verify' | 'inventory' | 'profile' | 'summary' | 'verdict';
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

export function runCase<Inventory, Profile, Summary>(one: ConformanceCase, steps: ConformanceSteps<Inventory, Profile, Summary>): readonly CaseFinding[] {
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
  const target = one.targetIr === undefined ? source : attempt('target-ir', () => readProgram(one.targetIr ?? one.ir, findings));
  const inventory = attempt('inventory', () => steps.loadInventory(one.inventory));
  const profile = inventory && attempt('profile', () => steps.loadProfile(one.profile, inventory.result));
  if (source === undefined || target === undefined || inventory === undefined || profile === undefined || findings.length > 0) return findings;

  const summarize = (program: Program): { readonly result: Summary } | undefined =>
    attempt('summary', () => steps.summarize(program, inventory.result, profile.result));
  const before = summarize(source.result);
  const after = target === source ? before : summarize(target.result);
  if (before === undefined || after === undefined) return findings;
  if (one.summary !== undefined) {
    const expected = one.summary;
    const actual = attempt('summary', () => steps.printSummary(before.result));
    if (actual !== undefined && actual.result !== expected) findings.push({ step: 'summary', message: 'the summary is another', expected, actual: actual.result });
  }
  const verdicts = one.verdict?.split('\n') ?? [];
  one.calls.forEach((call, index) => {
    const expected = verdicts[index] ?? '';
    const actual = attempt('verdict', () => steps.decide(before.result, after.result, call, profile.result));
    if (actual !== undefined && actual.result !== expected) {
      findings.push({ step: 'verdict', message: `${call.file}:${call.linesBefore + 1}: the verdict is another`, expected, actual: actual.result });
    }
  });
  return findings;
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
