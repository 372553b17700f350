/**
 * Prints programs and their parts as text; `parse.ts` reads it back. The printed form of nodes is specified in `nodes.ts`,
 * that of modules, functions and classes in `program.ts`. With `spans` every node carries `@file:line:column-line:column`
 * and `parseProgram(printProgram(p, { spans: true }))` equals `p`; without, the text is for people.
 */
import { unreachable } from '../base/errors.js';
import type { Expression, FunctionId, Statement } from './nodes.js';
import { annotation, PLAIN_NAMES, writeExpression, writeOperand, writeUnsupported, type PrintContext } from './print-expression.js';
import { writeBlock, writeStatements } from './print-statement.js';
import type { Binding, ClassField, IrClass, IrFunction, Module, Parameter, Program } from './program.js';
import { nameFromId, printIdentity, printName, printPath, quote } from './text-form.js';

export interface PrintOptions {
  readonly spans?: boolean;
}
export interface PrintPartOptions extends PrintOptions {
  /** The activation that the part belongs to: its locals are printed without owner. */
  readonly owner?: FunctionId;
}

function contextOf(options: PrintPartOptions): PrintContext {
  return { spans: options.spans ?? false, owner: options.owner, naming: PLAIN_NAMES };
}

export function printExpression(expression: Expression, options: PrintPartOptions = {}): string {
  return writeExpression(expression, contextOf(options));
}

/** Ends with a newline when there is a statement. */
export function printStatements(statements: readonly Statement[], options: PrintPartOptions = {}): string {
  return joinLines(writeStatements(statements, contextOf(options)));
}

export function printFunction(fn: IrFunction, options: PrintOptions = {}): string {
  return joinLines(writeFunction(fn, contextOf(options)));
}

export function printClass(definition: IrClass, options: PrintOptions = {}): string {
  return joinLines(writeClass(definition, contextOf(options)));
}

export function printProgram(program: Program, options: PrintOptions = {}): string {
  const context = contextOf(options);
  const facts = [
    ...program.foreignWrites.map((write) => `foreign-write ${write.how} ${printIdentity(write.identity)}${annotation(write.span, context)}`),
    ...program.syntaxErrors.map((error) => `syntax-error ${printPath(error.file)} ${quote(error.detail)}${annotation(error.span, context)}`),
  ];
  const sections = [
    [`program ${printPath(program.language)}`],
    ...[...program.modules.values()].map((module) => writeModule(module, context)),
    ...[...program.functions.values()].map((fn) => writeFunction(fn, context)),
    ...[...program.classes.values()].map((definition) => writeClass(definition, context)),
    ...(facts.length === 0 ? [] : [facts]),
  ];
  return sections.map(joinLines).join('\n');
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function writeModule(module: Module, context: PrintContext): string[] {
  const bindings = [...module.bindings].map(
    ([name, binding]) => `binding ${printName(name)} = ${writeBinding(binding, context)}${annotation(binding.span, context)}`,
  );
  const effects = module.effects.length === 0 ? [] : writeBlock('effects', writeStatements(module.effects, context));
  return writeBlock(`module ${printPath(module.id)} file=${printPath(module.file)}`, [...bindings, ...effects]);
}

function writeBinding(binding: Binding, context: PrintContext): string {
  switch (binding.kind) {
    case 'function':
      return `function ${printPath(binding.function)}`;
    case 'class':
      return `class ${printPath(binding.class)}`;
    case 'external':
      return `external ${printIdentity(binding.identity)}`;
    case 'module':
      return `module ${printPath(binding.module)}`;
    case 'alias':
      return `alias @${printPath(binding.module)}::${printName(binding.name)}`;
    case 'value':
      return `value ${writeExpression(binding.value, context)}`;
    case 'unsupported':
      return writeUnsupported(binding);
    default:
      return unreachable(binding);
  }
}

/** The head speaks of the function's own activation, as its body does. */
export function writeFunction(fn: IrFunction, outer: PrintContext): string[] {
  const { naming } = outer;
  const context: PrintContext = { ...outer, owner: fn.id };
  const id = naming.function(fn.id);
  const parameters = fn.parameters.map((parameter) => writeParameter(fn.id, parameter, context)).join(', ');
  const returns = fn.returns === undefined ? '' : ` returns=${writeOperand(fn.returns, context)}`;
  const decorators = fn.decorators.length === 0 ? '' : ` decorators=[${fn.decorators.map((one) => writeExpression(one, context)).join(', ')}]`;
  const body = writeStatements(fn.body, context);
  const written = naming.writes(fn);
  const flags = [
    ...(fn.async ? [' async'] : []),
    ...(fn.generator ? [' generator'] : []),
    ` module=${printPath(fn.module)}`,
    ...(naming === PLAIN_NAMES && fn.name !== nameFromId(fn.id) ? [` name=${printName(fn.name)}`] : []),
    ...(fn.parent === undefined ? [] : [` parent=${naming.parent(fn.parent)}`]),
    ...(fn.defaultsAt === 'call' ? [' defaults=call'] : []),
    ...(written.length === 0 ? [] : [` writes=[${written.join(', ')}]`]),
  ].join('');
  return writeBlock(`function ${id} (${parameters})${flags}${decorators}${returns}${annotation(fn.span, context)}`, body);
}

function writeParameter(owner: FunctionId, parameter: Parameter, context: PrintContext): string {
  const kind = parameter.kind === 'positional' ? '' : `${parameter.kind} `;
  const type = parameter.annotation === undefined ? '' : `: ${writeOperand(parameter.annotation, context)}`;
  const value = parameter.default === undefined ? '' : ` = ${writeExpression(parameter.default, context)}`;
  return `${kind}${context.naming.parameter(owner, parameter.name)}${type}${value}${annotation(parameter.span, context)}`;
}

export function writeClass(definition: IrClass, outer: PrintContext): string[] {
  const { naming } = outer;
  const bases = definition.bases.map((base) => writeExpression(base, outer)).join(', ');
  const decorators =
    definition.decorators.length === 0 ? '' : ` decorators=[${definition.decorators.map((one) => writeExpression(one, outer)).join(', ')}]`;
  const name = naming === PLAIN_NAMES && definition.name === nameFromId(definition.id) ? '' : ` name=${printName(definition.name)}`;
  const lines = [
    ...definition.fields.map((field) => writeField(field, outer)),
    ...definition.methods.map((method) => `method ${printName(method.name)} = ${naming.function(method.function)}`),
    ...(definition.unsupported.length === 0 ? [] : writeBlock('unsupported', writeStatements(definition.unsupported, outer))),
  ];
  const head = `class ${naming.class(definition.id)} (${bases}) module=${printPath(definition.module)}${name}${decorators}`;
  return writeBlock(`${head}${annotation(definition.span, outer)}`, lines);
}

function writeField(field: ClassField, context: PrintContext): string {
  const type = field.annotation === undefined ? '' : `: ${writeOperand(field.annotation, context)}`;
  const value = field.default === undefined ? '' : ` = ${writeExpression(field.default, context)}`;
  return `field ${printName(field.name)}${type}${value}${annotation(field.span, context)}`;
}
