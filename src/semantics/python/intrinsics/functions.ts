/** `functools`, `contextlib`, `asyncio`, `dataclasses`, `enum` and `typing`: what they do to functions and classes. */
import { awaitValue } from '../../../analysis/expressions.js';
import type { Intrinsic } from '../../../analysis/language.js';
import { listOf } from '../../../analysis/construct.js';
import type { Machine } from '../../../analysis/machine.js';
import { TRUE } from '../../../analysis/guards.js';
import { cloneState, mergeStates, type KeywordArgument, type PositionalArgument } from '../../../analysis/state.js';
import type { RecordField, TermId } from '../../../analysis/terms.js';
import { itemsOf, stringOf } from '../terms.js';
import type { Span } from '../../../ir/span.js';
import { unsupported } from '../failures.js';
import { isInstance } from '../instances.js';
import { truthy } from '../truth.js';
import { parameter, restItems } from './parameters.js';

/** A library thing bound to a project function or to arguments. */
function bound(machine: Machine, identity: string, self: TermId): TermId {
  return machine.store.intern({ kind: 'external', identity, self });
}

/** `@contextmanager`: calling the result makes a context whose body runs at the yield. */
function contextManager(identity: string): Intrinsic {
  return (machine, call) => bound(machine, identity, parameter(machine, call, 'func'));
}

const callContextManager: Intrinsic = (machine, call) => {
  const fn = call.self ?? machine.store.null;
  const generator = machine.call(fn, call.arguments, call.span);
  const object = machine.object(generator);
  if (machine.dead) return machine.store.null;
  if (object?.kind !== 'suspended' || object.what !== 'generator')
    return unsupported(machine, 'a context manager made from something other than one generator function', call.span);
  return machine.allocate({ kind: 'suspended', what: 'context', resume: object.resume });
};

/** `@wraps(f)`: the decorated function stays itself; its signature is that of `f`, which the binding follows. */
const wraps: Intrinsic = (machine, call) => bound(machine, 'py:functools#wraps()', parameter(machine, call, 'wrapped'));

const applyWraps: Intrinsic = (machine, call) => {
  const [wrapper] = call.arguments.positional;
  if (wrapper?.kind !== 'value' || call.self === undefined) return unsupported(machine, 'wraps applied to no function', call.span);
  machine.wrapped.set(wrapper.value, call.self);
  return wrapper.value;
};

/** `partial(f, …)`: the library thing bound to function, positional arguments and keywords. */
const partial: Intrinsic = (machine, call) => {
  const { store } = machine;
  const values: TermId[] = [];
  const keywords: RecordField[] = [];
  for (const argument of call.arguments.positional) if (argument.kind === 'value') values.push(argument.value);
  for (const argument of call.arguments.keywords)
    if (argument.kind === 'named') keywords.push({ when: TRUE, key: store.string(argument.name), value: argument.value });
  const [first, ...others] = values;
  if (first === undefined || values.length + keywords.length < call.arguments.positional.length + call.arguments.keywords.length) {
    return unsupported(machine, 'partial with spread arguments', call.span);
  }
  return bound(
    machine,
    'py:functools#partial()',
    listOf(store, 'tuple', [first, listOf(store, 'tuple', others), store.intern({ kind: 'record', fields: keywords })]),
  );
};

const callPartial: Intrinsic = (machine, call) => {
  const { store } = machine;
  const [fn, positional, keywords] = itemsOf(machine, call.self ?? store.null) ?? [];
  const record = keywords === undefined ? undefined : store.term(keywords);
  if (fn === undefined || positional === undefined || record?.kind !== 'record')
    return unsupported(machine, 'a partial function of unknown origin is called', call.span);
  const named = new Set(call.arguments.keywords.map((keyword) => (keyword.kind === 'named' ? keyword.name : '')));
  const kept = record.fields.flatMap((field): KeywordArgument[] => {
    const name = stringOf(store, field.key);
    return name === undefined || named.has(name) ? [] : [{ kind: 'named', name, value: field.value }];
  });
  const values = (itemsOf(machine, positional) ?? []).map((value): PositionalArgument => ({ kind: 'value', value }));
  return machine.call(fn, { positional: [...values, ...call.arguments.positional], keywords: [...kept, ...call.arguments.keywords] }, call.span);
};

/** `with suppress(…)`: the body runs at the yield; what it throws of these classes ends the body and nothing else. */
const suppress: Intrinsic = (machine, call) => {
  const classes = restItems(machine, call, 'exceptions');
  if (classes === undefined) return unsupported(machine, 'suppress with spread arguments', call.span);
  const caught = listOf(machine.store, 'tuple', classes);
  return machine.allocate({
    kind: 'suspended',
    what: 'context',
    resume: () => {
      const handler = machine.yieldHandler;
      if (handler === undefined)
        return machine.stop('unsupported-generator', 'suppress is entered in a way that is not modelled', call.span, 'use a with statement');
      const { throws, ...others } = machine.collect(() => void handler(machine.store.null));
      machine.propagate(others);
      if (throws === undefined) return machine.store.null;
      const normal = machine.cur;
      machine.cur = cloneState(throws.state);
      const matches = isInstance(machine, throws.value, caught, call.span);
      const swallowed = cloneState(machine.cur);
      swallowed.guard = machine.store.guards.and(machine.cur.guard, matches);
      machine.cur.guard = machine.store.guards.and(machine.cur.guard, machine.store.guards.not(matches));
      machine.leave('throw', throws.value);
      machine.cur = mergeStates(machine.store, swallowed, normal);
      return machine.store.null;
    },
  });
};

/** The tools that a high-level MCP server has registered, as records with their name. */
const registeredTools: Intrinsic = (machine, call) => {
  const { store } = machine;
  const items: TermId[] = [];
  for (const registration of machine.registrations) {
    if (registration.role !== 'tool' || registration.fields.get('server') !== call.self) continue;
    const name = registration.fields.get('name');
    if (name === undefined || !machine.isRegistered(registration))
      return unsupported(machine, 'the tools of a server that are registered only sometimes', call.span);
    items.push(store.intern({ kind: 'record', fields: [{ when: TRUE, key: store.string('name'), value: name }] }));
  }
  return machine.newList(listOf(store, 'list', items));
};

/** The decorator is read from the class definition; the class stays itself. */
const dataclass: Intrinsic = (machine, call) => {
  const [first] = call.arguments.positional;
  if (first === undefined) return machine.store.intern({ kind: 'external', identity: call.identity });
  return first.kind === 'value' ? first.value : unsupported(machine, 'dataclass with spread arguments', call.span);
};

function outsideClass(what: string): Intrinsic {
  return (machine, call) => unsupported(machine, `${what} outside a class body`, call.span);
}

const runMain: Intrinsic = (machine, call) => awaitValue(machine, parameter(machine, call, 'main'), call.span);

/** `anyio.run(f, *args)`. */
const runFunction: Intrinsic = (machine, call) => {
  const args = restItems(machine, call, 'args');
  if (args === undefined) return unsupported(machine, 'anyio.run with spread arguments', call.span);
  return awaitValue(
    machine,
    machine.call(parameter(machine, call, 'func'), { positional: args.map((value) => ({ kind: 'value', value })), keywords: [] }, call.span),
    call.span,
  );
};

/** Awaitables run one after the other; only where at most one of them has effects or throws is their order no matter. */
const gather: Intrinsic = (machine, call) => {
  const awaitables = restItems(machine, call, 'awaitables');
  if (awaitables === undefined || truthy(machine, parameter(machine, call, 'return_exceptions'), call.span) !== 0)
    return unsupported(machine, 'gather with a computed list or return_exceptions', call.span, 'await one after the other');
  // They start at once, and are awaited later.
  const results = sequential(machine, awaitables, call.span);
  return machine.dead ? results : machine.allocate({ kind: 'suspended', what: 'coroutine', resume: () => results });
};

function sequential(machine: Machine, awaitables: readonly TermId[], span: Span): TermId {
  const values: TermId[] = [];
  let disturbing = 0;
  for (const awaitable of awaitables) {
    const effects = machine.outcomes.length;
    const exits = machine.collect(() => {
      values.push(awaitValue(machine, awaitable, span));
    });
    if (machine.outcomes.length > effects || exits.throws !== undefined) disturbing += 1;
    machine.propagate(exits);
    if (disturbing > 1)
      return machine.dead ? machine.store.null : unsupported(machine, 'coroutines with effects run at the same time', span, 'await one after the other');
    if (machine.dead) return machine.store.null;
  }
  return machine.newList(listOf(machine.store, 'list', values));
}

/** `asyncio.to_thread(f, …)`: the call, awaited. */
const toThread: Intrinsic = (machine, call) => {
  const [first, ...others] = call.arguments.positional;
  if (first?.kind !== 'value') return unsupported(machine, 'to_thread with spread arguments', call.span);
  return machine.allocate({
    kind: 'suspended',
    what: 'coroutine',
    resume: () => machine.call(first.value, { positional: others, keywords: call.arguments.keywords }, call.span),
  });
};

const subscript: Intrinsic = (machine, call) =>
  machine.store.intern({
    kind: 'apply',
    fn: 'py.generic',
    args: [call.self ?? machine.store.null, parameter(machine, call, 'argument')],
    type: 'py:types#GenericAlias',
  });

const cast: Intrinsic = (machine, call) => parameter(machine, call, 'value');

export const FUNCTION_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['contextlib.contextmanager', contextManager('py:contextlib#contextmanager()')],
  ['contextlib.asynccontextmanager', contextManager('py:contextlib#asynccontextmanager()')],
  ['py:contextlib#contextmanager()', callContextManager],
  ['py:contextlib#asynccontextmanager()', callContextManager],
  ['contextlib.suppress', suppress],
  ['mcp.registered_tools', registeredTools],
  ['functools.wraps', wraps],
  ['py:functools#wraps()', applyWraps],
  ['functools.partial', partial],
  ['py:functools#partial()', callPartial],
  ['dataclasses.dataclass', dataclass],
  ['dataclasses.field', outsideClass('dataclasses.field')],
  ['enum.auto', outsideClass('enum.auto')],
  ['asyncio.run', runMain],
  ['anyio.run', runFunction],
  ['asyncio.gather', gather],
  ['asyncio.to_thread', toThread],
  ['typing.cast', cast],
  ['typing.subscript', subscript],
];
