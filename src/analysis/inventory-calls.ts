/** Calls and attribute reads of library things: the inventory's forms applied to the arguments at hand. */
import type { EntryParameter, Form, InventoryEntry, Model, ThrowModel } from '../profile/inventory.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { bindParameters } from './calls.js';
import { celGuard, celTerm, type CelScope } from './cel-terms.js';
import { FALSE, TRUE } from './guards.js';
import type { Machine } from './machine.js';
import type { CallArguments } from './state.js';
import type { Dimension } from './summary.js';
import { textOf } from './text-tests.js';
import type { Behaviour, Guard, TermId } from './terms.js';

interface EntryCall {
  readonly entry: InventoryEntry;
  readonly identity: string;
  readonly self: TermId | undefined;
  readonly parameters: ReadonlyMap<string, TermId>;
  readonly arguments: CallArguments;
  readonly span: Span;
}

export function callExternal(m: Machine, identity: string, self: TermId | undefined, args: CallArguments, span: Span): TermId {
  if (m.dead) return m.store.null;
  const host = m.hostFunctions.get(identity);
  if (host !== undefined) return host(args, span);
  const builtin = m.semantics.intrinsics.get(identity);
  if (builtin !== undefined) return builtin(m, { parameters: new Map(), arguments: args, identity, span, ...(self === undefined ? {} : { self }) });
  const entry = m.library.entry(identity, 'call');
  if (entry === undefined) {
    if (m.library.isClass(identity) && self === undefined && m.library.isSubclass(identity, m.semantics.errors.any)) {
      const positional = args.positional.map((a) => (a.kind === 'value' ? a.value : a.of));
      return m.newException(m.store.intern({ kind: 'external', identity }), positional);
    }
    return m.stop('unreviewed-callee', `${identity} has no entry in the inventories`, span, `review ${identity} and add an entry`);
  }
  const parameters = bindEntry(m, entry, args, span);
  if (parameters === undefined || m.dead) return m.store.null;
  const apply = (): TermId => applyForms(m, { entry, identity, self, parameters, arguments: args, span });
  return entry.async === true ? m.allocate({ kind: 'suspended', what: 'coroutine', resume: apply }) : apply();
}

export function readAttribute(m: Machine, entry: InventoryEntry, identity: string, self: TermId | undefined, span: Span): TermId {
  return applyForms(m, { entry, identity, self, parameters: new Map(), arguments: { positional: [], keywords: [] }, span });
}

function bindEntry(m: Machine, entry: InventoryEntry, args: CallArguments, span: Span): ReadonlyMap<string, TermId> | undefined {
  const defaults = new Map<string, TermId>();
  for (const parameter of entry.parameters)
    if (parameter.default !== undefined) defaults.set(parameter.name, celTerm(m, parameter.default.ast, new Map(), span));
  const parameters = entry.parameters.map((parameter: EntryParameter) => ({ name: parameter.name, kind: parameter.kind, span }));
  return bindParameters(m, parameters, args, defaults, { name: entry.callee, defaultsAt: 'definition' }, span);
}

function scopeOf(m: Machine, call: EntryCall): CelScope {
  return new Map([...call.parameters, ['self', call.self ?? m.store.null]]);
}

function applyForms(m: Machine, call: EntryCall): TermId {
  const selection = m.library.forms(call.entry);
  if (selection.kind === 'version-needed') {
    return m.stop(
      'version-unknown',
      `${call.identity} behaves differently between versions of ${selection.dependency}, and the version is not known`,
      call.span,
      `give --input dependency:${selection.dependency}=VERSION`,
    );
  }
  const scope = scopeOf(m, call);
  const from = (at: number): TermId => {
    const form = selection.forms[at];
    if (m.dead) return m.store.null;
    if (form === undefined)
      return m.stop(
        'no-modelled-form',
        `${call.identity} is called with arguments that no reviewed form covers`,
        call.span,
        `review this use of ${call.identity} and add a form`,
      );
    if (form.when === undefined) return applyForm(m, call, form, scope);
    const when = celGuard(m, form.when.ast, scope, call.span);
    return m.branch(
      when,
      () => applyForm(m, call, form, scope),
      () => from(at + 1),
    );
  };
  return from(0);
}

function behaviourOf(m: Machine, entry: InventoryEntry, form: Form): Behaviour {
  const behaviour = { callee: entry.callee, form: form.id, range: form.versions, entry: entry.digest };
  m.usedBehaviours.set(JSON.stringify([behaviour.callee, behaviour.form, behaviour.range, behaviour.entry]), behaviour);
  return behaviour;
}

/** The call as a term: what it is called with and, unless it is pure, in which world. */
function callTermOf(m: Machine, call: EntryCall, form: Form, scope: CelScope): TermId {
  const { model } = form;
  const args = [call.self ?? m.store.null, ...call.entry.parameters.map((p) => call.parameters.get(p.name) ?? m.store.null)].map((arg) => m.freeze(arg));
  const typed = form.type === undefined ? {} : { type: form.type.includes('<') ? form.type : m.library.canonical(form.type) };
  switch (model.kind) {
    case 'pure':
      return m.apply(model.function, call.self === undefined && args[0] === m.store.null ? args.slice(1) : args, form.type);
    case 'fresh':
      m.freshSerial += 1;
      // One that is made in a loop is another in each iteration; one that is made when a module is loaded is the same in each call.
      return m.store.intern({
        kind: 'fresh',
        behaviour: behaviourOf(m, call.entry, form),
        args: [...args, ...m.iterations, ...(m.phase === 'setup' ? [m.store.string('load')] : [])],
        serial: m.freshSerial,
        ...typed,
      });
    case 'observes':
    case 'effect':
    // Whether these throw is a fact about the world that they are called in.
    case 'guard':
    case 'calls':
    case 'context': {
      const told = model.kind === 'effect' || (model.kind === 'observes' && model.disclosed);
      const resource = !told
        ? m.store.constant({ type: 'special', name: 'undisclosed' })
        : model.resource === undefined
          ? undefined
          : m.freeze(celTerm(m, model.resource.ast, scope, call.span));
      return m.store.intern({
        kind: 'observe',
        behaviour: behaviourOf(m, call.entry, form),
        args,
        world: m.cur.world,
        ...typed,
        ...(resource === undefined ? {} : { resource }),
      });
    }
    case 'returns':
    case 'input':
    case 'registers':
    case 'serves':
    case 'intrinsic':
    case 'refuse':
      return m.store.intern({ kind: 'apply', fn: `call ${call.entry.callee} ${form.id} ${form.versions}`, args, ...typed });
    default:
      return unreachable(model);
  }
}

function applyForm(m: Machine, call: EntryCall, form: Form, scope: CelScope): TermId {
  const { model } = form;
  if (model.kind === 'refuse') return m.stop('refused-by-inventory', `${call.identity}: ${model.reason}`, call.span, 'review the handler by hand');
  if (model.kind === 'intrinsic') {
    const intrinsic = m.semantics.intrinsics.get(model.name);
    if (intrinsic === undefined) return m.stop('unsupported-operation', `${call.identity} is not supported`, call.span, 'review the handler by hand');
    const outcome = intrinsic(m, {
      parameters: call.parameters,
      arguments: call.arguments,
      identity: call.identity,
      span: call.span,
      ...(call.self === undefined ? {} : { self: call.self }),
    });
    return outcome;
  }
  const term = callTermOf(m, call, form, scope);
  if (m.dead) return m.store.null;
  if (model.kind === 'effect') {
    throwAll(m, model.refuses, term, call, scope);
    if (m.dead) return m.store.null;
    recordEffect(m, call, form, model, term, scope);
  }
  throwAll(m, form.throws, term, call, scope);
  if (m.dead) return m.store.null;
  return resultOf(m, call, form, model, term, scope);
}

function resultOf(m: Machine, call: EntryCall, form: Form, model: Exclude<Model, { kind: 'refuse' | 'intrinsic' }>, term: TermId, scope: CelScope): TermId {
  const none = form.type === 'none';
  switch (model.kind) {
    case 'pure':
    case 'observes':
    case 'fresh':
    case 'effect':
      return none ? m.store.null : term;
    case 'guard':
      return form.type === undefined || none ? m.store.null : term;
    case 'returns':
      return ofType(m, celTerm(m, model.value.ast, scope, call.span), form.type);
    case 'input': {
      const name = textOf(m.store, celTerm(m, model.name.ast, scope, call.span));
      if (name === undefined) return m.stop('unbound-input', 'an input is read whose name is computed', call.span, 'read it by a literal name');
      return m.store.intern({ kind: 'input', name, ...(form.type === undefined ? {} : { type: form.type }) });
    }
    case 'calls': {
      const closure = call.parameters.get(model.closure);
      if (closure === undefined) return m.stop('no-modelled-form', `${call.identity} is not given the function that it calls`, call.span, 'pass a function');
      const args: CallArguments = {
        positional: model.arguments.map((argument) => ({ kind: 'value', value: celTerm(m, argument.ast, scope, call.span) })),
        keywords: [],
      };
      if (model.context !== undefined)
        m.contexts.push({ operation: model.context.operation, dimensions: dimensionsOf(m, model.context.dimensions, scope, call.span) });
      const result = m.call(closure, args, call.span);
      const object = m.object(result);
      const value = object?.kind === 'suspended' && object.what === 'coroutine' ? object.resume() : result;
      if (model.context !== undefined) m.contexts.pop();
      return value;
    }
    case 'context':
      m.enteredContext = { operation: model.operation, dimensions: dimensionsOf(m, model.dimensions, scope, call.span) };
      return model.value === undefined ? (call.self ?? m.store.null) : celTerm(m, model.value.ast, scope, call.span);
    case 'registers': {
      if (m.phase === 'call') return m.stop('registration-unproved', 'a call registers handlers', call.span, 'register handlers when the server starts');
      const fields = new Map([...model.fields].map(([name, value]) => [name, celTerm(m, value.ast, scope, call.span)]));
      m.registrations.push({ role: model.role, when: m.cur.guard, fields, span: call.span });
      return model.returns === 'handler' ? (fields.get('handler') ?? m.store.null) : m.store.null;
    }
    case 'serves':
      m.serving.push({ server: celTerm(m, model.server.ast, scope, call.span), state: m.cur });
      m.kill();
      return m.store.null;
    default:
      return unreachable(model);
  }
}

/** A record that stands for a library value carries its type, so that its members continue an access path. */
function ofType(m: Machine, value: TermId, type: string | undefined): TermId {
  const term = m.store.term(value);
  return term.kind === 'record' && type?.includes('#') === true ? m.store.intern({ ...term, type: m.library.canonical(type) }) : value;
}

function dimensionsOf(
  m: Machine,
  dimensions: ReadonlyMap<string, { value: { ast: import('../profile/cel.js').CelNode }; exact: boolean }>,
  scope: CelScope,
  span: Span,
): Dimension[] {
  return [...dimensions]
    .map(([name, dimension]) => ({ name, value: m.freeze(celTerm(m, dimension.value.ast, scope, span)), exact: dimension.exact }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function recordEffect(m: Machine, call: EntryCall, form: Form, model: Extract<Model, { kind: 'effect' }>, term: TermId, scope: CelScope): void {
  const dimensions = dimensionsOf(m, model.dimensions, scope, call.span);
  if (m.dead) return;
  m.record(
    {
      kind: 'effect',
      when: m.cur.guard,
      call: term,
      behaviour: behaviourOf(m, call.entry, form),
      operation: model.operation,
      dimensions,
      protective: model.protective,
      baseline: model.baseline,
      contexts: [...m.contexts],
      loops: [],
      order: m.outcomes.length,
    },
    call.span,
  );
  if (!model.baseline) m.cur.world = m.store.intern({ kind: 'world', after: [m.cur.world, term] });
}

/** The ways in which a call throws, one after the other. */
function throwAll(m: Machine, models: readonly ThrowModel[], term: TermId, call: EntryCall, scope: CelScope): void {
  for (const model of models) {
    if (m.dead) return;
    const condition = throwCondition(m, model, term, scope, call.span);
    const type = model.type === undefined ? undefined : m.library.canonical(model.type);
    m.throwWhen(condition, () => m.store.intern({ kind: 'error', call: term, ...(type === undefined ? {} : { type }) }));
  }
}

function throwCondition(m: Machine, model: ThrowModel, term: TermId, scope: CelScope, span: Span): Guard {
  if (model.as !== undefined) {
    const under = model.when === undefined ? TRUE : celGuard(m, model.when.ast, scope, span);
    if (under === FALSE) return FALSE;
    const args = model.as.arguments.map((argument) => celTerm(m, argument.ast, scope, span));
    return m.store.guards.and(under, throwsOf(m, m.library.canonical(model.as.callee), args, span));
  }
  if (model.when !== undefined) return celGuard(m, model.when.ast, scope, span);
  const type = model.type === undefined ? undefined : m.library.canonical(model.type);
  // Independent of the call's result: the very call in this world throws.
  return m.throwsGuard(term, type);
}

/** Condition under which a reviewed call would throw, as a formula over the same propositions as the call itself. `args[0]` is the receiver. */
export function throwsOf(m: Machine, identity: string, args: readonly TermId[], span: Span): Guard {
  const entry = m.library.entry(identity, 'call');
  const selection = entry === undefined ? undefined : m.library.forms(entry);
  if (entry === undefined || selection?.kind !== 'forms') {
    m.stop('no-modelled-form', `an inventory names the throws of ${identity}, which has no usable entry`, span, 'run fcd profile lint');
    return FALSE;
  }
  const [self, ...rest] = args;
  const callArguments: CallArguments = { positional: rest.map((value) => ({ kind: 'value', value })), keywords: [] };
  const parameters = bindEntry(m, entry, callArguments, span);
  if (parameters === undefined) return FALSE;
  const call: EntryCall = { entry, identity, self, parameters, arguments: callArguments, span };
  const scope = scopeOf(m, call);
  const { guards } = m.store;
  let remaining: Guard = TRUE;
  let result: Guard = FALSE;
  for (const form of selection.forms) {
    const when = form.when === undefined ? remaining : guards.and(remaining, celGuard(m, form.when.ast, scope, span));
    if (when !== FALSE) {
      const term = callTermOf(m, call, form, scope);
      let here: Guard = FALSE;
      for (const model of form.throws) here = guards.or(here, guards.and(guards.not(here), throwCondition(m, model, term, scope, span)));
      result = guards.or(result, guards.and(when, here));
    }
    remaining = guards.and(remaining, guards.not(when));
    if (remaining === FALSE) break;
  }
  return result;
}
