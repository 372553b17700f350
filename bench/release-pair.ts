/**
 * One pair of releases of mcp-server-git, all tools, after the download: what each step costs inside a warm process, and
 * the whole command in a cold one. Releases are fetched by name into a cache of the benchmarks, outside of the project.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BoundLibrary } from '../src/analysis/bound-library.js';
import { Store } from '../src/analysis/store.js';
import { prepareServer, summarizeTool } from '../src/analysis/summarize.js';
import { encodeSummary } from '../src/analysis/summary-codec.js';
import type { Summary } from '../src/analysis/summary.js';
import { decideCall, type Reviewed } from '../src/compatibility/decide.js';
import { literalOf } from '../src/analysis/literal.js';
import { reportPair } from '../src/compatibility/report.js';
import { tabulatePair } from '../src/compatibility/table.js';
import type { SourceFile } from '../src/frontends/frontend.js';
import { loadFrontend } from '../src/frontends/index.js';
import { pythonParser } from '../src/frontends/python/host.js';
import { ParsedRelease } from '../src/frontends/python/parsed-release.js';
import type { Program } from '../src/ir/program.js';
import { resolveDependencies, versionLookup } from '../src/pipeline/dependencies.js';
import { requireSemantics } from '../src/pipeline/languages.js';
import { reviewedOf } from '../src/pipeline/reviewed.js';
import { Session, type OpenRelease } from '../src/pipeline/session.js';
import type { Profile } from '../src/profile/profile.js';
import { median, ms, printTable, SAMPLE_HEAD, sampleCells, timed, type Sample } from './measure.js';
import { runNode } from './processes.js';

const SOURCE = 'pkg:pypi/mcp-server-git@2025.9.25';
const TARGET = 'pkg:pypi/mcp-server-git@2025.12.18';
const CACHE = join(tmpdir(), 'fcd-bench');
const ROUNDS = 9;
const WARM_UPS = 3;
const COMMANDS = 5;

export async function benchReleasePair(root: string): Promise<void> {
  const session = new Session({ cacheDir: CACHE });
  const [source, target] = [await session.open(SOURCE), await session.open(TARGET)];
  const profiles = session.profiles.applicable(target.packages, target.label);
  await benchSteps(session, source, target, profiles);
  await benchCommand(root);
}

async function benchSteps(session: Session, source: OpenRelease, target: OpenRelease, profiles: readonly Profile[]): Promise<void> {
  const frontend = (await loadFrontend('python'))!;
  const semantics = await requireSemantics('python');
  const parser = await pythonParser();
  const files = { source: await readFiles(source, frontend.reads), target: await readFiles(target, frontend.reads) };
  const librariesOf = (profile: Profile, open: OpenRelease): BoundLibrary =>
    new BoundLibrary(session.profiles.inventorySet(profile), versionLookup('pypi', resolveDependencies('pypi', open.release.dependencies, new Map())));

  const evaluate = (store: Store, program: Program, open: OpenRelease): Map<Profile, Summary> => {
    const prepared = prepareServer({ store, program, profile: profiles[0]!, library: librariesOf(profiles[0]!, open), semantics });
    return new Map(profiles.map((profile) => [profile, summarizeTool({ store, program, profile, library: librariesOf(profile, open), semantics, servedName: profile.tool, prepared }).summary]));
  };
  const programs = { source: await frontend.lower({ files: files.source }), target: await frontend.lower({ files: files.target }) };
  const both = (store = new Store()): { readonly store: Store; readonly source: Map<Profile, Summary>; readonly target: Map<Profile, Summary> } => ({
    store,
    source: evaluate(store, programs.source, source),
    target: evaluate(store, programs.target, target),
  });
  const reviewedFor = (profile: Profile): Reviewed =>
    reviewedOf({ profile, inventories: session.profiles.inventoriesOf(profile), semantics, source: librariesOf(profile, source), target: librariesOf(profile, target) });

  const steps: { readonly name: string; readonly run: (made: ReturnType<typeof both>) => unknown }[] = [
    { name: 'parse', run: () => [files.source, files.target].forEach((side) => { new ParsedRelease(parser, { files: side }).delete(); }) },
    { name: 'parse and lower', run: async () => [await frontend.lower({ files: files.source }), await frontend.lower({ files: files.target })] },
    { name: 'evaluate', run: () => both() },
    { name: 'write summaries', run: ({ source: s, target: t }) => [...s.values(), ...t.values()].map((summary) => encodeSummary(summary)) },
    { name: 'compare: one call a tool', run: (made) => profiles.map((profile) => decideCall(made.source.get(profile)!, made.target.get(profile)!, { arguments: literalOf({ repo_path: '/srv/repo' }), inputs: { source: new Map(), target: new Map() } }, reviewedFor(profile))) },
    { name: 'compare: table of check', run: (made) => profiles.map((profile) => tabulatePair(made.source.get(profile)!, made.target.get(profile)!, reviewedFor(profile), { allClasses: false })) },
    { name: 'compare: report with predicates', run: (made) => profiles.map((profile) => reportPair(made.source.get(profile)!, made.target.get(profile)!, { arguments: profile.arguments.map((argument) => argument.name), additionalArguments: profile.additionalArguments }, reviewedFor(profile))) },
  ];
  const rows: string[][] = [];
  const medians = new Map<string, Sample>();
  for (const { name, run } of steps) {
    const samples: Sample[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      // A store of its own each time: what one round has worked out must not help the next.
      const made = both();
      const { sample } = await timed(() => run(made));
      if (round >= 0) samples.push(sample);
    }
    rows.push([name, ...sampleCells(samples)]);
    medians.set(name, median(samples));
  }
  printTable(`${SOURCE} and ${TARGET}, ${String(profiles.length)} tools, both sides, warm`, ['step', ...SAMPLE_HEAD], rows);
  const analysis = ['parse and lower', 'evaluate', 'compare: table of check'].map((name) => medians.get(name)!);
  console.log(`  analysis (lower, evaluate, table): ${ms(analysis.reduce((sum, one) => sum + one.wallMs, 0))}, processor ${ms(analysis.reduce((sum, one) => sum + one.cpuMs, 0))}`);

  console.log(`  diagram nodes of both sides of all tools: ${String(both().store.guards.nodeCount)}`);
}

async function readFiles(open: OpenRelease, reads: (path: string) => boolean): Promise<SourceFile[]> {
  const paths = open.release.files.map((file) => file.path).filter(reads);
  return Promise.all(paths.map(async (path) => ({ path, text: (await open.release.read(path)).toString('utf8') })));
}

/** Everything from the start of Node to its end: once with no summary at hand, once with all of them. */
async function benchCommand(root: string): Promise<void> {
  const command = [join(root, 'bin/fcd.js'), 'check', TARGET, '--against', SOURCE, '--cache', CACHE];
  const summaries = join(CACHE, 'summaries');
  const [cold, warm]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < COMMANDS; round += 1) {
    await rm(summaries, { recursive: true, force: true });
    for (const samples of [cold, warm]) {
      const { code, stderr, sample } = await runNode(root, command);
      if (code === null || code >= 64) throw new Error(`fcd check ended with ${String(code)}: ${stderr}`);
      samples.push(sample);
    }
  }
  printTable('fcd check, whole command with start-up', ['summaries', ...SAMPLE_HEAD], [
    ['made', ...sampleCells(cold)],
    ['remembered', ...sampleCells(warm)],
  ]);
}
