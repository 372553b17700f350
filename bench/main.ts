/** The benchmarks by name. They print what they find and judge nothing: a slow machine is no failure. */
import { cpus } from 'node:os';
import { benchEightyIfs, benchGrowth } from './growth.js';
import { benchStartUp } from './processes.js';
import { benchReleasePair } from './release-pair.js';

const BENCHMARKS: ReadonlyMap<string, (root: string) => Promise<void>> = new Map([
  ['start-up', benchStartUp],
  ['release-pair', benchReleasePair],
  ['eighty-ifs', benchEightyIfs],
  ['growth', benchGrowth],
]);

export async function runBenchmarks(root: string, names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !BENCHMARKS.has(name));
  if (unknown !== undefined) throw new Error(`no benchmark is called ${unknown}; there are ${[...BENCHMARKS.keys()].join(', ')}`);
  console.log(`Node ${process.version}, ${String(cpus().length)} processors`);
  for (const [name, bench] of BENCHMARKS) if (names.length === 0 || names.includes(name)) await bench(root);
}
