/** `fcd explain`: why a call is or is not covered, with the source lines of both releases. */
import { CALL_VERB_OPTIONS, answerCall, verdictExitCode } from '../call-question.js';
import type { ExitCode, Io } from '../io.js';
import type { Verb, VerbArguments } from '../verb.js';

export const explain: Verb = {
  name: 'explain',
  summary: 'say why a call is or is not covered, with the source lines of both releases',
  arguments: [],
  options: CALL_VERB_OPTIONS,
  examples: [`fcd explain --source pkg:pypi/mcp-server-git@2025.12.18 --target 2025.9.25 --tool git_diff --call '{"repo_path": "/srv/repo", "target": "--output=x"}'`],
  run,
};

async function run(args: VerbArguments, io: Io): Promise<ExitCode> {
  const { answer, view } = await answerCall(args, io);
  const seen = await view(true);
  if (args.flag('json')) {
    const { explanationForm } = await import('../../review/explanation-json.js');
    await io.out(`${JSON.stringify(explanationForm(seen), undefined, 2)}\n`);
  } else {
    const { decisionText } = await import('../../review/decision-text.js');
    await io.out(`${decisionText(io.style, seen)}\n`);
  }
  return verdictExitCode(answer.decision.verdict);
}
