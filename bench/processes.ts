/** The command as users start it, in processes of its own. Needs the build. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { percentile, printTable, ms, type Sample } from './measure.js';

export interface Exited {
  readonly code: number | null;
  readonly stderr: string;
  readonly sample: Sample;
}

/** Wall time of one process; its processor time as it tells it itself at its end. */
export function runNode(root: string, args: readonly string[]): Promise<Exited> {
  const before = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', TELL_CPU, ...args], { cwd: root, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    const text = { stderr: '', cpu: '' };
    child.stderr!.setEncoding('utf8').on('data', (part: string) => (text.stderr += part));
    (child.stdio[3] as NodeJS.ReadableStream).setEncoding('utf8').on('data', (part: string) => (text.cpu += part));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stderr: text.stderr, sample: { wallMs: performance.now() - before, cpuMs: Number(text.cpu) } });
    });
  });
}

/** Writes the process's own processor time to descriptor 3 when it exits. */
const TELL_CPU = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });",
)}`;

const STARTS = 15;

/** `fcd --help` against a process of Node that does nothing; one of each in turn, so that both see the same machine. */
export async function benchStartUp(root: string): Promise<void> {
  const [empty, help]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    empty.push((await runNode(root, ['--eval', '0'])).sample);
    help.push((await runNode(root, [join(root, 'bin/fcd.js'), '--help'])).sample);
  }
  const row = (name: string, samples: readonly Sample[]): readonly string[] => [
    name,
    ms(percentile(samples.map((sample) => sample.wallMs), 0.5)),
    ms(percentile(samples.map((sample) => sample.cpuMs), 0.5)),
    ms(percentile(samples.map((sample) => sample.wallMs), 0.9)),
  ];
  printTable('Start-up', ['process', 'median', 'median cpu', 'p90'], [row('node', empty), row('fcd --help', help)]);
  const ratio = (of: (sample: Sample) => number): string => (percentile(help.map(of), 0.5) / percentile(empty.map(of), 0.5)).toFixed(2);
  console.log(`  fcd --help takes ${ratio((s) => s.wallMs)} times the wall time and ${ratio((s) => s.cpuMs)} times the processor time of an empty process`);
}
