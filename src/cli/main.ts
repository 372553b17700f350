/**
 * The command line. Knows the verbs by name and help text; what a verb needs is loaded when it runs, so that help and
 * usage errors load no parser, no schema checker and no expression language.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { EXIT, processIo, type ExitCode, type Io } from './io.js';
import { reportError } from './errors.js';
import { VerbArguments, type Verb, type VerbGroup } from './verb.js';
import { check } from './verbs/check.js';
import { decide } from './verbs/decide.js';
import { explain } from './verbs/explain.js';
import { profile } from './verbs/profile.js';
import { summarize } from './verbs/summarize.js';

const VERBS: readonly Verb[] = [check, decide, explain, summarize];
const GROUPS: readonly VerbGroup[] = [profile];

const ABOUT = `Says, from the source of two releases of a tool server, for which concrete calls the newer one stays within the effects of the older one.`;
const EXIT_CODES = `Exit codes: ${EXIT.fine} fine; ${EXIT.finding} a finding (an effect changes); ${EXIT.undecided} could not be decided (or could not be fetched); ${EXIT.usage} usage; ${EXIT.bug} a bug of fcd.`;

export async function runProcess(argv: readonly string[]): Promise<ExitCode> {
  // Whoever reads the output may stop reading.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.undecided : EXIT.bug);
  });
  const io = processIo();
  try {
    return await main(argv, io);
  } finally {
    io.close();
  }
}

export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.fine;
  const written: string[] = [];
  const program = new Command('fcd').description(ABOUT).version(packageVersion(), '--version').helpCommand(false).addHelpText('after', `\n${EXIT_CODES}`);
  configure(program, written, io);
  const add = (parent: Command, verb: Verb): void => {
    configure(addVerb(parent, verb, io, (code) => (exitCode = code)), written, io);
  };
  for (const verb of VERBS) add(program, verb);
  for (const group of GROUPS) {
    const command = configure(program.command(group.name).description(group.summary).helpCommand(false), written, io);
    for (const verb of group.verbs) add(command, verb);
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) return await reportError(error, io, argv.includes('--json'));
    exitCode = error.exitCode === 0 || (error.code === 'commander.help' && argv.length === 0) ? EXIT.fine : EXIT.usage;
  }
  if (written.length > 0) await io.out(written.join(''));
  return exitCode;
}

function configure(command: Command, written: string[], io: Io): Command {
  return command
    .exitOverride()
    .showHelpAfterError('(see --help for the options and an example)')
    .showSuggestionAfterError(true)
    .configureHelp({ helpWidth: io.style.width })
    .configureOutput({ writeOut: (text) => written.push(text), writeErr: (text) => io.err(text), getOutHelpWidth: () => io.style.width });
}

function addVerb(parent: Command, verb: Verb, io: Io, done: (code: ExitCode) => void): Command {
  const command = parent.command(verb.name).description(verb.summary);
  for (const argument of verb.arguments) command.argument(argument.form, argument.description);
  for (const { flags, description, repeats, required } of verb.options) {
    const option = new Option(flags, description);
    if (required === true) option.makeOptionMandatory();
    if (repeats === true) option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
  const examples = verb.examples.map((example) => `  $ ${example}`).join('\n');
  command.addHelpText('after', `\n${verb.examples.length === 1 ? 'Example' : 'Examples'}:\n${examples}\n${verb.notes === undefined ? '' : `\n${verb.notes}\n`}\n${EXIT_CODES}`);
  command.action(async () => {
    const options = Object.fromEntries(Object.entries(command.opts()).map(([name, value]) => [longName(name), value as unknown]));
    done(await verb.run(new VerbArguments(command.args, options), io));
  });
  return command;
}

/** Commander names options in camel case. */
function longName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return manifest.version;
}
