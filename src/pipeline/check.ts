/** What every profile says about a release, alone or against another: one answer for each tool, sorted by tool. */
import { FcdError } from '../base/errors.js';
import type { PairTable, TableOptions } from '../compatibility/table.js';
import type { PairReport } from '../compatibility/verdict.js';
import type { Profile } from '../profile/profile.js';
import { againstSpec } from './against.js';
import type { SidedInputs } from './inputs.js';
import { Pairs, type SummaryAnswer } from './pair.js';
import { profileOfTool } from './profiles.js';
import { quotesOf, spansOfTable, spansOfView, type Quotes } from './quotes.js';
import { profilesOfPair, type Session } from './session.js';
import type { Vocabulary } from './vocabulary.js';

export interface CheckScope {
  /** Only this tool. */
  readonly tool: string | undefined;
  readonly inputs: SidedInputs;
  readonly shortcut: boolean;
}

export type ToolAnswer =
  /** For people. */
  | { readonly kind: 'table'; readonly tool: string; readonly vocabulary: Vocabulary; readonly table: PairTable; readonly byDefinition: boolean; readonly quotes: Quotes }
  /** For programs. */
  | { readonly kind: 'report'; readonly tool: string; readonly report: PairReport; readonly byDefinition: boolean }
  | { readonly kind: 'summary'; readonly tool: string; readonly vocabulary: Vocabulary; readonly summary: SummaryAnswer; readonly quotes: Quotes }
  /** This tool could not be analysed; the others were. */
  | { readonly kind: 'failed'; readonly tool: string; readonly error: FcdError };

export interface CheckResult {
  readonly target: string;
  readonly source?: string;
  readonly tools: readonly ToolAnswer[];
}

/** What is asked of a pair: everything, which takes longest, or a table. */
export type PairForm = { readonly kind: 'report' } | { readonly kind: 'table'; readonly options: TableOptions };

export async function checkPair(session: Session, targetSpec: string, against: string, scope: CheckScope, form: PairForm): Promise<CheckResult> {
  const target = await session.open(targetSpec);
  const source = await session.open(againstSpec(targetSpec, against));
  const pairs = new Pairs(session);
  const tools = await each(inScope(profilesOfPair(session, source, target), scope), async (profile): Promise<ToolAnswer> => {
    const question = { source, target, profile, inputs: scope.inputs, shortcut: scope.shortcut };
    const { tool } = profile;
    if (form.kind === 'report') {
      const { decision: report, byDefinition } = await pairs.report(question);
      return { kind: 'report', tool, report, byDefinition };
    }
    const { decision: table, byDefinition } = await pairs.table(question, form.options);
    return { kind: 'table', tool, vocabulary: session.profiles.vocabulary(profile), table, byDefinition, quotes: await quotesOf(source, target, spansOfTable(table)) };
  });
  return { target: target.label, source: source.label, tools };
}

export async function checkRelease(session: Session, targetSpec: string, scope: CheckScope): Promise<CheckResult> {
  const target = await session.open(targetSpec);
  const pairs = new Pairs(session);
  const profiles = session.profiles.applicable(target.packages, target.label);
  const tools = await each(inScope(profiles, scope), async (profile): Promise<ToolAnswer> => {
    const summary = await pairs.summary(target, profile, scope.inputs.target);
    return { kind: 'summary', tool: profile.tool, vocabulary: session.profiles.vocabulary(profile), summary, quotes: await quotesOf(target, target, spansOfView(summary.view)) };
  });
  return { target: target.label, tools };
}

function inScope(profiles: readonly Profile[], scope: CheckScope): readonly Profile[] {
  return scope.tool === undefined ? profiles : [profileOfTool(profiles, scope.tool)];
}

/** One after the other: the analysis is bound by the processor. */
async function each(profiles: readonly Profile[], answer: (profile: Profile) => Promise<ToolAnswer>): Promise<readonly ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (const profile of profiles) {
    try {
      answers.push(await answer(profile));
    } catch (error) {
      if (!(error instanceof FcdError)) throw error;
      answers.push({ kind: 'failed', tool: profile.tool, error: error as FcdError });
    }
  }
  return answers;
}
