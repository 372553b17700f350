/** One call about two releases, as `decide` and `explain` ask it: from the command line to the answer and its view. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Answer } from '../pipeline/pair.js';
import type { CallDecision } from '../compatibility/verdict.js';
import type { DecisionView } from '../review/decision-text.js';
import { INPUT_OPTIONS, JSON_OPTION, openSession, readInputOptions, SESSION_OPTIONS, SHORTCUT_OPTION } from './common-options.js';
import { UsageError } from './errors.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import type { VerbArguments, VerbOption } from './verb.js';

export const CALL_OPTIONS: readonly VerbOption[] = [
  { flags: '--source <release>', description: 'the release that the call was formed against: a package URL or a path' },
  { flags: '--target <release>', description: 'the release that may run it instead; a version alone means the same package' },
  { flags: '--tool <name>', description: 'the tool, by the name that its profile gives' },
  { flags: '--call <json>', description: 'the arguments of the call as a JSON object, or @FILE' },
  { flags: '--fact <id=true|false>', description: 'a fact about the world that is known to hold or not; the profile names them', repeats: true },
];
export const CALL_VERB_OPTIONS: readonly VerbOption[] = [...CALL_OPTIONS, ...INPUT_OPTIONS, SHORTCUT_OPTION, ...SESSION_OPTIONS, JSON_OPTION];

export interface AnsweredCall {
  readonly answer: Answer<CallDecision>;
  readonly view: (explain: boolean) => Promise<DecisionView>;
}

export async function answerCall(args: VerbArguments, io: Io): Promise<AnsweredCall> {
  const [sourceSpec, targetText, tool, callText] = ['source', 'target', 'tool', 'call'].map((name) => requireText(args, name)) as [string, string, string, string];
  const inputs = await readInputOptions(args);
  const [{ parseLiteral }, { parseFact }, { againstSpec }] = await Promise.all([import('../analysis/literal.js'), import('../pipeline/inputs.js'), import('../pipeline/against.js')]);
  const call = parseLiteral(await callJson(callText, io), callText.startsWith('@') ? callText.slice(1) : '--call');
  const facts = new Map(args.list('fact').map(parseFact));
  const session = await openSession(args, io);
  const [{ Pairs }, { profilesOfPair }, { profileOfTool }, { quotesOf, spansOfDecision, spansOfStory }] = await Promise.all([
    import('../pipeline/pair.js'),
    import('../pipeline/session.js'),
    import('../pipeline/profiles.js'),
    import('../pipeline/quotes.js'),
  ]);
  const source = await session.open(sourceSpec);
  const target = await session.open(againstSpec(sourceSpec, targetText));
  const profile = profileOfTool(profilesOfPair(session, source, target), tool);
  const pairs = new Pairs(session);
  const question = { source, target, profile, inputs, shortcut: args.flag('shortcut') };
  const answer = await pairs.decide(question, call, facts);
  return {
    answer,
    view: async (explain) => {
      const story = await pairs.tell(question, call, facts);
      return {
      tool,
      source: source.label,
      target: target.label,
      decision: answer.decision,
      byDefinition: answer.byDefinition,
      story,
      vocabulary: session.profiles.vocabulary(profile),
      quotes: await quotesOf(source, target, [...spansOfDecision(answer.decision), ...spansOfStory(story)]),
      explain,
      };
    },
  };
}

export function verdictExitCode(verdict: CallDecision['verdict']): ExitCode {
  switch (verdict) {
    case 'equal':
    case 'narrower':
      return EXIT.fine;
    case 'changed':
      return EXIT.finding;
    case 'escalated':
      return EXIT.undecided;
  }
}

function requireText(args: VerbArguments, name: string): string {
  const value = args.text(name);
  if (value !== undefined) return value;
  throw new UsageError(`--${name} is missing`, 'A call needs --source, --target, --tool and --call; --batch FILE reads many from a file.');
}

async function callJson(text: string, io: Io): Promise<string> {
  if (!text.startsWith('@')) return text;
  try {
    return await readFile(resolve(io.workingDirectory, text.slice(1)), 'utf8');
  } catch (error) {
    throw new UsageError(`${text.slice(1)} cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'Check the path after "@".');
  }
}
