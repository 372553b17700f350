/** `fcd decide`: the verdict for one concrete call, or for each line of a file of calls. */
import { CALL_VERB_OPTIONS, answerCall, verdictExitCode } from '../call-question.js';
import { decideBatch } from '../batch.js';
import { UsageError } from '../errors.js';
import type { ExitCode, Io } from '../io.js';
import type { Verb, VerbArguments } from '../verb.js';

const NOTES = `A batch has one JSON object a line:
  {"id", "source", "target", "tool", "arguments", "inputs": {"source": {}, "target": {}}, "facts": {}}
and is answered in the same order, one line each:
  {"id", "verdict", "sourceEffects", "targetEffects", "reasons"}, or {"id", "error"} for a line that cannot be answered.
Exit code of a batch: 0 when every line is equal or narrower, 1 when a line is changed, else 2.`;

export const decide: Verb = {
  name: 'decide',
  summary: 'say for one concrete call whether the target release stays within what the source would have done',
  arguments: [],
  options: [...CALL_VERB_OPTIONS, { flags: '--batch <file>', description: 'answer every line of this file of calls; "-" reads standard input' }],
  examples: [
    `fcd decide --source pkg:pypi/mcp-server-git@2025.9.25 --target 2025.12.18 --tool git_diff --call '{"repo_path": "/srv/repo", "target": "HEAD~1"}'`,
    'fcd decide --batch calls.jsonl > answers.jsonl',
  ],
  notes: NOTES,
  run,
};

async function run(args: VerbArguments, io: Io): Promise<ExitCode> {
  const batch = args.text('batch');
  if (batch !== undefined) {
    const single = ['source', 'target', 'tool', 'call'].find((name) => args.text(name) !== undefined);
    if (single !== undefined) throw new UsageError(`--${single} does not go with --batch`, 'Each line of a batch names its own releases, tool and arguments.');
    return decideBatch(batch, args, io);
  }
  const { answer, view } = await answerCall(args, io);
  if (args.flag('json')) {
    const { decisionForm } = await import('../../review/json.js');
    await io.out(`${JSON.stringify(decisionForm(answer.decision))}\n`);
  } else {
    const { decisionText } = await import('../../review/decision-text.js');
    await io.out(`${decisionText(io.style, await view(false))}\n`);
  }
  return verdictExitCode(answer.decision.verdict);
}
