/** `isinstance`, `issubclass`, `getattr`, `hasattr`, `callable`, `type`, `super`, `object`. */
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import { findMethod } from '../../../analysis/members.js';
import { cloneState, mergeStates } from '../../../analysis/state.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import type { Span } from '../../../ir/span.js';
import { raise, unsupported } from '../failures.js';
import { isInstance, isSubclass } from '../instances.js';
import { kindOf, overKinds } from '../kinds.js';
import { superTerm } from '../super.js';
import { boolTerm, itemsOf, stringOf } from '../terms.js';
import { parameter, restItems } from './parameters.js';

const instanceTest: Intrinsic = (machine, call) =>
  boolTerm(machine.store, isInstance(machine, parameter(machine, call, 'obj'), parameter(machine, call, 'classinfo'), call.span));

const subclassTest: Intrinsic = (machine, call) => {
  const result = isSubclass(machine, parameter(machine, call, 'cls'), parameter(machine, call, 'classinfo'), call.span);
  return result === undefined ? unsupported(machine, 'issubclass of a computed class', call.span) : boolTerm(machine.store, result);
};

/** Reads a member and says where AttributeError was thrown; other exceptions go on. */
function tryMember(machine: Machine, object: TermId, name: string, span: Span): { readonly value: TermId; readonly missing: Guard } {
  let value = machine.store.null;
  const { throws, ...others } = machine.collect(() => {
    value = machine.member(object, name, span);
  });
  machine.propagate(others);
  if (throws === undefined) return { value, missing: FALSE };
  const attributeError = machine.store.intern({ kind: 'external', identity: 'py:builtins#AttributeError' });
  const normal = machine.cur;
  machine.cur = cloneState(throws.state);
  const isMissing = isInstance(machine, throws.value, attributeError, span);
  const missing = cloneState(machine.cur);
  missing.guard = machine.store.guards.and(machine.cur.guard, isMissing);
  machine.cur.guard = machine.store.guards.and(machine.cur.guard, machine.store.guards.not(isMissing));
  machine.leave('throw', throws.value);
  machine.cur = mergeStates(machine.store, missing, normal);
  return { value, missing: machine.store.guards.constrain(missing.guard, machine.cur.guard) };
}

const getAttribute: Intrinsic = (machine, call) => {
  const name = stringOf(machine.store, parameter(machine, call, 'name'));
  if (name === undefined) return machine.stop('dynamic-name', 'an attribute is read by a computed name', call.span, 'read it by a literal name');
  const object = parameter(machine, call, 'obj');
  if (call.arguments.positional.length < 3) return machine.member(object, name, call.span);
  const { value, missing } = tryMember(machine, object, name, call.span);
  return machine.dead
    ? machine.store.null
    : machine.branch(
        missing,
        () => parameter(machine, call, 'default'),
        () => value,
      );
};

const hasAttribute: Intrinsic = (machine, call) => {
  const name = stringOf(machine.store, parameter(machine, call, 'name'));
  if (name === undefined) return machine.stop('dynamic-name', 'an attribute is tested by a computed name', call.span, 'test a literal name');
  const { missing } = tryMember(machine, parameter(machine, call, 'obj'), name, call.span);
  return machine.dead ? machine.store.null : boolTerm(machine.store, machine.store.guards.not(missing));
};

const callable: Intrinsic = (machine, call) =>
  overKinds(machine, parameter(machine, call, 'obj'), (_, kind) => {
    switch (kind.kind) {
      case 'function':
      case 'class':
        return machine.store.true;
      case 'instance':
        return machine.store.boolean(findMethod(machine, kind.object.class, '__call__') !== undefined);
      case 'external':
        return machine.library.entry(kind.identity, 'call') === undefined ? unsupported(machine, 'callable of a library value', call.span) : machine.store.true;
      case 'library':
        return machine.library.entry(`${kind.type}.__call__`, 'call') === undefined
          ? unsupported(machine, `callable of a ${kind.type}`, call.span)
          : machine.store.true;
      case 'unknown':
        return unsupported(machine, 'callable of a value of unknown type', call.span);
      case 'builtin':
      case 'json':
      case 'optional':
      case 'enum':
      case 'range':
      case 'view':
      case 'suspended':
      case 'module':
      case 'special':
        return machine.store.false;
    }
  });

const typeOfValue: Intrinsic = (machine, call) => {
  const [value, ...others] = restItems(machine, call, 'args') ?? [];
  if (value === undefined || others.length > 0) return machine.stop('metaclass', 'a class is made by a call of type', call.span, 'declare the class');
  return overKinds(machine, value, (leaf, kind) => {
    if (kind.kind === 'builtin')
      return machine.store.intern({ kind: 'external', identity: kind.type === 'none' ? 'py:types#NoneType' : `py:builtins#${kind.type}` });
    if (kind.kind === 'instance') return kind.object.class;
    if (kind.kind === 'enum') return kind.member.class;
    return machine.apply('py.type', [machine.freeze(leaf)], 'py:builtins#type');
  });
};

const superCall: Intrinsic = (machine, call) => {
  if ((restItems(machine, call, 'args') ?? [machine.store.null]).length > 0)
    return unsupported(machine, 'super with arguments', call.span, 'call super() without arguments');
  return superTerm(machine) ?? unsupported(machine, 'super outside a method', call.span);
};

const newObject: Intrinsic = (machine) =>
  machine.allocate({ kind: 'instance', class: machine.store.intern({ kind: 'external', identity: 'py:builtins#object' }), fields: new Map() });

/** An exception instance; its arguments are kept for its text. */
const exception: Intrinsic = (machine, call) => {
  const args: TermId[] = [];
  for (const argument of call.arguments.positional) {
    if (argument.kind !== 'value') return unsupported(machine, 'an exception is made with spread arguments', call.span);
    args.push(argument.value);
  }
  return machine.newException(machine.store.intern({ kind: 'external', identity: call.identity }), args);
};

/** `super().__init__(…)` of an exception class keeps the arguments. */
const initException: Intrinsic = (machine, call) => {
  const self = call.self;
  const object = self === undefined ? undefined : machine.object(self);
  if (self === undefined || object?.kind !== 'instance') return unsupported(machine, 'an exception is initialised in an unusual way', call.span);
  const args = call.arguments.positional.map((argument) => (argument.kind === 'value' ? argument.value : undefined));
  const known = args.filter((arg) => arg !== undefined);
  if (known.length !== args.length) return unsupported(machine, 'an exception is made with spread arguments', call.span);
  machine.update(
    self,
    {
      ...object,
      fields: new Map([
        ...object.fields,
        ['args', machine.store.intern({ kind: 'list', as: 'tuple', segments: known.length === 0 ? [] : [{ kind: 'items', when: TRUE, items: known }] })],
      ]),
    },
    call.span,
  );
  return machine.store.null;
};

const initObject: Intrinsic = (machine, call) =>
  call.arguments.positional.length + call.arguments.keywords.length > 0
    ? raise(machine, 'type', 'object.__init__() takes exactly one argument')
    : machine.store.null;

/** Not modelled as values; as decorators of methods they are read by `methodKind`. */
const methodDecorator: Intrinsic = (machine, call) => unsupported(machine, `${call.identity} as a function`, call.span, 'use it as a decorator of a method');

/** Reads what only a debugger needs. */
const introspection: Intrinsic = (machine, call) =>
  unsupported(
    machine,
    `${call.identity} of ${kindOf(machine, itemsOf(machine, call.parameters.get('args') ?? machine.store.null)?.[0] ?? machine.store.null).kind}`,
    call.span,
  );

export const REFLECTION_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['isinstance', instanceTest],
  ['issubclass', subclassTest],
  ['getattr', getAttribute],
  ['hasattr', hasAttribute],
  ['callable', callable],
  ['type', typeOfValue],
  ['super', superCall],
  ['object', newObject],
  ['exception', exception],
  ['py:builtins#BaseException.__init__', initException],
  ['py:builtins#object.__init__', initObject],
  ['property', methodDecorator],
  ['staticmethod', methodDecorator],
  ['classmethod', methodDecorator],
  ['vars', introspection],
  ['dir', introspection],
];
