/**
 * Generated handlers of growing size: how time and diagram nodes grow when the code doubles. The library that they use is
 * that of the conformance cases.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoundLibrary } from '../src/analysis/bound-library.js';
import type { LanguageSemantics } from '../src/analysis/language.js';
import { literalOf } from '../src/analysis/literal.js';
import { Store } from '../src/analysis/store.js';
import { summarizeTool } from '../src/analysis/summarize.js';
import { encodeSummary } from '../src/analysis/summary-codec.js';
import type { Summary } from '../src/analysis/summary.js';
import { decideCall, type Reviewed } from '../src/compatibility/decide.js';
import { tabulatePair } from '../src/compatibility/table.js';
import { loadFrontend } from '../src/frontends/index.js';
import type { Program } from '../src/ir/program.js';
import { requireSemantics } from '../src/pipeline/languages.js';
import { reviewedOf } from '../src/pipeline/reviewed.js';
import { packagedProfilesFolder, readSource } from '../src/profile/host.js';
import { InventorySet } from '../src/profile/inventory-set.js';
import type { Inventory } from '../src/profile/inventory.js';
import { loadInventory, loadProfile } from '../src/profile/load.js';
import type { Profile } from '../src/profile/profile.js';
import { median, ms, printTable, timed, type Sample } from './measure.js';

const SIZES = [10, 20, 40, 80, 160, 320];
const ROUNDS = 5;
const WARM_UPS = 2;

interface Shape {
  readonly name: string;
  /** Body of `act(args)`, by its size. */
  readonly body: (size: number) => readonly string[];
}

const numbers = (size: number): number[] => Array.from({ length: size }, (_, at) => at);

const SHAPES: readonly Shape[] = [
  {
    name: 'undecided ifs, each adds a word',
    body: (size) => ['words = []', ...numbers(size).flatMap((n) => [`if kit.exists(path + "/${String(n)}"):`, `    words.append("--${String(n)}")`]), 'kit.write(path, words)'],
  },
  {
    name: 'guards, each refuses',
    body: (size) => [...numbers(size).flatMap((n) => [`if kit.exists(path + "/${String(n)}"):`, `    raise ValueError("${String(n)}")`]), 'kit.write(path, "x")'],
  },
  {
    name: 'guards on one argument',
    body: (size) => [...numbers(size).flatMap((n) => [`if path.startswith("-${String(n)}"):`, `    raise ValueError("${String(n)}")`]), 'kit.write(path, "x")'],
  },
  { name: 'calls, each an effect', body: (size) => numbers(size).map((n) => `kit.write(path + "/${String(n)}", "x")`) },
  {
    name: 'effects under conditions',
    body: (size) => numbers(size).flatMap((n) => [`if kit.exists(path + "/${String(n)}"):`, `    kit.write(path + "/${String(n)}", "x")`]),
  },
];

interface Kit {
  readonly profile: Profile;
  readonly library: BoundLibrary;
  readonly semantics: LanguageSemantics;
  readonly reviewed: Reviewed;
}

async function loadKit(root: string): Promise<Kit> {
  const source = (path: string): { readonly file: string; readonly text: string } => ({ file: path, text: readFileSync(join(root, 'test/conformance/kit', path), 'utf8') });
  const packaged = packagedProfilesFolder();
  const inventories: Inventory[] = [loadInventory(readSource(join(packaged, 'inventories/python-builtins.yaml'), packaged)).inventory, loadInventory(source('inventory.yaml')).inventory];
  const { profile } = loadProfile(source('profile.yaml'), () => undefined);
  const library = new BoundLibrary(new InventorySet(inventories, profile), () => undefined);
  const semantics = await requireSemantics('python');
  return { profile, library, semantics, reviewed: reviewedOf({ profile, inventories, semantics, source: library, target: library }) };
}

const handlerText = (body: readonly string[]): string =>
  ['import kit', '', 'def act(args):', '    path = args["path"]', ...body.map((line) => `    ${line}`), '', 'def main():', '    kit.tool("act", act)', '    kit.serve()', ''].join('\n');

const CALL = literalOf({ path: '/a', text: 't', flag: true, other: false, count: 1, items: [], anything: null });
const NO_INPUTS = { source: new Map<string, string | null>(), target: new Map<string, string | null>() };

interface Measured {
  readonly lower: Sample;
  readonly evaluate: Sample;
  readonly write: Sample;
  readonly decide: Sample;
  readonly table: Sample;
  readonly nodes: number;
}
const STEPS = ['lower', 'evaluate', 'write', 'decide', 'table'] as const;

async function measure(kit: Kit, text: string): Promise<Measured> {
  const frontend = (await loadFrontend('python'))!;
  const { profile, library, semantics, reviewed } = kit;
  const samples: Record<(typeof STEPS)[number], Sample[]> = { lower: [], evaluate: [], write: [], decide: [], table: [] };
  let nodes = 0;
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const note = (step: (typeof STEPS)[number], sample: Sample): void => {
      if (round >= 0) samples[step].push(sample);
    };
    const lowered = await timed(() => frontend.lower({ files: [{ path: 'app.py', text }] }));
    note('lower', lowered.sample);
    const program: Program = lowered.result;
    const store = new Store();
    const evaluated = await timed((): Summary => summarizeTool({ store, program, profile, library, semantics, servedName: profile.tool }).summary);
    note('evaluate', evaluated.sample);
    nodes = store.guards.nodeCount;
    const summary = evaluated.result;
    const stopped = summary.outcomes.find((outcome) => outcome.kind === 'escalate');
    if (stopped?.kind === 'escalate') throw new Error(`a generated handler is not understood: ${stopped.message}`);
    note('write', (await timed(() => encodeSummary(summary))).sample);
    note('decide', (await timed(() => decideCall(summary, summary, { arguments: CALL, inputs: NO_INPUTS }, reviewed))).sample);
    note('table', (await timed(() => tabulatePair(summary, summary, reviewed, { allClasses: false }))).sample);
  }
  const of = (step: (typeof STEPS)[number]): Sample => median(samples[step]);
  return { lower: of('lower'), evaluate: of('evaluate'), write: of('write'), decide: of('decide'), table: of('table'), nodes };
}

/** Processor time at each size, with the factor by which it grew since half of it. */
export async function benchGrowth(root: string): Promise<void> {
  const kit = await loadKit(root);
  for (const shape of SHAPES) {
    const measured: Measured[] = [];
    for (const size of SIZES) measured.push(await measure(kit, handlerText(shape.body(size))));
    const grown = (values: readonly number[]): string[] => values.map((value, at) => (at === 0 ? '' : `×${(value / values[at - 1]!).toFixed(1)}`));
    const columns = STEPS.map((step) => ({ times: measured.map((one) => one[step].cpuMs), factors: grown(measured.map((one) => one[step].cpuMs)) }));
    const nodeFactors = grown(measured.map((one) => one.nodes));
    printTable(
      `Growth: ${shape.name} (processor time, growth since half the size)`,
      ['size', ...STEPS.flatMap((step) => [step, '']), 'nodes', ''],
      SIZES.map((size, at) => [String(size), ...columns.flatMap(({ times, factors }) => [ms(times[at]!), factors[at]!]), String(measured[at]!.nodes), nodeFactors[at]!]),
    );
  }
}

const IFS = 80;

/** Eighty undecided ifs in a row, from their IR to a summary, and to a verdict. */
export async function benchEightyIfs(root: string): Promise<void> {
  const kit = await loadKit(root);
  const [shape] = SHAPES;
  const measured = await measure(kit, handlerText(shape!.body(IFS)));
  printTable(`${String(IFS)} undecided ifs`, ['step', 'median', 'median cpu'], STEPS.map((step) => [step, ms(measured[step].wallMs), ms(measured[step].cpuMs)]));
  console.log(`  evaluated in ${ms(measured.evaluate.cpuMs)} of processor time; the aim is under 100 ms`);
}
