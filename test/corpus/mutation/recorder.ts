/** What a server really does: the handler run by Python against a library that only records (test/fixtures/depot/recorder). */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/canonical-json.js';
import type { Files } from '../harness.js';

const SCRIPT = join(import.meta.dirname, '../../fixtures/depot/recorder/run.py');
export const HAS_PYTHON = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;

export interface Run {
  readonly call: JsonObject;
  readonly world: JsonObject;
}
export type Action = readonly [operation: string, values: readonly unknown[], contexts: readonly string[]];
export interface Recorded {
  readonly trace: readonly Action[];
  readonly told: readonly string[];
  readonly how: 'return' | 'throw';
  readonly error: string;
}
export type Answer = readonly Recorded[] | { readonly broken: string };

export function record(jobs: readonly { readonly files: Files; readonly runs: readonly Run[] }[]): Promise<readonly Answer[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', () => {
      resolve(
        output
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Answer),
      );
    });
    child.stdin.end(jobs.map((job) => `${JSON.stringify(job)}\n`).join(''));
  });
}

/** The target did nothing that the source did not do, in its order; protections stood as before. */
export function staysInside(target: Recorded, source: Recorded): boolean {
  const key = (action: Action): string => JSON.stringify(action.slice(0, 2));
  const acts = (recorded: Recorded): Action[] => recorded.trace.filter(([operation]) => !operation.startsWith('!'));
  const protections = (recorded: Recorded, before: number): string[] =>
    recorded.trace
      .slice(0, before)
      .filter(([operation]) => operation.startsWith('!'))
      .map(key);
  let at = 0;
  const sources = acts(source);
  for (const action of acts(target)) {
    while (at < sources.length && !(key(sources[at]!) === key(action) && sources[at]![2].every((context) => action[2].includes(context)))) at += 1;
    if (at === sources.length) return false;
    // Indices in the whole traces, for what protected the action.
    const kept = protections(target, target.trace.indexOf(action));
    if (!protections(source, source.trace.indexOf(sources[at]!)).every((protection) => kept.includes(protection))) return false;
    at += 1;
  }
  return target.told.every((secret) => source.told.includes(secret));
}

export function isSame(left: Recorded, right: Recorded): boolean {
  return left.how === right.how && JSON.stringify(left.trace) === JSON.stringify(right.trace);
}
