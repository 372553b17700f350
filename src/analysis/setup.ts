/**
 * From the release's entry point to the handler of one tool: the server is set up symbolically, what it registers is
 * collected, and the handler under the tool's served name is found and bound to the call's arguments.
 */
import type { Profile } from '../profile/profile.js';
import type { Span } from '../ir/span.js';
import type { IrFunction } from '../ir/program.js';
import { equal, plainItems } from './construct.js';
import { callExternal } from './inventory-calls.js';
import { makeClosure } from './closures.js';
import { FALSE, TRUE } from './guards.js';
import type { Machine, Registration } from './machine.js';
import type { FoundOutcome } from './paths.js';
import { mergeStates, type State } from './state.js';
import { awaitValue } from './expressions.js';
import { textOf } from './text-tests.js';
import type { Guard, TermId } from './terms.js';

export const NOWHERE: Span = { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 };

export type SetupResult = { readonly kind: 'serving' } | { readonly kind: 'stopped' };

/** Runs the first entry point of the profile that the release has, up to where the server serves. */
export function setUpServer(m: Machine, profile: Profile): SetupResult {
  const found = profile.entry.map((entry) => ({ entry, fn: m.program.functions.get(entry.function) })).find((candidate) => candidate.fn !== undefined);
  if (found?.fn === undefined) {
    const broken = m.program.syntaxErrors[0];
    if (broken !== undefined) {
      m.stop('syntax-error', broken.detail, broken.span, 'check that the release is for this version of the language');
      return { kind: 'stopped' };
    }
    m.stop(
      'entry-missing',
      `none of the entry points ${profile.entry.map((e) => e.function).join(', ')} is in the release`,
      NOWHERE,
      'add the entry point of this release to the profile',
    );
    return { kind: 'stopped' };
  }
  const { entry, fn } = found;
  if (!decoratorsAllowed(m, fn, entry.decorators)) return { kind: 'stopped' };
  const keywords = entry.parameters.map((parameter) => {
    const raw = m.store.intern({
      kind: 'input',
      name: parameter.input,
      type: parameter.nullable ? `optional<${scalarType(parameter.type)}>` : scalarType(parameter.type),
    });
    // Only a value that is set is converted.
    const typed = (): TermId =>
      parameter.type.includes('#')
        ? callExternal(m, m.library.canonical(parameter.type), undefined, { positional: [{ kind: 'value', value: raw }], keywords: [] }, fn.span)
        : raw;
    const value = parameter.nullable ? m.branch(m.isNull(raw), () => m.store.null, typed) : typed();
    return { kind: 'named' as const, name: parameter.name, value };
  });
  const extra = fn.parameters.find(
    (p) => p.default === undefined && p.kind !== 'rest' && p.kind !== 'keyword-rest' && !entry.parameters.some((e) => e.name === p.name),
  );
  if (extra !== undefined) {
    m.stop(
      'unbound-input',
      `the entry point has a parameter ${extra.name} that the profile does not bind`,
      extra.span,
      'add the parameter and its input to the profile',
    );
    return { kind: 'stopped' };
  }
  const known = keywords.filter((keyword) => fn.parameters.some((p) => p.name === keyword.name));
  const closure = makeClosure(m, fn.id, fn.span);
  const exits = m.collect(() => {
    awaitValue(m, m.call(closure, { positional: [], keywords: known }, fn.span), fn.span);
  });
  let state: State | undefined;
  for (const serving of m.serving) state = state === undefined ? serving.state : mergeStates(m.store, state, serving.state);
  if (state === undefined || state.guard === FALSE) {
    if (!m.outcomes.some((found) => found.outcome.kind === 'escalate')) {
      m.cur.guard = TRUE;
      const how = exits.throws === undefined ? 'ends without serving' : `throws ${describeThrown(m, exits.throws)}`;
      m.stop('registration-unproved', `the entry point ${how}`, fn.span, 'check the entry point and the server model in the inventories');
    }
    return { kind: 'stopped' };
  }
  m.cur = state;
  return { kind: 'serving' };
}

/** The types that the setup may throw, for a message. */
function describeThrown(m: Machine, thrown: { state: State; value: TermId }): string {
  m.cur = { ...thrown.state, guard: TRUE };
  const names = m.leaves(thrown.value).map(({ leaf }) => {
    const term = m.store.term(leaf);
    if (term.kind === 'error') return term.type ?? 'an unknown exception';
    const object = m.object(leaf);
    if (object?.kind !== 'instance') return 'something';
    const args = m.store.term(object.fields.get('args') ?? m.store.null);
    const first = plainItems(args)?.[0];
    return `${textOf(m.store, m.classIdentity(object.class)) ?? '?'}${first === undefined ? '' : `: ${textOf(m.store, first) ?? ''}`}`;
  });
  return [...new Set(names)].join(', ');
}

function scalarType(type: string): string {
  return type.includes('#') ? 'str' : type;
}

function decoratorsAllowed(m: Machine, fn: IrFunction, allowed: readonly string[]): boolean {
  for (const decorator of fn.decorators) {
    const callee = decorator.kind === 'call' ? decorator.callee : decorator;
    const value = m.store.term(m.evaluate(callee));
    if (value.kind === 'external' && value.self === undefined && allowed.map((identity) => m.library.canonical(identity)).includes(value.identity)) continue;
    m.stop(
      'unsupported-syntax',
      `the entry point ${fn.name} has a decorator that the profile does not allow`,
      decorator.span,
      'review the decorator and list it in the profile',
    );
    return false;
  }
  return true;
}

/** Starts the call: what the setup made stays as it was, the path condition is open again. */
export function beginCall(m: Machine): void {
  m.setupFrames = m.cur.frames;
  m.setupActivations = m.activations.length;
  for (const allocation of m.cur.heap.keys()) m.setupAllocations.add(allocation);
  m.cur = { guard: TRUE, frames: new Map(), heap: new Map(m.cur.heap), world: m.store.startWorld };
  m.phase = 'call';
  m.exits = {};
  m.activation = -1;
  m.callStack.length = 0;
  m.contexts.length = 0;
}

export type FoundTool =
  | { readonly kind: 'dispatch'; readonly registration: Registration; readonly schema?: TermId }
  | { readonly kind: 'tool'; readonly registration: Registration }
  | { readonly kind: 'absent' }
  | { readonly kind: 'stopped' };

/** Finds the one registration under the served name. Runs in the call phase. */
export function findTool(m: Machine, served: string, listing: Listing | undefined): FoundTool {
  const name = m.store.string(served);
  const named = m.registrations.filter((r) => r.role === 'tool');
  const matching: Registration[] = [];
  for (const registration of named) {
    const same = equal(m.store, textTerm(m, registration.fields.get('name') ?? m.store.null), name);
    if (same === FALSE) continue;
    if (same !== TRUE) return stopped(m, 'registration-unproved', `whether a tool is registered as ${served} depends on the setup`, registration.span);
    matching.push(registration);
  }
  const dispatchers = m.registrations.filter((r) => r.role === 'tool-dispatch');
  if (matching.length + (dispatchers.length > 0 ? 1 : 0) > 1 || dispatchers.length > 1) {
    return stopped(m, 'tool-registered-twice', `${served} has more than one handler`, (matching[1] ?? dispatchers[1] ?? dispatchers[0]!).span);
  }
  const tool = matching[0];
  if (tool !== undefined)
    return m.isRegistered(tool)
      ? { kind: 'tool', registration: tool }
      : stopped(m, 'registration-unproved', `${served} is registered only sometimes`, tool.span);
  const dispatcher = dispatchers[0];
  if (dispatcher === undefined) return named.length > 0 ? { kind: 'absent' } : stopped(m, 'registration-unproved', 'the release registers no tools', NOWHERE);
  if (!m.isRegistered(dispatcher)) return stopped(m, 'registration-unproved', 'the tool handler is registered only sometimes', dispatcher.span);
  return listed(m, dispatcher, served, listing ?? listTools(m, dispatcher));
}

/** A name as text: enum members and the like are what they convert to. */
function textTerm(m: Machine, value: TermId): TermId {
  return textOf(m.store, value) === undefined ? m.semantics.convert(m, 'value', value, undefined, NOWHERE) : value;
}

/** What the handler of the tool list gives: the same for every tool. */
export type Listing =
  | { readonly kind: 'tools'; readonly tools: readonly { readonly name: TermId; readonly schema?: TermId }[] }
  | { readonly kind: 'unproved'; readonly span: Span; readonly message: string; readonly stops: readonly FoundOutcome[] };

/** Runs the list handler on a path of its own; undefined where nothing registers a dispatcher. */
export function toolListing(m: Machine): Listing | undefined {
  const dispatcher = m.registrations.find((registration) => registration.role === 'tool-dispatch');
  return dispatcher === undefined ? undefined : listTools(m, dispatcher);
}

function listTools(m: Machine, dispatcher: Registration): Listing {
  const lists = m.registrations.filter((r) => r.role === 'tool-list');
  const only = lists[0];
  if (only === undefined || lists.length > 1)
    return { kind: 'unproved', message: 'the list of tools is not registered exactly once', span: (lists[1] ?? dispatcher).span, stops: [] };
  const saved = { cur: m.cur, exits: m.exits, outcomes: m.outcomes };
  m.cur = { guard: TRUE, frames: new Map(saved.cur.frames), heap: new Map(saved.cur.heap), world: saved.cur.world };
  m.exits = {};
  m.outcomes = [];
  const result = awaitValue(m, m.call(only.fields.get('handler') ?? m.store.null, { positional: [], keywords: [] }, only.span), only.span);
  const stops = m.outcomes.filter((found) => found.outcome.kind === 'escalate');
  const failed = stops.length > 0 || m.cur.guard !== TRUE;
  const items = failed ? undefined : plainItems(m.store.term(m.content(result)));
  const tools: { name: TermId; schema?: TermId }[] = [];
  for (const item of items ?? []) {
    const tool = m.store.term(m.content(item));
    const field = (key: string): TermId | undefined =>
      tool.kind === 'record' ? tool.fields.find((f) => textOf(m.store, f.key) === key && f.when === TRUE)?.value : undefined;
    const name = field('name');
    const schema = field('inputSchema');
    if (name !== undefined) tools.push({ name: textTerm(m, name), ...(schema === undefined ? {} : { schema }) });
  }
  const heap = m.cur.heap;
  m.cur = saved.cur;
  m.exits = saved.exits;
  m.outcomes = saved.outcomes;
  for (const [allocation, object] of heap) if (!m.cur.heap.has(allocation)) m.cur.heap.set(allocation, object);
  if (items === undefined || tools.length < items.length) return { kind: 'unproved', message: 'the list of tools is not proved', span: only.span, stops };
  return { kind: 'tools', tools };
}

function listed(m: Machine, dispatcher: Registration, served: string, listing: Listing): FoundTool {
  if (listing.kind === 'unproved') {
    m.outcomes.push(...listing.stops);
    return stopped(m, 'registration-unproved', listing.message, listing.span);
  }
  const name = m.store.string(served);
  for (const tool of listing.tools) {
    const same = equal(m.store, tool.name, name);
    if (same === FALSE) continue;
    if (same !== TRUE) return stopped(m, 'registration-unproved', `whether ${served} is listed depends on the setup`, dispatcher.span);
    return { kind: 'dispatch', registration: dispatcher, ...(tool.schema === undefined ? {} : { schema: tool.schema }) };
  }
  return { kind: 'absent' };
}

function stopped(m: Machine, code: 'registration-unproved' | 'tool-registered-twice', message: string, span: Span): FoundTool {
  m.stop(code, message, span, 'register each tool once, under a literal name');
  return { kind: 'stopped' };
}

/** A call of the tool as the server library makes it: through its middleware, the first one outermost. */
export function callTool(m: Machine, tool: Extract<FoundTool, { kind: 'dispatch' | 'tool' }>, served: string): TermId {
  const { span } = tool.registration;
  const server = m.store.term(m.content(tool.registration.fields.get('server') ?? m.store.null));
  const list = server.kind === 'record' ? server.fields.find((field) => textOf(m.store, field.key) === 'middleware')?.value : undefined;
  const middleware = list === undefined ? [] : plainItems(m.store.term(m.content(list)));
  if (middleware === undefined)
    return m.stop('registration-unproved', 'the middleware of the server is not proved', span, 'give the middleware as a literal list');
  if (middleware.length === 0) return callHandler(m, tool, served);
  const params = m.newRecord(
    m.store.intern({
      kind: 'record',
      fields: [
        { when: TRUE, key: m.store.string('name'), value: m.store.string(served) },
        {
          when: TRUE,
          key: m.store.string('arguments'),
          value: m.newRecord(m.store.intern({ kind: 'record', fields: [], rest: m.store.intern({ kind: 'argument', path: [] }) })),
        },
      ],
    }),
  );
  const context = m.allocate({
    kind: 'instance',
    class: m.store.intern({ kind: 'external', identity: REQUEST_CONTEXT }),
    fields: new Map([
      ['method', m.store.string('tools/call')],
      ['params', params],
    ]),
  });
  const next = (at: number): TermId => {
    const handler = middleware[at];
    if (handler === undefined) return callHandler(m, tool, served);
    const identity = `fcd:call-next-${String(at)}`;
    let called: Guard = FALSE;
    m.hostFunctions.set(identity, (args, place) => {
      const passed = args.positional[0];
      if (!m.store.guards.disjoint(called, m.cur.guard) || passed?.kind !== 'value' || passed.value !== context)
        return m.stop('registration-unproved', 'the middleware goes on in a way that is not modelled', place, 'pass the context on, once');
      called = m.store.guards.or(called, m.cur.guard);
      return m.allocate({ kind: 'suspended', what: 'coroutine', resume: () => next(at + 1) });
    });
    const callNext = m.store.intern({ kind: 'external', identity });
    return awaitValue(m, m.call(handler, { positional: [context, callNext].map((value) => ({ kind: 'value', value })), keywords: [] }, span), span);
  };
  return next(0);
}

/** Class of the request that middleware sees: `method` and `params`. */
const REQUEST_CONTEXT = 'fcd:request-context';

/** Calls the handler as the server library does: validation first, then the bound arguments. */
function callHandler(m: Machine, tool: Extract<FoundTool, { kind: 'dispatch' | 'tool' }>, served: string): TermId {
  const { registration } = tool;
  const handler = registration.fields.get('handler') ?? m.store.null;
  const span = registration.span;
  const argumentsTerm = m.store.intern({ kind: 'argument', path: [] });
  const validation = textOf(m.store, registration.fields.get('validation') ?? m.store.null);
  switch (validation) {
    case 'json-schema': {
      const schema = tool.kind === 'dispatch' ? tool.schema : registration.fields.get('schema');
      if (schema === undefined)
        return m.stop('registration-unproved', 'the schema that arguments are checked against is not proved', span, 'give the tool a literal schema');
      const accepted = m.semantics.schemaAccepts(m, schema, argumentsTerm, span);
      if (m.dead) return m.store.null;
      refuse(m, m.store.guards.not(accepted));
      break;
    }
    case 'signature': {
      const bound = m.semantics.bindSignature(m, handler, argumentsTerm, span);
      if (bound === undefined || m.dead) return m.store.null;
      refuse(m, m.store.guards.not(bound.accepted));
      const keywords = [...bound.values].map(([name, value]) => ({ kind: 'named' as const, name, value }));
      return awaitValue(m, m.call(handler, { positional: [], keywords }, span), span);
    }
    case 'none':
      break;
    case undefined:
    default:
      return m.stop('registration-unproved', 'how the server library checks arguments is not proved', span, 'set validation in the registration model');
  }
  const record = m.newRecord(m.store.intern({ kind: 'record', fields: [], rest: argumentsTerm }));
  const positional = tool.kind === 'dispatch' ? [m.store.string(served), record] : [record];
  return awaitValue(m, m.call(handler, { positional: positional.map((value) => ({ kind: 'value', value })), keywords: [] }, span), span);
}

/** Arguments that the server library refuses never reach the handler. */
function refuse(m: Machine, when: number): void {
  m.throwWhen(when, () => m.newException(m.store.intern({ kind: 'external', identity: REFUSED_ARGUMENTS }), []));
}
/** Type of the exit by which a server library refuses arguments. */
export const REFUSED_ARGUMENTS = 'fcd:refused-arguments';
