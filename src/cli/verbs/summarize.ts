/** `fcd summarize`: what one tool of one release can do. */
import { JSON_OPTION, openSession, SESSION_OPTIONS } from '../common-options.js';
import { UsageError } from '../errors.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import type { Verb, VerbArguments } from '../verb.js';

const FORMATS = ['table', 'tree', 'json'] as const;

export const summarize: Verb = {
  name: 'summarize',
  summary: 'print what a tool of a release can do, as a function of its arguments',
  arguments: [{ form: '<release>', description: 'a package URL or a path' }],
  options: [
    { flags: '--tool <name>', description: 'the tool, by the name that its profile gives', required: true },
    { flags: '--format <format>', description: `${FORMATS.join(', ')} (default: table)` },
    { flags: '--input <kind:name=value>', description: 'what is known of the deployment, for example dependency:gitpython=3.1.45', repeats: true },
    ...SESSION_OPTIONS,
    JSON_OPTION,
  ],
  examples: ['fcd summarize pkg:pypi/mcp-server-git@2025.12.18 --tool git_checkout', 'fcd summarize ./checkout --tool git_add --format tree'],
  notes: 'Exit code 2 when something in the handler could not be decided.',
  run,
};

async function run(args: VerbArguments, io: Io): Promise<ExitCode> {
  const format = args.flag('json') ? 'json' : (args.text('format') ?? 'table');
  if (!FORMATS.some((known) => known === format)) throw new UsageError(`there is no format "${format}"`, `The formats are ${FORMATS.join(', ')}.`);
  const { parseInput } = await import('../../pipeline/inputs.js');
  const inputs = new Map(args.list('input').map(parseInput));
  const session = await openSession(args, io);
  const [{ Pairs }, { profileOfTool }, { quotesOf, spansOfView }] = await Promise.all([import('../../pipeline/pair.js'), import('../../pipeline/profiles.js'), import('../../pipeline/quotes.js')]);
  const open = await session.open(args.positionals[0] ?? '');
  const profile = profileOfTool(session.profiles.applicable(open.packages, open.label), args.text('tool') ?? '');
  const answer = await new Pairs(session).summary(open, profile, inputs);
  if (format === 'json') {
    const { summaryForm } = await import('../../review/summary-json.js');
    await io.out(`${JSON.stringify(summaryForm(answer), undefined, 2)}\n`);
  } else {
    const { summaryTable, summaryTree } = await import('../../review/summary-text.js');
    const quotes = await quotesOf(open, open, spansOfView(answer.view));
    const report = { tool: profile.tool, release: open.label, view: answer.view, vocabulary: session.profiles.vocabulary(profile), quotes };
    await io.out(`${format === 'tree' ? summaryTree(io.style, report) : summaryTable(io.style, report)}\n`);
  }
  return answer.view.escalations.length > 0 ? EXIT.undecided : EXIT.fine;
}
