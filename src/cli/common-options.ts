/** Options that several verbs share, and what they become. Loads nothing heavy: the session is imported when it is opened. */
import type { SidedInputs } from '../pipeline/inputs.js';
import type { Session } from '../pipeline/session.js';
import type { Io } from './io.js';
import type { VerbArguments, VerbOption } from './verb.js';

export const JSON_OPTION: VerbOption = { flags: '--json', description: 'print JSON instead of text' };

export const SESSION_OPTIONS: readonly VerbOption[] = [
  { flags: '--offline', description: 'use releases that are already in the cache only' },
  { flags: '--profiles <folder>', description: 'use the profiles of this folder instead of those that ship with fcd' },
  { flags: '--cache <folder>', description: 'where releases and summaries are kept (default: $FCD_CACHE, else the cache folder of the user)' },
];

export const INPUT_OPTIONS: readonly VerbOption[] = [
  { flags: '--input <kind:name=value>', description: 'what is known of the deployment of both releases, for example option:repository=/srv/repo; "null" means known to be unset', repeats: true },
  { flags: '--source-input <kind:name=value>', description: 'the same, of the source only', repeats: true },
  { flags: '--target-input <kind:name=value>', description: 'the same, of the target only', repeats: true },
];

export const SHORTCUT_OPTION: VerbOption = { flags: '--no-shortcut', description: 'analyse both releases even when files, inputs and dependencies are equal' };

export async function openSession(args: VerbArguments, io: Io): Promise<Session> {
  const { Session } = await import('../pipeline/session.js');
  return new Session({
    cacheDir: args.text('cache'),
    offline: args.flag('offline'),
    profilesFolder: args.text('profiles'),
    onProgress: (message) => io.progress(message),
    workingDirectory: io.workingDirectory,
    env: io.env,
  });
}

export async function readInputOptions(args: VerbArguments): Promise<SidedInputs> {
  const { parseInput } = await import('../pipeline/inputs.js');
  const both = args.list('input').map(parseInput);
  return { source: new Map([...both, ...args.list('source-input').map(parseInput)]), target: new Map([...both, ...args.list('target-input').map(parseInput)]) };
}
