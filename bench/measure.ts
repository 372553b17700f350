/** Repeated measurements and how they are printed. Processor time stands beside wall time: the machine may be busy. */

export interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Runs `body` and says how long it took. */
export async function timed<Result>(body: () => Result | Promise<Result>): Promise<{ readonly result: Result; readonly sample: Sample }> {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const result = await body();
  const wallMs = performance.now() - before;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { result, sample: { wallMs, cpuMs: (user + system) / 1000 } };
}

/** The smallest value that `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(samples: readonly Sample[]): Sample {
  return { wallMs: percentile(samples.map((sample) => sample.wallMs), 0.5), cpuMs: percentile(samples.map((sample) => sample.cpuMs), 0.5) };
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

/** Cells of one measured thing: median of both times, and the ninth decile of wall time. */
export function sampleCells(samples: readonly Sample[]): readonly string[] {
  const { wallMs, cpuMs } = median(samples);
  return [ms(wallMs), ms(cpuMs), ms(percentile(samples.map((sample) => sample.wallMs), 0.9))];
}
export const SAMPLE_HEAD: readonly string[] = ['median', 'median cpu', 'p90'];

export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  console.log(`\n${title}`);
  for (const line of lines) console.log(`  ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')}`.trimEnd());
}
