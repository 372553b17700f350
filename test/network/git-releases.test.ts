/**
 * Every release of mcp-server-git that the package index has, under every profile of its pack: each release equals itself
 * by evaluation, adjacent releases are compared both ways, and what is known of one boundary from the source holds.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { literalOf } from '../../src/analysis/literal.js';
import type { JsonObject } from '../../src/base/canonical-json.js';
import type { PairReport, Verdict } from '../../src/compatibility/verdict.js';
import type { InputValues, SidedInputs } from '../../src/pipeline/inputs.js';
import { openGitReleases, PROJECT, publishedVersions } from './git-releases.js';
import { ROOT, run } from './run-node.js';

const MINUTE_MS = 60_000;
const releases = openGitReleases();
const tools = releases.profiles.map((profile) => profile.tool);
let versions: readonly string[] = [];

beforeAll(async () => {
  versions = await publishedVersions(PROJECT);
  // One after the other: each asks pip.
  for (const version of versions) await releases.open(version);
}, 4 * MINUTE_MS);

async function report(tool: string, source: string, target: string): Promise<PairReport> {
  const profile = releases.profiles.find((candidate) => candidate.tool === tool)!;
  const inputs = { source: await unlocked(source), target: await unlocked(target) };
  const question = { source: await releases.open(source), target: await releases.open(target), profile, inputs, shortcut: false };
  return (await releases.pairs.report(question)).decision;
}

/** What is given of a release's dependencies: those that its lock file does not settle. */
async function unlocked(version: string): Promise<InputValues> {
  const { release } = await releases.open(version);
  const open = release.dependencies.filter((dependency) => dependency.locked === undefined).map((dependency) => `dependency:${dependency.name}`);
  return new Map([...UNLOCKED].filter(([name]) => open.includes(name)));
}

/** Why a release is not found equal to itself; a tool that it does not serve has nothing to compare. */
function notEqual(answer: PairReport): readonly string[] {
  const { verdict, classes, reasons } = answer;
  const stops = [...reasons, ...classes.flatMap((row) => row.reasons)];
  if (stops.length > 0 && stops.every((reason) => reason.code === 'tool-absent')) return [];
  if (isEqual(answer)) return [];
  const told = stops.map((reason) => `${reason.code}: ${reason.message} (${reason.span === undefined ? '' : `${reason.span.file}:${reason.span.line}`})`);
  return [...new Set([verdict, ...classes.map((row) => `${row.condition}: ${row.verdict}`), ...told])];
}

/** Versions of dependencies with which a release is looked at whose lock file is silent, or contradicts its metadata. */
const UNLOCKED: ReadonlyMap<string, string> = new Map([['dependency:mcp', '1.1.0']]);

describe('all releases', () => {
  it('are many, and the pack has a profile for each of many tools', () => {
    expect(versions.length).toBeGreaterThanOrEqual(21);
    expect(tools.length).toBeGreaterThanOrEqual(12);
  });

  it(
    'are each equal to themselves by evaluation, tool by tool',
    async () => {
      const found: Record<string, readonly string[]> = {};
      for (const version of versions) {
        for (const tool of tools) {
          const why = await attempt(async () => notEqual(await report(tool, version, version)));
          if (why.length > 0) found[`${tool} of ${version}`] = why;
        }
      }
      // A function that calls itself is escalated, never guessed: the one handler that builds a tree of folders.
      const isRecursive = (why: readonly string[]): boolean =>
        why.filter((line) => /^[a-z-]+: .* \(.*\)$/.test(line)).every((line) => line.startsWith('recursion: '));
      const recursive = Object.keys(found).filter((key) => isRecursive(found[key]!));
      expect(recursive.every((key) => key.startsWith('git_get_repo_structure of '))).toBe(true);
      expect(Object.fromEntries(Object.entries(found).filter(([key]) => !recursive.includes(key)))).toEqual({});
    },
    4 * MINUTE_MS,
  );

  it(
    'are compared with their neighbours in both directions, within limits and with an answer',
    async () => {
      const found: Record<string, readonly string[]> = {};
      for (const [at, newer] of versions.entries()) {
        const older = versions[at - 1];
        if (older === undefined) continue;
        for (const tool of tools) {
          const why = await attempt(async () => {
            const forward = await report(tool, older, newer);
            // What is equal one way is equal the other way.
            return isEqual(forward) ? [] : [...noAnswer(forward), ...noAnswer(await report(tool, newer, older))];
          });
          if (why.length > 0) found[`${tool} ${older} and ${newer}`] = why;
        }
      }
      expect(found).toEqual({});
    },
    4 * MINUTE_MS,
  );
});

async function attempt(run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await run();
  } catch (error) {
    return [String(error)];
  }
}

function isEqual({ verdict, classes }: PairReport): boolean {
  return verdict === 'compatible' && classes.every((row) => row.verdict === 'equal');
}

function noAnswer({ verdict, classes, reasons }: PairReport): readonly string[] {
  const codes = new Set([...reasons, ...classes.flatMap((row) => row.reasons)].map((reason) => reason.code));
  return codes.has('limit') || (classes.length === 0 && codes.size === 0) ? [`${verdict}: ${[...codes].join()}`] : [];
}

const OLD = '2025.9.25';
const NEW = '2025.12.18';
const REPOSITORY = '/srv/repo';
/** Known to be unset on both sides. */
const INPUTS: SidedInputs = { source: new Map([['option:repository', null]]), target: new Map([['option:repository', null]]) };

async function decide(tool: string, source: string, target: string, call: JsonObject): Promise<Verdict> {
  const profile = releases.profiles.find((candidate) => candidate.tool === tool)!;
  const question = { source: await releases.open(source), target: await releases.open(target), profile, inputs: INPUTS, shortcut: false };
  const { decision } = await releases.pairs.decide(question, literalOf({ repo_path: REPOSITORY, ...call }), new Map());
  return decision.verdict;
}

/** Read off the two sources: the newer one refuses words that begin with a dash, and asks the library for the revision first. */
describe(`the boundary between ${OLD} and ${NEW}`, () => {
  it.each<[tool: string, call: JsonObject, forward: readonly Verdict[], backward: readonly Verdict[]]>([
    // The old one hands the word to git as an option, which may write a file; the new one refuses it.
    ['git_diff', { target: '--output=notes.txt' }, ['narrower'], ['changed']],
    ['git_diff', { target: '--output=../notes.txt' }, ['narrower'], ['changed']],
    ['git_diff', { target: '--stat' }, ['narrower'], ['changed']],
    // No revision is spelled like this, so the new one's check of the revision always fails.
    ['git_diff', { target: 'main..feature' }, ['narrower'], ['changed']],
    ['git_diff', { target: 'main...feature' }, ['narrower'], ['changed']],
    // A full commit id: the check and the diff fail alike, where it is not there.
    ['git_diff', { target: '9f2c4e7d1a3b5c6d8e0f1a2b3c4d5e6f7a8b9c0d' }, ['equal', 'narrower'], ['equal', 'escalated']],
    // Whether the name is known to the library decides; git might know it where the library does not.
    ['git_diff', { target: 'HEAD~1' }, ['equal', 'narrower'], ['equal', 'changed', 'escalated']],
    ['git_diff', { target: 'main' }, ['equal', 'narrower'], ['equal', 'changed', 'escalated']],
    // Refused by both before anything happens.
    ['git_diff', {}, ['equal'], ['equal']],
    ['git_diff_unstaged', {}, ['equal'], ['equal']],
    ['git_diff_staged', {}, ['equal'], ['equal']],
    ['git_checkout', { branch_name: '-f' }, ['narrower'], ['changed']],
    ['git_checkout', { branch_name: '--orphan=clean' }, ['narrower'], ['changed']],
    // A path is restored by the old one, and is no revision for the new one.
    ['git_checkout', { branch_name: '.' }, ['narrower'], ['changed']],
    ['git_checkout', { branch_name: 'main' }, ['equal', 'narrower'], ['changed', 'escalated']],
    ['git_checkout', { branch_name: 'release/2.0' }, ['narrower'], ['changed', 'escalated']],
  ])('%s %j', async (tool, call, forward, backward) => {
    expect(forward).toContain(await decide(tool, OLD, NEW, call));
    expect(backward).toContain(await decide(tool, NEW, OLD, call));
  });
});

/** Answers written from the sources by hand; they are beside the project where it is developed, and not part of it. */
const ORACLE = join(import.meta.dirname, '../../../shared/oracle');
const CASES = join(ORACLE, 'cases/git.jsonl');
const MIN_RIGHT = '0.9';

describe('the answers that were written by hand', () => {
  const isThere = existsSync(CASES);
  if (!isThere) console.warn(`not scored: there is no ${relative(join(import.meta.dirname, '../..'), CASES)} beside this project`);
  it.skipIf(!isThere)(
    `are given by "decide --batch": nothing falsely certified, ${MIN_RIGHT} of the decidable right`,
    async () => {
      const batch = await run([join(ROOT, 'bin/fcd.js'), 'decide', '--batch', CASES]);
      expect([0, 1, 2], batch.stderr).toContain(batch.code);
      const answers = join(await mkdtemp(join(tmpdir(), 'fcd-oracle-')), 'answers.jsonl');
      await writeFile(answers, batch.stdout);
      const score = await run([join(ORACLE, 'score.mjs'), CASES, answers, '--min-right', MIN_RIGHT]);
      await rm(dirname(answers), { recursive: true });
      expect(score.code, score.stdout + score.stderr).toBe(0);
    },
    4 * MINUTE_MS,
  );
});
