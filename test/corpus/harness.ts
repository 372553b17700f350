/**
 * Small tool servers from source text, through the real frontend, evaluator and decision, in process. The library that
 * they use is made up (test/fixtures/depot); everything else is what ships with fcd.
 */
import { expect } from 'vitest';
import { join } from 'node:path';
import { BoundLibrary } from '../../src/analysis/bound-library.js';
import { literalOf } from '../../src/analysis/literal.js';
import { Store } from '../../src/analysis/store.js';
import { summarizeTool } from '../../src/analysis/summarize.js';
import { encodeSummary } from '../../src/analysis/summary-codec.js';
import { callSubstitution, rewriteSummary } from '../../src/analysis/specialise.js';
import { Rewriter } from '../../src/analysis/rewrite.js';
import type { Summary } from '../../src/analysis/summary.js';
import { canonicalJson, type JsonObject } from '../../src/base/canonical-json.js';
import { digestOf } from '../../src/base/digest.js';
import { decideCall } from '../../src/compatibility/decide.js';
import { reportPair } from '../../src/compatibility/report.js';
import type { CallDecision, PairReport, Reason } from '../../src/compatibility/verdict.js';
import { loadFrontend } from '../../src/frontends/index.js';
import type { Program } from '../../src/ir/program.js';
import { resolveDependencies, versionLookup } from '../../src/pipeline/dependencies.js';
import { factsGuard } from '../../src/pipeline/facts.js';
import { requireSemantics } from '../../src/pipeline/languages.js';
import { ProfileLibrary } from '../../src/pipeline/profiles.js';
import { reviewedOf } from '../../src/pipeline/reviewed.js';

export const FOLDER = join(import.meta.dirname, '../fixtures/depot/profiles');
const profiles = new ProfileLibrary(FOLDER);
const profile = profiles.profiles.find((candidate) => candidate.tool === 'act')!;

export type Files = Readonly<Record<string, string>>;

/** One release: its source files, what it is deployed with. */
export interface Release {
  readonly files: Files;
  /** Resolved versions; `depot` 1.0 and `mcp` 1.2.0 by default. */
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string | null>>;
}

export interface ServerParts {
  /** Top-level code of the server's module, before `serve`. */
  readonly top?: string;
  /** Code of `serve` before the handlers. */
  readonly setup?: string;
  /** Body of `act(arguments)`. */
  readonly body: string;
  /** Top-level code with `act` in it, in place of `top` and `body`. */
  readonly module?: string;
  /** Code after everything else in the module. */
  readonly bottom?: string;
  /** More handlers inside `serve`. */
  readonly handlers?: string;
  /** More modules by path. */
  readonly files?: Files;
  /** More cases of the dispatch, as `match` arms indented by zero. */
  readonly cases?: string;
}

const indent = (text: string, by: number): string =>
  dedent(text)
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : ' '.repeat(by) + line))
    .join('\n');

/** Text written indented in a test, moved to the left margin. */
export function dedent(text: string): string {
  const lines = text.replace(/^\n/, '').trimEnd().split('\n');
  const margin = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length));
  return lines.map((line) => line.slice(Number.isFinite(margin) ? margin : 0)).join('\n');
}

/** A low-level server of one tool `act`, in the form that real servers have. */
export function server(parts: string | ServerParts): Release {
  const { top = '', setup = '', body, module, bottom = '', handlers = '', files = {}, cases = '' } = typeof parts === 'string' ? { body: parts } : parts;
  const text = `import depot
from depot import DepotError, Refused, Missing
from depot import files, web, db, vault, cli, net, clock, env, aio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import TextContent, Tool

${module ?? `${dedent(top)}\n\n\ndef act(arguments):\n${indent(body, 4)}`}


async def serve() -> None:
    server = Server("depot")
${indent(setup, 4)}

    @server.list_tools()
    async def list_tools():
        return [Tool(name="act", description="Acts", inputSchema={"type": "object"}), Tool(name="other", description="Acts otherwise", inputSchema={"type": "object"})]

${indent(handlers, 4)}

    @server.call_tool()
    async def call_tool(name, arguments):
        match name:
            case "act":
                return [TextContent(type="text", text=str(${module?.includes('async def act(') === true ? 'await ' : ''}act(arguments)))]
${indent(cases, 12)}
            case _:
                raise ValueError("there is no such tool")

    options = server.create_initialization_options()
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, options)

${dedent(bottom)}
`;
  return { files: { 'depot_server/__init__.py': '', 'depot_server/server.py': text, ...files } };
}

export interface Analysis {
  readonly summary: Summary;
  readonly library: BoundLibrary;
  readonly program: Program;
  readonly usedFiles: readonly string[];
}

export async function lower(files: Files): Promise<Program> {
  const frontend = (await loadFrontend('python'))!;
  return frontend.lower({ files: Object.entries(files).map(([path, text]) => ({ path, text })) });
}

export async function analyse(release: Release, store = new Store()): Promise<Analysis> {
  const versions = { depot: '1.0', mcp: '1.2.0', pydantic: '2.7', ...release.dependencies };
  const inputs = new Map(Object.entries(versions).map(([name, version]) => [`dependency:${name}`, version]));
  const library = new BoundLibrary(profiles.inventorySet(profile), versionLookup('pypi', resolveDependencies('pypi', [], inputs)));
  const program = await lower(release.files);
  const result = summarizeTool({ store, program, profile, library, semantics: await requireSemantics('python'), servedName: 'act' });
  return { summary: result.summary, library, program, usedFiles: result.usedFiles };
}

export interface Pair {
  readonly source: Analysis;
  readonly target: Analysis;
  decide(call: JsonObject, facts?: Readonly<Record<string, boolean>>): CallDecision;
  report(): PairReport;
}

export async function pair(sourceRelease: Release, targetRelease: Release): Promise<Pair> {
  const store = new Store();
  const source = await analyse(sourceRelease, store);
  const target = sourceRelease === targetRelease ? source : await analyse(targetRelease, store);
  const semantics = await requireSemantics('python');
  const reviewed = reviewedOf({ profile, inventories: profiles.inventoriesOf(profile), semantics, source: source.library, target: target.library });
  const inputs = { source: new Map(Object.entries(sourceRelease.inputs ?? {})), target: new Map(Object.entries(targetRelease.inputs ?? {})) };
  return {
    source,
    target,
    decide(call, facts = {}) {
      const declared = factsGuard([source.summary, target.summary], profile, source.library, new Map(Object.entries(facts)));
      return decideCall(source.summary, target.summary, { arguments: literalOf(call), inputs, facts: declared }, reviewed);
    },
    report() {
      const known = (summary: Summary, values: ReadonlyMap<string, string | null>): Summary => {
        if (values.size === 0) return summary;
        const { fold } = reviewed.knowledge;
        const { input } = callSubstitution(store, { arguments: { kind: 'object', members: new Map() }, inputs: values }, fold);
        return rewriteSummary(summary, new Rewriter(store, fold, input === undefined ? {} : { input }));
      };
      return reportPair(
        known(source.summary, inputs.source),
        known(target.summary, inputs.target),
        { arguments: profile.arguments.map((argument) => argument.name), additionalArguments: true },
        reviewed,
      );
    },
  };
}

export async function decide(
  source: Release | string | ServerParts,
  target: Release | string | ServerParts,
  call: JsonObject,
  facts: Readonly<Record<string, boolean>> = {},
): Promise<CallDecision> {
  return (await pair(releaseOf(source), releaseOf(target))).decide(call, facts);
}

export function releaseOf(given: Release | string | ServerParts): Release {
  if (typeof given === 'string' || 'body' in given) return server(given);
  return given;
}

/** Bytes of the semantic part. */
export function semanticText(summary: Summary): string {
  return canonicalJson(encodeSummary(summary).semantic);
}
export async function semanticDigest(release: Release): Promise<string> {
  return digestOf(semanticText((await analyse(release)).summary));
}

/** How a decision reads in a failure message. */
export function told(decision: CallDecision): string {
  const effects = (list: CallDecision['sourceEffects']): string =>
    list.map((effect) => `${effect.operation} ${JSON.stringify(effect.dimensions)} when ${effect.when}`).join('\n    ');
  return `${decision.verdict}\n  source: ${effects(decision.sourceEffects)}\n  target: ${effects(decision.targetEffects)}\n  ${decision.reasons.map(reasonText).join('\n  ')}`;
}
function reasonText(reason: Reason): string {
  return `${reason.code} (${reason.side}) ${reason.message} @${reason.span?.file ?? '?'}:${String(reason.span?.line ?? '?')}`;
}

/** The decision is not a certificate, and says why and where. */
export function expectRefused(decision: CallDecision, verdict: 'changed' | 'escalated' | 'either', ...codes: readonly string[]): void {
  const allowed = verdict === 'either' ? ['changed', 'escalated'] : [verdict];
  expect(allowed, told(decision)).toContain(decision.verdict);
  const placed = decision.reasons.filter(
    ({ code, span }) => codes.includes(code) && span !== undefined && /^depot_server\/\w+\.py$/.test(span.file) && span.line > 1,
  );
  expect(placed.length, `wanted ${codes.join(' or ')} with a place, got ${told(decision)}`).toBeGreaterThan(0);
}

export function expectEqual(decision: CallDecision): void {
  expect(decision.verdict, told(decision)).toBe('equal');
}
