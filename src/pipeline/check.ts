/** What every profile says about a release, alone or against another: one answer for each tool, sorted by tool. */
import { FcdError } from '../base/errors.js';
import type { PairReport } from '../compatibility/verdict.js';
import type { Profile } from '../profile/profile.js';
import { againstSpec } from './against.js';
import type { SidedInputs } from './inputs.js';
import { Pairs, type SummaryAnswer } from './pair.js';
import { profileOfTool } from './profiles.js';
import { quotesOf, spansOfReport, type Quotes } from './quotes.js';
import { profilesOfPair, type Session } from './session.js';

export interface CheckScope {
  /** Only this tool. */
  readonly tool: string | undefined;
  readonly inputs: SidedInputs;
  readonly shortcut: boolean;
}

export type ToolAnswer =
  | { readonly kind: 'pair'; readonly tool: string; readonly operations: ReadonlyMap<string, string>; readonly report: PairReport; readonly byDefinition: boolean; readonly quotes: Quotes }
  | { readonly kind: 'summary'; readonly tool: string; readonly operations: ReadonlyMap<string, string>; readonly summary: SummaryAnswer; readonly quotes: Quotes }
  /** This tool could not be analysed; the others were. */
  | { readonly kind: 'failed'; readonly tool: string; readonly error: FcdError };

export interface CheckResult {
  readonly target: string;
  readonly source?: string;
  readonly tools: readonly ToolAnswer[];
}

export async function checkPair(session: Session, targetSpec: string, against: string, scope: CheckScope): Promise<CheckResult> {
  const target = await session.open(targetSpec);
  const source = await session.open(againstSpec(targetSpec, against));
  const pairs = new Pairs(session);
  const tools = await each(inScope(profilesOfPair(session, source, target), scope), async (profile): Promise<ToolAnswer> => {
    const { decision: report, byDefinition } = await pairs.report({ source, target, profile, inputs: scope.inputs, shortcut: scope.shortcut });
    return { kind: 'pair', ...named(profile), report, byDefinition, quotes: await quotesOf(source, target, spansOfReport(report)) };
  });
  return { target: target.label, source: source.label, tools };
}

export async function checkRelease(session: Session, targetSpec: string, scope: CheckScope): Promise<CheckResult> {
  const target = await session.open(targetSpec);
  const pairs = new Pairs(session);
  const profiles = session.profiles.applicable(target.packages, target.label);
  const tools = await each(inScope(profiles, scope), async (profile): Promise<ToolAnswer> => {
    const summary = await pairs.summary(target, profile, scope.inputs.target);
    return { kind: 'summary', ...named(profile), summary, quotes: await quotesOf(target, target, summary.view.escalations.flatMap((reason) => reason.span ?? [])) };
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

function named(profile: Profile): { readonly tool: string; readonly operations: ReadonlyMap<string, string> } {
  return { tool: profile.tool, operations: new Map([...profile.operations].map(([id, operation]) => [id, operation.description])) };
}
