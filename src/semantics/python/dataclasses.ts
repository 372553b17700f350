/** `@dataclass` classes: generated construction and equality, from the fields of the class and its bases. */
import type { Machine } from '../../analysis/machine.js';
import { classLineage, findMethod } from '../../analysis/members.js';
import { bindParameters, callFunction } from '../../analysis/calls.js';
import { loadTime } from '../../analysis/modules.js';
import type { CallArguments } from '../../analysis/state.js';
import type { TermId } from '../../analysis/terms.js';
import type { Expression } from '../../ir/nodes.js';
import type { ClassField, IrClass, Parameter } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { unsupported } from './failures.js';
import { calleeOf, identityOf, isClassVariable } from './names.js';

const DECORATOR = 'py:dataclasses#dataclass';
const FIELD = 'py:dataclasses#field';

interface Options {
  readonly eq: boolean;
  readonly init: boolean;
  readonly keywordOnly: boolean;
}

/** Options of the decorator, where the class has it. */
export function dataclassOptions(machine: Machine, classTerm: TermId): Options | undefined {
  const definition = definitionOf(machine, classTerm);
  for (const decorator of definition?.decorators ?? []) {
    if (identityOf(machine, definition!.module, calleeOf(decorator)) !== DECORATOR) continue;
    if (decorator.kind !== 'call') return { eq: true, init: true, keywordOnly: false };
    return { eq: !isFalse(decorator.arguments, 'eq'), init: !isFalse(decorator.arguments, 'init'), keywordOnly: isTrue(decorator.arguments, 'kw_only') };
  }
  return undefined;
}

type Arguments = Extract<Expression, { kind: 'call' }>['arguments'];

function flag(args: Arguments, name: string): boolean | undefined {
  for (const argument of args) {
    if (argument.kind === 'keyword' && argument.name === name && argument.value.kind === 'constant' && argument.value.value.type === 'boolean')
      return argument.value.value.value;
  }
  return undefined;
}
function isFalse(args: Arguments, name: string): boolean {
  return flag(args, name) === false;
}
function isTrue(args: Arguments, name: string): boolean {
  return flag(args, name) === true;
}

export function definitionOf(machine: Machine, classTerm: TermId): IrClass | undefined {
  const term = machine.store.term(classTerm);
  return term.kind === 'class' ? machine.program.classes.get(term.class) : undefined;
}

interface DataclassField {
  readonly name: string;
  readonly module: string;
  readonly default?: Expression;
  readonly factory?: Expression;
  readonly keywordOnly: boolean;
}

/** Undefined: some field is made in a way that is not modelled. */
function fieldsOf(machine: Machine, classTerm: TermId, span: Span): readonly DataclassField[] | undefined {
  const fields = new Map<string, DataclassField>();
  for (const ancestor of [...(classLineage(machine, classTerm, span) ?? [])].reverse()) {
    if (ancestor.kind !== 'project') continue;
    const options = dataclassOptions(machine, ancestor.class);
    const definition = definitionOf(machine, ancestor.class);
    if (options === undefined || definition === undefined) continue;
    for (const field of definition.fields) {
      if (field.annotation === undefined || isClassVariable(machine, definition.module, field.annotation)) continue;
      const read = readField(machine, field, definition.module, options.keywordOnly);
      if (read === undefined) return undefined;
      fields.set(field.name, read);
    }
  }
  return [...fields.values()];
}

function readField(machine: Machine, field: ClassField, module: string, keywordOnly: boolean): DataclassField | undefined {
  const value = field.default;
  if (value?.kind !== 'call' || identityOf(machine, module, value.callee) !== FIELD)
    return { name: field.name, module, keywordOnly, ...(value === undefined ? {} : { default: value }) };
  let read: DataclassField = { name: field.name, module, keywordOnly: keywordOnly || isTrue(value.arguments, 'kw_only') };
  for (const argument of value.arguments) {
    if (argument.kind !== 'keyword') return undefined;
    if (argument.name === 'default') read = { ...read, default: argument.value };
    else if (argument.name === 'default_factory') read = { ...read, factory: argument.value };
    else if (argument.name === 'init') return undefined;
    else if (!['repr', 'hash', 'compare', 'metadata', 'kw_only'].includes(argument.name)) return undefined;
    if (argument.name === 'compare') return undefined;
  }
  return read;
}

export function constructDataclass(machine: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId | undefined {
  const options = dataclassOptions(machine, classTerm);
  if (options === undefined || !options.init || findMethod(machine, classTerm, '__init__') !== undefined) return undefined;
  const fields = fieldsOf(machine, classTerm, span);
  if (fields === undefined) return unsupported(machine, 'a dataclass with a field option that is not modelled', span, 'use plain defaults');
  const parameters: Parameter[] = fields.map((field) => ({ name: field.name, span, kind: field.keywordOnly ? 'keyword-only' : 'positional' }));
  const defaults = new Map<string, TermId>();
  const made = machine.store.constant({ type: 'special', name: 'made by the default factory' });
  for (const field of fields) {
    if (field.factory !== undefined) defaults.set(field.name, made);
    else if (field.default !== undefined) {
      const expression = field.default;
      const loaded = loadTime(machine, field.module, () => machine.evaluate(expression));
      if (loaded.kind !== 'value') return unsupported(machine, `the default of the field ${field.name} is not proved`, span);
      defaults.set(field.name, loaded.value);
    }
  }
  const bound = bindParameters(machine, parameters, args, defaults, { name: definitionOf(machine, classTerm)?.name ?? '', defaultsAt: 'definition' }, span);
  if (bound === undefined || machine.dead) return machine.store.null;
  const values = new Map<string, TermId>();
  for (const field of fields) {
    const value = bound.get(field.name)!;
    values.set(
      field.name,
      value === made && field.factory !== undefined ? machine.call(machine.evaluate(field.factory), { positional: [], keywords: [] }, span) : value,
    );
    if (machine.dead) return machine.store.null;
  }
  const instance = machine.allocate({ kind: 'instance', class: classTerm, fields: values });
  const post = findMethod(machine, classTerm, '__post_init__');
  if (post !== undefined)
    callFunction(machine, machine.store.intern({ kind: 'function', function: post.function, self: instance }), { positional: [], keywords: [] }, span);
  return instance;
}
