/**
 * One tool of one release under one profile → its summary. Pure: everything it reads is given, nothing it makes depends on
 * time, place or the order of discovery.
 */
import { InvariantError } from '../base/errors.js';
import type { Program } from '../ir/program.js';
import type { Span } from '../ir/span.js';
import type { Profile } from '../profile/profile.js';
import type { BoundLibrary } from './bound-library.js';
import { callValue } from './calls.js';
import { celGuard } from './cel-terms.js';
import { hasType } from './construct.js';
import { disclosedSources } from './disclosure.js';
import { evaluate } from './expressions.js';
import { FALSE, TRUE } from './guards.js';
import type { LanguageSemantics } from './language.js';
import { unreviewedLoads } from './load-closure.js';
import { runLoop } from './loops.js';
import { installParts, Machine } from './machine.js';
import type { FoundOutcome } from './paths.js';
import { readMember } from './members.js';
import { beginCall, callTool, findTool, NOWHERE, setUpServer, toolListing, type Listing } from './setup.js';
import { execute } from './statements.js';
import type { Store } from './store.js';
import type { Summary } from './summary.js';
import type { Guard, JsonType, TermId } from './terms.js';

installParts({ evaluate, execute, call: callValue, member: readMember, forEach: runLoop });

export interface AnalysisInput {
  readonly store: Store;
  readonly program: Program;
  readonly profile: Profile;
  readonly library: BoundLibrary;
  readonly semantics: LanguageSemantics;
  /** Name under which this release serves the tool. */
  readonly servedName: string;
  /** The server as `prepareServer` left it for the same store, program, library and entry points; made here when absent. */
  readonly prepared?: PreparedServer;
}

/** A server that has been set up and is about to get its first call. */
export interface PreparedServer {
  readonly machine: Machine;
  readonly serves: boolean;
  readonly serving: Guard;
  readonly listing: Listing | undefined;
}

/** Sets the server up once for all of its tools. Which tools are read from it, and in which order, changes no summary. */
export function prepareServer(input: Omit<AnalysisInput, 'servedName' | 'prepared'>): PreparedServer {
  const machine = new Machine(input.store, input.program, input.library, input.semantics);
  if (setUpServer(machine, input.profile).kind !== 'serving') {
    machine.outcomes = machine.outcomes
      .filter((found) => found.outcome.kind === 'escalate')
      .map((found) => ({ ...found, outcome: { ...found.outcome, when: TRUE } }));
    return { machine, serves: false, serving: TRUE, listing: undefined };
  }
  machine.outcomes = [];
  const [load] = unreviewedLoads(input.program, input.library, entryModule(machine, input.profile));
  if (load !== undefined) {
    machine.cur.guard = TRUE;
    machine.stop(
      'unreviewed-callee',
      `${load.identity} is called while a module loads and has no entry in the inventories`,
      load.span,
      `review ${load.identity} and add an entry`,
    );
    return { machine, serves: false, serving: TRUE, listing: undefined };
  }
  const serving = machine.cur.guard;
  beginCall(machine);
  return { machine, serves: true, serving, listing: toolListing(machine) };
}
export interface AnalysisResult {
  readonly summary: Summary;
  readonly usedFiles: readonly string[];
  readonly usedFunctions: readonly string[];
}

export function summarizeTool(input: AnalysisInput): AnalysisResult {
  const { store, program, profile } = input;
  const { machine, serves, serving, listing } = input.prepared ?? prepareServer(input);
  const m = machine.fork();
  let absent = false;
  let domain: Guard = TRUE;
  if (serves) {
    const tool = findTool(m, input.servedName, listing);
    if (tool.kind === 'absent') {
      absent = true;
      m.outcomes = [{ outcome: { kind: 'exit', when: TRUE, how: 'throw', type: 'fcd:tool-absent', effectsBefore: FALSE }, spans: [] }];
    } else if (tool.kind !== 'stopped') {
      // Arguments outside the supported domain are not read at all: the summary says nothing about them.
      domain = domainOf(m, profile);
      m.cur.guard = domain;
      const exits = m.collect(() => {
        const value = callTool(m, tool, input.servedName);
        m.leave('return', value);
      });
      if (exits.returns !== undefined) {
        m.cur = exits.returns.state;
        finish(m, 'return', exits.returns.value, tool.registration.span);
      }
      if (exits.throws !== undefined) {
        m.cur = exits.throws.state;
        finish(m, 'throw', exits.throws.value, tool.registration.span);
      }
    }
  }
  const outcomes = m.outcomes.filter((found) => found.outcome.when !== FALSE);
  if (outcomes.length === 0) throw new InvariantError(`${profile.tool} ends in nothing`);
  const summary: Summary = {
    store,
    tool: profile.tool,
    language: program.language,
    domain,
    serving,
    absent,
    outcomes: outcomes.map((found) => found.outcome),
    spans: outcomes.map((found) => found.spans.filter((span: Span) => span.file !== '')),
    inputs: inputsOf(store, outcomes),
    behaviours: [...m.usedBehaviours.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, behaviour]) => behaviour),
  };
  return { summary, usedFiles: [...m.usedFiles].sort(), usedFunctions: [...m.usedFunctions].sort() };
}

/** The module whose loading starts the program. */
function entryModule(m: Machine, profile: Profile): string {
  const entry = profile.entry.find((candidate) => m.program.functions.has(candidate.function));
  return entry === undefined ? '' : entry.function.slice(0, entry.function.indexOf('#'));
}

/** Records how the call ends and what its caller learns from it. */
function finish(m: Machine, how: 'return' | 'throw', value: TermId, span: Span): void {
  const guard = m.cur.guard;
  const effectsBefore = worldChanged(m, m.cur.world);
  for (const { when, leaf } of how === 'throw' ? m.leaves(value) : [{ when: TRUE, leaf: value }]) {
    const here = m.store.guards.and(guard, when);
    if (here === FALSE) continue;
    const type = how === 'throw' ? exceptionType(m, leaf) : undefined;
    m.record({ kind: 'exit', when: here, how, effectsBefore, ...(type === undefined ? {} : { type }) }, ...placeOf(m, [leaf], span));
    for (const { source, when: told } of disclosedSources(m.store, m.freeze(leaf), here)) {
      m.record({ kind: 'disclose', when: told, channel: 'caller', source }, ...placeOf(m, tellingLeaves(m, leaf, source), span));
    }
  }
}

/** Where a value was returned or thrown first; the registration, where none of these was. */
function placeOf(m: Machine, leaves: readonly TermId[], registration: Span): [Span, ...Span[]] {
  const [place, ...callers] = leaves.map((leaf) => m.leftAt.get(leaf)).find((known) => known !== undefined) ?? [];
  return place === undefined ? [registration] : [place, ...callers, registration];
}

/** The alternatives of a value that tell of `source`. */
function tellingLeaves(m: Machine, value: TermId, source: TermId): readonly TermId[] {
  const all = m.leaves(value).map(({ leaf }) => leaf);
  return all.length === 1 ? all : all.filter((leaf) => disclosedSources(m.store, m.freeze(leaf), TRUE).some((told) => told.source === source));
}

function exceptionType(m: Machine, leaf: TermId): string | undefined {
  const term = m.store.term(leaf);
  if (term.kind === 'error') return term.type;
  const object = m.object(leaf);
  if (object?.kind !== 'instance') return undefined;
  const identity = m.store.term(m.classIdentity(object.class));
  return identity.kind === 'constant' && identity.value.type === 'string' ? identity.value.value : undefined;
}

function worldChanged(m: Machine, world: TermId): Guard {
  return m.store.guards.any(m.leaves(world).map(({ when, leaf }) => (leaf === m.store.startWorld ? FALSE : when)));
}

function inputsOf(store: Store, found: readonly FoundOutcome[]): string[] {
  const inputs = new Set<string>();
  const add = (names: ReadonlySet<string>): void => {
    for (const name of names) inputs.add(name);
  };
  for (const { outcome } of found) {
    add(store.guardSources(outcome.when).inputs);
    if (outcome.kind === 'effect') {
      add(store.sources(outcome.call).inputs);
      for (const dimension of outcome.dimensions) add(store.sources(dimension.value).inputs);
    }
    if (outcome.kind === 'disclose') add(store.sources(outcome.source).inputs);
  }
  return [...inputs].sort();
}

const DOMAIN_TYPES: Readonly<Record<string, readonly JsonType[]>> = {
  string: ['string'],
  integer: ['integer'],
  number: ['integer', 'float'],
  boolean: ['boolean'],
  null: ['null'],
  array: ['array'],
  object: ['object'],
};

/** The profile's supported arguments: those that are given have a supported type. Missing ones are the handler's matter. */
function domainOf(m: Machine, profile: Profile): Guard {
  const { store } = m;
  const { guards } = store;
  let domain: Guard = TRUE;
  for (const argument of profile.arguments) {
    if (argument.types.includes('any')) continue;
    const value = store.intern({ kind: 'argument', path: [argument.name] });
    const types = argument.types.flatMap((type) => DOMAIN_TYPES[type] ?? []);
    const typed = guards.any(types.map((type) => hasType(store, value, type)));
    domain = guards.and(domain, guards.implies(m.has([argument.name]), typed));
  }
  if (profile.domain !== undefined)
    domain = guards.and(domain, celGuard(m, profile.domain.ast, new Map([['args', store.intern({ kind: 'argument', path: [] })]]), NOWHERE));
  return domain;
}
