/** `fcd check`: what every profile says about a release, alone or against the one that it replaces. */
import type { PairVerdict, Verdict } from '../../compatibility/verdict.js';
import type { ToolAnswer } from '../../pipeline/check.js';
import { INPUT_OPTIONS, JSON_OPTION, openSession, readInputOptions, SESSION_OPTIONS, SHORTCUT_OPTION } from '../common-options.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import type { Verb, VerbArguments } from '../verb.js';

const NOTES = `Exit code 0 when every supported call keeps its effects or does less, 1 when a call changes, 2 when something could not be decided.
Without --against: 2 when something could not be decided, else 0.`;

export const check: Verb = {
  name: 'check',
  summary: 'check a release against the one that it replaces: which calls keep, narrow or change their effects',
  arguments: [{ form: '<target>', description: 'the new release: a package URL or a path' }],
  options: [
    { flags: '--against <source>', description: 'the release that calls were formed against; a version alone means the same package' },
    { flags: '--tool <name>', description: 'this tool only' },
    { flags: '--all-classes', description: 'one row for every class of calls, instead of few rows' },
    ...INPUT_OPTIONS,
    SHORTCUT_OPTION,
    ...SESSION_OPTIONS,
    JSON_OPTION,
  ],
  examples: ['fcd check pkg:pypi/mcp-server-git@2025.12.18 --against 2025.9.25', 'fcd check ./checkout --against pkg:pypi/mcp-server-git@2025.12.18 --tool git_add'],
  notes: NOTES,
  run,
};

async function run(args: VerbArguments, io: Io): Promise<ExitCode> {
  const inputs = await readInputOptions(args);
  const session = await openSession(args, io);
  const { checkPair, checkRelease } = await import('../../pipeline/check.js');
  const [target, against] = [args.positionals[0] ?? '', args.text('against')];
  const scope = { tool: args.text('tool'), inputs, shortcut: args.flag('shortcut') };
  const json = args.flag('json');
  const form = json ? ({ kind: 'report' } as const) : ({ kind: 'table', options: { allClasses: args.flag('all-classes') } } as const);
  const result = against === undefined ? await checkRelease(session, target, scope) : await checkPair(session, target, against, scope, form);
  if (json) {
    const { checkForm } = await import('../../review/check-json.js');
    await io.out(`${JSON.stringify(checkForm(result), undefined, 2)}\n`);
  } else {
    const { checkText } = await import('../../review/check-text.js');
    await io.out(`${checkText(io.style, result)}\n`);
  }
  return exitCodeOfAll(result.tools);
}

function exitCodeOfAll(tools: readonly ToolAnswer[]): ExitCode {
  const codes = tools.map(exitCodeOfTool);
  // A change is the news, whatever else is open.
  return codes.includes(EXIT.finding) ? EXIT.finding : codes.includes(EXIT.undecided) ? EXIT.undecided : EXIT.fine;
}

function exitCodeOfTool(answer: ToolAnswer): ExitCode {
  switch (answer.kind) {
    case 'failed':
      return EXIT.undecided;
    case 'summary':
      return answer.summary.view.escalations.length > 0 ? EXIT.undecided : EXIT.fine;
    case 'table':
      return exitCodeOfPair(answer.byDefinition, answer.table.verdict, answer.table.rows);
    case 'report':
      return exitCodeOfPair(answer.byDefinition, answer.report.verdict, answer.report.classes);
  }
}

function exitCodeOfPair(byDefinition: boolean, verdict: PairVerdict, rows: readonly { readonly verdict: Verdict }[]): ExitCode {
  if (byDefinition || verdict === 'compatible') return EXIT.fine;
  return rows.some((row) => row.verdict === 'changed') || verdict === 'incompatible' ? EXIT.finding : EXIT.undecided;
}
