/** Calls of project functions and classes, closures, decorators and methods. Library callees are in inventory-calls.ts. */
import type { IrFunction, Parameter } from '../ir/program.js';
import type { Span } from '../ir/span.js';
import { CALL_DEPTH_MAX } from '../base/limits.js';
import { list, plainItems } from './construct.js';
import { TRUE } from './guards.js';
import { callExternal } from './inventory-calls.js';
import type { Machine } from './machine.js';
import { classLineage, findMethod } from './members.js';
import { setVariable, type CallArguments } from './state.js';
import type { RecordField, Segment, TermId } from './terms.js';

export function callValue(m: Machine, callee: TermId, args: CallArguments, span: Span): TermId {
  if (m.dead) return m.store.null;
  return m.overLeaves(callee, (leaf) => {
    const term = m.store.term(leaf);
    switch (term.kind) {
      case 'function':
        return callFunction(m, leaf, args, span);
      case 'class':
        return construct(m, leaf, args, span);
      case 'external':
        return callExternal(m, term.identity, term.self, args, span);
      case 'apply':
      case 'argument':
      case 'carried':
      case 'conditional':
      case 'constant':
      case 'element':
      case 'error':
      case 'fresh':
      case 'input':
      case 'list':
      case 'loop':
      case 'object':
      case 'observe':
      case 'opaque':
      case 'record':
      case 'world': {
        const object = m.object(leaf);
        if (object?.kind === 'instance') {
          const method = findMethod(m, object.class, '__call__');
          if (method !== undefined) return callFunction(m, m.store.intern({ kind: 'function', function: method.function, self: leaf }), args, span);
        }
        const type = m.typeOf(leaf);
        if (type !== undefined && type.includes('#')) return callExternal(m, `${type}.__call__`, leaf, args, span);
        return m.stop('unreviewed-callee', 'something is called whose identity is not proved', span, 'call it by a name that is bound once');
      }
    }
  });
}

export function callFunction(m: Machine, callee: TermId, args: CallArguments, span: Span): TermId {
  const term = m.store.term(callee);
  const fn = term.kind === 'function' ? m.program.functions.get(term.function) : undefined;
  if (term.kind !== 'function' || fn === undefined) return m.stop('unsupported-syntax', 'a function was not lowered', span, 'report this');
  const full: CallArguments = term.self === undefined ? args : { ...args, positional: [{ kind: 'value', value: term.self }, ...args.positional] };
  const unbound = m.store.intern({ kind: 'function', function: term.function, ...(term.frame === undefined ? {} : { frame: term.frame }) });
  const bound = bindParameters(m, fn.parameters, full, m.defaults.get(unbound), fn, span);
  if (bound === undefined || m.dead) return m.store.null;
  const run = (): TermId => runFunction(m, fn, term.frame, bound, span);
  if (fn.generator) return m.allocate({ kind: 'suspended', what: 'generator', resume: run });
  if (fn.async) return m.allocate({ kind: 'suspended', what: 'coroutine', resume: run });
  return run();
}

function runFunction(m: Machine, fn: IrFunction, parent: number | undefined, bound: ReadonlyMap<string, TermId>, span: Span): TermId {
  if (m.callStack.some((site) => site.function === fn.id))
    return m.stop('recursion', `${fn.name} calls itself`, span, 'review the recursive function, or pin a model to it');
  if (m.callStack.length >= CALL_DEPTH_MAX)
    return m.stop('limit', `more than ${String(CALL_DEPTH_MAX)} calls inside each other`, span, 'review the handler by hand');
  m.usedFunctions.add(fn.id);
  m.usedFiles.add(fn.span.file);
  const saved = m.activation;
  m.activations.push({ function: fn.id, module: fn.module, ...(parent === undefined ? {} : { parent }) });
  m.activation = m.activations.length - 1;
  const activation = m.activation;
  m.cur.frames.set(activation, bound);
  m.callStack.push({ function: fn.id, span });
  if (fn.defaultsAt === 'call') {
    for (const parameter of fn.parameters) {
      if (parameter.default === undefined || bound.has(parameter.name)) continue;
      setVariable(m.cur, activation, parameter.name, m.evaluate(parameter.default));
    }
  }
  let value = m.store.null;
  const exits = m.collect(() => {
    m.execute(fn.body);
    m.leave('return', m.store.null);
  });
  m.callStack.pop();
  m.activation = saved;
  // An activation that nothing captured is gone.
  if (!m.captured.has(activation)) for (const exit of [exits.returns?.state, exits.throws?.state]) exit?.frames.delete(activation);
  const { returns, ...others } = exits;
  m.propagate(others);
  if (returns === undefined) m.kill();
  else {
    m.cur = returns.state;
    value = returns.value;
  }
  return value;
}

/** Binds actual arguments to parameters; a mismatch that the language would refuse throws its type error. */
export function bindParameters(
  m: Machine,
  parameters: readonly Parameter[],
  args: CallArguments,
  defaults: ReadonlyMap<string, TermId> | undefined,
  fn: { name: string; defaultsAt: 'definition' | 'call' },
  span: Span,
): ReadonlyMap<string, TermId> | undefined {
  const values = new Map<string, TermId>();
  const positional = parameters.filter((p) => p.kind === 'positional-only' || p.kind === 'positional');
  const rest = parameters.find((p) => p.kind === 'rest');
  const keywordRest = parameters.find((p) => p.kind === 'keyword-rest');
  const typeError = (message: string): undefined => {
    m.raise(m.semantics.errors.type, [m.store.string(`${fn.name}: ${message}`)]);
    return undefined;
  };
  const extra: Segment[] = [];
  let at = 0;
  for (const argument of args.positional) {
    if (argument.kind === 'value') {
      const parameter = extra.length === 0 ? positional[at] : undefined;
      if (parameter !== undefined) values.set(parameter.name, argument.value);
      else extra.push({ kind: 'items', when: TRUE, items: [argument.value] });
      at += 1;
    } else {
      if (at < positional.length || rest === undefined)
        return void m.stop(
          'binding-unsupported',
          `a list of unknown length is spread over the parameters of ${fn.name}`,
          span,
          'pass the arguments one by one',
        );
      extra.push({ kind: 'spread', when: TRUE, of: argument.of });
    }
  }
  if (extra.length > 0 && rest === undefined) return typeError('too many positional arguments');
  if (rest !== undefined) values.set(rest.name, list(m.store, 'tuple', extra));
  const restFields: RecordField[] = [];
  let restOf: TermId | undefined;
  const named = (name: string, value: TermId, when: number): boolean => {
    const parameter = parameters.find((p) => p.name === name && (p.kind === 'positional' || p.kind === 'keyword-only'));
    if (parameter !== undefined && when === TRUE) {
      if (values.has(name)) return typeError('an argument is given twice') !== undefined;
      values.set(name, value);
      return true;
    }
    if (parameter !== undefined)
      return m.stop('binding-unsupported', `whether ${name} is passed to ${fn.name} depends on the call`, span, 'pass the argument always') === undefined;
    if (keywordRest === undefined) return typeError(`unexpected argument ${name}`) !== undefined;
    restFields.push({ when, key: m.store.string(name), value });
    return true;
  };
  for (const argument of args.keywords) {
    if (argument.kind === 'named') {
      if (!named(argument.name, argument.value, TRUE)) return undefined;
      continue;
    }
    const record = m.store.term(m.content(argument.of));
    if (record.kind === 'record' && (record.removed ?? []).length === 0) {
      for (const field of record.fields) {
        const key = m.store.term(field.key);
        if (key.kind !== 'constant' || key.value.type !== 'string')
          return void m.stop('binding-unsupported', 'a computed name is passed as a keyword', span, 'name the keyword');
        if (!named(key.value.value, field.value, field.when)) return undefined;
      }
      if (record.rest === undefined) continue;
      if (keywordRest === undefined || parameters.some((p) => p.kind !== 'keyword-rest' && p.kind !== 'rest'))
        return void m.stop('binding-unsupported', `a mapping of unknown keys is spread over the parameters of ${fn.name}`, span, 'pass the arguments by name');
      restOf = record.rest;
    } else
      return void m.stop('binding-unsupported', `a mapping of unknown keys is spread over the parameters of ${fn.name}`, span, 'pass the arguments by name');
  }
  if (keywordRest !== undefined)
    values.set(keywordRest.name, m.newRecord(m.store.intern({ kind: 'record', fields: restFields, ...(restOf === undefined ? {} : { rest: restOf }) })));
  for (const parameter of parameters) {
    if (values.has(parameter.name)) continue;
    const value = defaults?.get(parameter.name);
    if (value !== undefined) values.set(parameter.name, value);
    else if (parameter.default === undefined || fn.defaultsAt === 'definition') return typeError(`missing argument ${parameter.name}`);
  }
  return values;
}

function construct(m: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId {
  const lineage = classLineage(m, classTerm, span);
  if (lineage === undefined) return m.store.null;
  const hook = HOOKS.find((name) => findMethod(m, classTerm, name) !== undefined);
  if (hook !== undefined) return m.stop('unsupported-class', `a class with ${hook} is constructed`, span, 'review the handler by hand');
  const special = m.semantics.construct(m, classTerm, args, span);
  if (special !== undefined || m.dead) return special ?? m.store.null;
  const strange = lineage.find((c) => c.kind === 'external' && !m.library.isClass(c.identity));
  if (strange !== undefined)
    return m.stop(
      'unsupported-class',
      `a class with the unknown library base ${strange.identity} is constructed`,
      span,
      'declare the base class in an inventory',
    );
  const isException = lineage.some((c) => c.kind === 'external' && m.library.isSubclass(c.identity, m.semantics.errors.any));
  const items = args.positional.every((a) => a.kind === 'value') ? args.positional.map((a) => (a.kind === 'value' ? a.value : m.store.null)) : undefined;
  const content = list(m.store, 'tuple', items === undefined ? [] : [{ kind: 'items', when: TRUE, items }]);
  const instance = m.allocate({ kind: 'instance', class: classTerm, fields: new Map(isException ? [['args', content]] : []) });
  const init = findMethod(m, classTerm, '__init__');
  if (init !== undefined) callFunction(m, m.store.intern({ kind: 'function', function: init.function, self: instance }), args, span);
  else if (isException || lineage.every((c) => c.kind === 'project' || isPlainBase(c.identity))) {
    if (!isException && (args.positional.length > 0 || args.keywords.length > 0))
      m.raise(m.semantics.errors.type, [m.store.string('the class takes no arguments')]);
  } else return m.stop('unsupported-class', 'a class with a library base is constructed', span, 'model the base class in an inventory');
  return instance;
}

/** Methods that the language calls where no call is written, and that are not modelled. */
const HOOKS: readonly string[] = [
  '__new__',
  '__del__',
  '__hash__',
  '__getattr__',
  '__getattribute__',
  '__setattr__',
  '__delattr__',
  '__get__',
  '__set__',
  '__delete__',
  '__set_name__',
  '__init_subclass__',
  '__class_getitem__',
  '__instancecheck__',
  '__subclasscheck__',
];

function isPlainBase(identity: string): boolean {
  return identity.endsWith('#object');
}

export function itemsOf(m: Machine, value: TermId): readonly TermId[] | undefined {
  return plainItems(m.store.term(m.content(value)));
}
