/**
 * One side of a question: a release under a profile, with the dependency versions that it runs with, and the summary of
 * its tool. A summary that was made before by this very compiler, from the same release, profile, inventories and
 * versions, is read back, and the release is then not parsed.
 */
import { BoundLibrary } from '../analysis/bound-library.js';
import { TRUE } from '../analysis/guards.js';
import type { LanguageSemantics } from '../analysis/language.js';
import type { Store } from '../analysis/store.js';
import { prepareServer, summarizeTool, type AnalysisResult, type PreparedServer } from '../analysis/summarize.js';
import type { Evidence, Summary, UsedDependency } from '../analysis/summary.js';
import { digestOfJson, type Digest } from '../base/digest.js';
import { FcdError } from '../base/errors.js';
import { parsePurl } from '../base/purl.js';
import { structuralDigest } from '../ir/normal-form.js';
import type { Program } from '../ir/program.js';
import { ecosystemOf } from '../profile/language.js';
import type { Profile } from '../profile/profile.js';
import { resolveDependencies, uncoveredDependencies, versionLookup } from './dependencies.js';
import { compilerIdentity } from './host.js';
import type { InputValues } from './inputs.js';
import { requireSemantics } from './languages.js';
import { fitProfile, servedName } from './project.js';
import { readRemembered, remember, type Analysed } from './remembered.js';
import type { OpenRelease, Session } from './session.js';

/** Bumped when an IR node changes its meaning. */
const IR_VERSION = 1;

/** What a summary depends on, before it is made. */
export interface SideRequest {
  readonly open: OpenRelease;
  readonly profile: Profile;
  readonly servedName: string;
  /** All that are known, sorted by name. */
  readonly dependencies: readonly UsedDependency[];
  readonly library: BoundLibrary;
  /** Equal keys have equal summaries. */
  readonly key: Digest;
  /** Equal keys have equal servers: the tool apart. */
  readonly setupKey: Digest;
}

export function requestSide(session: Session, open: OpenRelease, profile: Profile, inputs: InputValues): SideRequest {
  const { release } = open;
  const ecosystem = ecosystemOf(profile.language);
  const dependencies = resolveDependencies(ecosystem, release.dependencies, inputs);
  const fit = fitProfile(profile, open.packages);
  const served = servedName(profile, fit.kind === 'other-package' ? undefined : fit.version);
  const inventories = session.profiles.inventoriesOf(profile);
  const key = digestOfJson({
    identity: release.identity,
    subpath: release.subpath,
    served,
    dependencies: relevantDependencies(dependencies, profile, session),
    profile: profile.digest,
    inventories: inventories.map((inventory) => inventory.digest),
    compiler: compilerIdentity().build,
  });
  const setupKey = digestOfJson({
    identity: release.identity,
    subpath: release.subpath,
    dependencies: relevantDependencies(dependencies, profile, session),
    entry: profile.entry.map(({ function: name, decorators, parameters }) => ({
      name,
      decorators,
      parameters: parameters.map(({ name: parameter, input, type, nullable }) => ({ parameter, input, type, nullable })),
    })),
    entries: [...profile.entries.values()].map((entry) => entry.digest),
    inventories: inventories.map((inventory) => inventory.digest),
  });
  return {
    open,
    profile,
    servedName: served,
    dependencies,
    library: new BoundLibrary(session.profiles.inventorySet(profile), versionLookup(ecosystem, dependencies)),
    key,
    setupKey,
  };
}

export async function analyseSide(session: Session, store: Store, request: SideRequest): Promise<Analysed> {
  const remembered = await readRemembered(session.summaries, request.key, store);
  if (remembered !== undefined) return remembered;
  const { profile, open } = request;
  session.progress(`reading ${open.label}`);
  const semantics = await requireSemantics(profile.language);
  const program = await open.program(profile.language);
  session.progress(`analysing ${profile.tool} of ${open.label}`);
  const result = summarize(request, store, program, semantics);
  const summary = withinDependencyRanges(result.summary, request);
  return remember(session.summaries, request.key, summary, (semantic, spans) => evidenceOf(session, request, program, result, semantic, spans));
}

/** An analysis that passes a limit of its store says so as an escalation, like every other limit. */
function summarize(request: SideRequest, store: Store, program: Program, semantics: LanguageSemantics): AnalysisResult {
  const { profile, library, servedName: served } = request;
  try {
    return summarizeTool({ store, program, profile, library, semantics, servedName: served, prepared: preparedServer(request, store, program, semantics) });
  } catch (error) {
    if (!(error instanceof FcdError)) throw error;
    const { message, next } = error as FcdError;
    const stop = { kind: 'escalate', when: TRUE, code: 'limit', message, next: next ?? 'split the handler, or review it by hand' } as const;
    const summary: Summary = {
      store,
      tool: profile.tool,
      language: program.language,
      domain: TRUE,
      serving: TRUE,
      absent: false,
      outcomes: [stop],
      inputs: [],
      behaviours: [],
      spans: [[]],
    };
    return { summary, usedFiles: [], usedFunctions: [] };
  }
}

/** Servers that were set up in a store, by everything that the setup depends on. */
const prepared = new WeakMap<Store, Map<Digest, PreparedServer>>();

function preparedServer(request: SideRequest, store: Store, program: Program, semantics: LanguageSemantics): PreparedServer {
  const { profile, library } = request;
  let known = prepared.get(store);
  if (known === undefined) prepared.set(store, (known = new Map<Digest, PreparedServer>()));
  const before = known.get(request.setupKey);
  if (before !== undefined) return before;
  const server = prepareServer({ store, program, profile, library, semantics });
  known.set(request.setupKey, server);
  return server;
}

/** Versions outside the profile's ranges are outside what was reviewed: nothing is decided then. */
function withinDependencyRanges(summary: Summary, { dependencies, profile }: SideRequest): Summary {
  const problems = uncoveredDependencies(ecosystemOf(profile.language), dependencies, profile.dependencies);
  if (problems.length === 0) return summary;
  const stops = problems.map(
    (message) =>
      ({
        kind: 'escalate',
        when: TRUE,
        code: 'version-unknown',
        message,
        next: 'review that version of the dependency and widen the range in the profile',
      }) as const,
  );
  return { ...summary, outcomes: [...summary.outcomes, ...stops], spans: [...summary.spans, ...stops.map(() => [])] };
}

/** Only what inventories or the profile speak of can change a summary. */
function relevantDependencies(dependencies: readonly UsedDependency[], profile: Profile, session: Session): readonly UsedDependency[] {
  const packages = session.profiles.inventoriesOf(profile).flatMap((inventory) => (inventory.package === undefined ? [] : [parsePurl(inventory.package)]));
  const names = new Set([...packages.map((purl) => purl.name), ...profile.dependencies.keys()]);
  return dependencies.filter((dependency) => names.has(dependency.name));
}

function evidenceOf(session: Session, request: SideRequest, program: Program, result: AnalysisResult, semantic: Digest, spans: Evidence['spans']): Evidence {
  const { release } = request.open;
  const { profile } = request;
  const { purl, artifact, tree } = release.identity;
  const files = new Map(release.files.map((file) => [file.path, file.sha256]));
  const compiler = compilerIdentity();
  return {
    schema: 1,
    semantic,
    release: { purl, ...(artifact === undefined ? {} : { artifact }), tree },
    files: result.usedFiles.map((path) => ({ path, sha256: files.get(path) ?? '' })),
    functions: result.usedFunctions.flatMap((id) => {
      const fn = program.functions.get(id);
      return fn === undefined ? [] : [{ function: id, digest: structuralDigest(fn, program) }];
    }),
    dependencies: relevantDependencies(request.dependencies, profile, session),
    profile: { id: profile.id, version: profile.version, digest: profile.digest },
    inventories: session.profiles.inventoriesOf(profile).map(({ id, digest }) => ({ id, digest })),
    compiler: { name: compiler.name, version: compiler.version, ir: IR_VERSION },
    spans,
  };
}
