/** Answers a file of calls line by line, in order, as they are read. A line that cannot be answered gets its error. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BATCH_LINE_BYTES_MAX } from '../base/limits.js';
import { FcdError } from '../base/errors.js';
import { openSession } from './common-options.js';
import { errorForm, UsageError, type ErrorForm } from './errors.js';
import { EXIT, type ExitCode, type Io } from './io.js';
import { readLines, type Line } from './lines.js';
import type { VerbArguments } from './verb.js';

export async function decideBatch(file: string, args: VerbArguments, io: Io): Promise<ExitCode> {
  const input = file === '-' ? io.input : await openFile(file, io);
  const answer = await answerer(args, io);
  const seen = new Set<string>();
  for await (const line of readLines(input, BATCH_LINE_BYTES_MAX)) {
    if (line.kind === 'line' && line.text.trim() === '') continue;
    const result = await answer(line, file === '-' ? 'standard input' : file);
    seen.add('verdict' in result ? result.verdict : result.error.code === 'bug' ? 'bug' : 'error');
    await io.out(`${JSON.stringify(result)}\n`);
  }
  if (seen.has('bug')) return EXIT.bug;
  if (seen.has('changed')) return EXIT.finding;
  return seen.has('escalated') || seen.has('error') ? EXIT.undecided : EXIT.fine;
}

type LineAnswer = { readonly id: unknown; readonly verdict: string } | { readonly id: unknown; readonly error: ErrorForm };

async function answerer(args: VerbArguments, io: Io): Promise<(line: Line, file: string) => Promise<LineAnswer>> {
  const session = await openSession(args, io);
  const [{ Pairs }, { profilesOfPair }, { profileOfTool }, { batchCallOf, idOf, readBatchLine }, { againstSpec }, { decisionForm }] = await Promise.all([
    import('../pipeline/pair.js'),
    import('../pipeline/session.js'),
    import('../pipeline/profiles.js'),
    import('../pipeline/batch.js'),
    import('../pipeline/against.js'),
    import('../review/json.js'),
  ]);
  const pairs = new Pairs(session);
  const shortcut = args.flag('shortcut');
  return async (line, file) => {
    const place = `${file}:${line.number}`;
    let id: unknown = null;
    try {
      if (line.kind === 'unreadable') return { id, error: { code: 'call-invalid', message: `${place}: ${line.why}` } };
      const members = readBatchLine(line.text, place);
      id = idOf(members);
      const call = batchCallOf(members, place);
      const source = await session.open(call.source);
      const target = await session.open(againstSpec(call.source, call.target));
      const profile = profileOfTool(profilesOfPair(session, source, target), call.tool);
      const { decision } = await pairs.decide({ source, target, profile, inputs: call.inputs, shortcut }, call.arguments, call.facts);
      return { id, ...decisionForm(decision) };
    } catch (error) {
      // A bug costs one line its answer, and the run its exit code.
      if (!(error instanceof FcdError)) io.err(`${place}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      return { id, error: errorForm(error) };
    }
  };
}

async function openFile(file: string, io: Io): Promise<AsyncIterable<Uint8Array>> {
  const path = resolve(io.workingDirectory, file);
  try {
    if (!(await stat(path)).isDirectory()) return createReadStream(path);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'Name a file of calls, one JSON object a line, or "-" for standard input.');
  }
  throw new UsageError(`${file} is a folder`, 'Name a file of calls, one JSON object a line, or "-" for standard input.');
}
