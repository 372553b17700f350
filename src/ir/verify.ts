/**
 * Verifies a lowered program: what the evaluator relies on and no type can say. A frontend's output that has an issue is a
 * bug of the frontend; nothing is analysed then. The list is complete (every part is looked at) and in order of the program.
 *
 * It does not resolve names or check meaning: whether an identity exists, or a module has a name (a release may well import
 * what is made at run time; reading it stops the evaluator), or an operator means something, is not asked.
 */
import { unreachable } from '../base/errors.js';
import { IR_DEPTH_MAX } from '../base/limits.js';
import type { ClassId, Expression, FunctionId } from './nodes.js';
import type { Binding, IrClass, IrFunction, Module, Parameter, Program } from './program.js';
import type { Span } from './span.js';
import { checkSpan, CodeVerifier, type CodePlace } from './verify-code.js';
import { activationsAround, checkModule, type IrIssue, type ReportIssue, type ScopeFacts, type VerifyTables } from './verify-issue.js';
import { forEachChildOfExpression, forEachChildOfPattern, forEachChildOfStatement, forEachChildOfTarget, forEachHeadExpression, type NodeVisitor } from './walk.js';

/** Parameters in the order of their kinds; `rest` collects before names begin. */
const PARAMETER_ORDER: Record<Parameter['kind'], number> = { 'positional-only': 0, 'positional': 1, 'rest': 2, 'keyword-only': 3, 'keyword-rest': 4 };

export function verifyProgram(program: Program): readonly IrIssue[] {
  const issues: IrIssue[] = [];
  const report: ReportIssue = (code, message, place) => void issues.push({ code, message, place });
  const made = collectMade(program, report);
  const tables: VerifyTables = { program, scopes: made.scopes, report };
  for (const [key, module] of program.modules) verifyModule(tables, key, module);
  for (const [key, fn] of program.functions) verifyFunction(tables, key, fn);
  for (const [key, definition] of program.classes) verifyClass(tables, key, definition, classActivation(made, definition.id));
  for (const write of program.foreignWrites) {
    checkSpan(tables, write.span);
    if (write.identity === '') report('empty-name', 'a foreign write of nothing', write.span);
  }
  for (const error of program.syntaxErrors) checkSpan(tables, error.span);
  return issues;
}

/** What a first reading of all code finds: scopes, and where classes are defined. */
interface Made {
  readonly scopes: Map<FunctionId, ScopeFacts>;
  /** The activation in which a class is defined, or the class in whose body. */
  readonly classes: Map<ClassId, { readonly activation?: FunctionId | undefined; readonly inside?: ClassId }>;
}

function collectMade(program: Program, report: ReportIssue): Made {
  const made: Made = { scopes: new Map(), classes: new Map() };
  const visitorFor = (activation: FunctionId | undefined, inside: ClassId | undefined, depth: number): NodeVisitor => {
    // Deeper code is reported when it is verified.
    const within = (at: FunctionId | undefined): NodeVisitor => (depth < IR_DEPTH_MAX ? visitorFor(at, inside, depth + 1) : IGNORE);
    return {
      expression: (node) => {
        if (node.kind !== 'comprehension') return forEachChildOfExpression(node, within(activation));
        if (made.scopes.has(node.scope) || program.functions.has(node.scope)) report('duplicate-id', `the scope ${node.scope} is not the only one of its id`, node.span);
        else made.scopes.set(node.scope, { ...(activation === undefined ? {} : { around: activation }), lazy: node.as === 'generator' });
        return forEachChildOfExpression(node, within(node.scope));
      },
      target: (node) => forEachChildOfTarget(node, within(activation)),
      pattern: (node) => forEachChildOfPattern(node, within(activation)),
      statement: (node) => {
        if (node.kind === 'define-class' && !made.classes.has(node.class)) made.classes.set(node.class, inside === undefined ? { activation } : { inside });
        forEachChildOfStatement(node, within(activation));
      },
    };
  };
  for (const module of program.modules.values()) {
    const visit = visitorFor(undefined, undefined, 0);
    for (const binding of module.bindings.values()) if (binding.kind === 'value') visit.expression(binding.value);
    module.effects.forEach(visit.statement);
  }
  for (const fn of program.functions.values()) {
    const visit = visitorFor(fn.id, undefined, 0);
    const around = visitorFor(fn.parent, undefined, 0);
    forEachHeadExpression(fn, fn.defaultsAt === 'call' ? visit.expression : around.expression);
    fn.body.forEach(visit.statement);
  }
  for (const definition of program.classes.values()) {
    if (program.functions.has(definition.id)) report('duplicate-id', `${definition.id} is a function and a class`, definition.span);
  }
  // Class code comes last: where a class is defined says what is around its comprehensions.
  for (const definition of program.classes.values()) {
    const visit = visitorFor(classActivation(made, definition.id), definition.id, 0);
    classExpressions(definition).forEach(visit.expression);
    definition.unsupported.forEach(visit.statement);
  }
  return made;
}

const IGNORE: NodeVisitor = { expression: () => undefined, target: () => undefined, pattern: () => undefined, statement: () => undefined };

function classActivation(made: Made, id: ClassId): FunctionId | undefined {
  const seen = new Set<ClassId>();
  let at = id;
  while (!seen.has(at)) {
    seen.add(at);
    const site = made.classes.get(at);
    if (site?.inside === undefined) return site?.activation;
    at = site.inside;
  }
  return undefined;
}

function classExpressions(definition: IrClass): Expression[] {
  const fields = definition.fields.flatMap((field) => [field.annotation, field.default]);
  return [...definition.bases, ...definition.decorators, ...fields].filter((expression) => expression !== undefined);
}

/** Code that runs in an activation without being the body of it: heads of the functions made there, classes, modules. */
function placeIn(tables: VerifyTables, activation: FunctionId | undefined): CodePlace {
  const around = activationsAround(tables, activation);
  const end = around.findIndex((one) => !tables.scopes.has(one));
  const scopes = end === -1 ? around : around.slice(0, end);
  const fn = end === -1 ? undefined : tables.program.functions.get(around[end] ?? '');
  const async = (fn?.async ?? false) || scopes.some((scope) => tables.scopes.get(scope)?.lazy === true);
  return { activation, function: fn !== undefined, async, generator: scopes.length === 0 && (fn?.generator ?? false), writesOuter: undefined };
}

function verifyModule(tables: VerifyTables, key: string, module: Module): void {
  const place: Span = { file: module.file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  checkSpan(tables, place);
  checkId(tables, key, module.id, 'module', place);
  const code = new CodeVerifier(tables, placeIn(tables, undefined));
  for (const [name, binding] of module.bindings) {
    checkSpan(tables, binding.span);
    if (name === '') tables.report('empty-name', `a binding of ${module.id} has no name`, binding.span);
    verifyBinding(tables, code, name, binding);
  }
  code.statements(module.effects);
}

function verifyBinding(tables: VerifyTables, code: CodeVerifier, name: string, binding: Binding): void {
  const { program, report } = tables;
  switch (binding.kind) {
    case 'function': {
      const fn = program.functions.get(binding.function);
      if (fn === undefined) report('unknown-function', `${name} is bound to the function ${binding.function}, which the program does not have`, binding.span);
      else if (fn.parent !== undefined) report('parent-mismatch', `${name} is bound at module level to a function of ${fn.parent}`, binding.span);
      return;
    }
    case 'class':
      if (!program.classes.has(binding.class)) report('unknown-class', `${name} is bound to the class ${binding.class}, which the program does not have`, binding.span);
      return;
    case 'module':
    case 'alias':
      return checkModule(tables, binding.module, name, binding.span);
    case 'value':
      return code.expression(binding.value);
    case 'external':
      if (binding.identity === '') report('empty-name', `${name} is bound to an external without identity`, binding.span);
      return;
    case 'unsupported':
      return;
    default:
      unreachable(binding);
  }
}

function verifyFunction(tables: VerifyTables, key: string, fn: IrFunction): void {
  checkSpan(tables, fn.span);
  checkId(tables, key, fn.id, 'function', fn.span);
  if (fn.name === '') tables.report('empty-name', `the function ${fn.id} has no name`, fn.span);
  checkModule(tables, fn.module, fn.id, fn.span);
  verifyParent(tables, fn);
  verifyParameters(tables, fn.parameters);
  const own = new CodeVerifier(tables, { activation: fn.id, function: true, async: fn.async, generator: fn.generator, writesOuter: new Set(fn.writesOuter) });
  const around = new CodeVerifier(tables, placeIn(tables, fn.parent));
  const head = fn.defaultsAt === 'call' ? own : around;
  forEachHeadExpression(fn, (expression) => head.expression(expression));
  own.statements(fn.body);
  if (fn.writesOuter.some((write) => write === '' || write === '@')) tables.report('empty-name', `${fn.id} lists a write of nothing`, fn.span);
}

function verifyParent(tables: VerifyTables, fn: IrFunction): void {
  if (fn.parent === undefined) return;
  const { report, program } = tables;
  const around = activationsAround(tables, fn.parent);
  const known = program.functions.has(fn.parent) || tables.scopes.has(fn.parent);
  if (!known) return report('parent-mismatch', `the parent ${fn.parent} of ${fn.id} is neither a function nor a scope`, fn.span);
  if (around.includes(fn.id)) return report('parent-mismatch', `${fn.id} is around itself`, fn.span);
  for (const activation of around) {
    const outer = program.functions.get(activation);
    if (outer !== undefined && outer.module !== fn.module) return report('parent-mismatch', `${fn.id} is in ${fn.module}, its parent in ${outer.module}`, fn.span);
  }
}

function verifyParameters(tables: VerifyTables, parameters: readonly Parameter[]): void {
  const names = new Set<string>();
  let last = 0;
  for (const parameter of parameters) {
    checkSpan(tables, parameter.span);
    if (parameter.name === '') tables.report('empty-name', 'a parameter has no name', parameter.span);
    if (names.has(parameter.name)) tables.report('duplicate-name', `the parameter ${parameter.name} is there twice`, parameter.span);
    names.add(parameter.name);
    const rank = PARAMETER_ORDER[parameter.kind];
    const collects = parameter.kind === 'rest' || parameter.kind === 'keyword-rest';
    if (rank < last) tables.report('parameter-order', `a ${parameter.kind} parameter comes too late`, parameter.span);
    if (collects && rank === last) tables.report('parameter-order', `a second ${parameter.kind} parameter`, parameter.span);
    if (collects && parameter.default !== undefined) tables.report('parameter-order', `a ${parameter.kind} parameter has no default`, parameter.span);
    last = Math.max(last, rank);
  }
}

function verifyClass(tables: VerifyTables, key: string, definition: IrClass, activation: FunctionId | undefined): void {
  const { program, report } = tables;
  checkSpan(tables, definition.span);
  checkId(tables, key, definition.id, 'class', definition.span);
  if (definition.name === '') report('empty-name', `the class ${definition.id} has no name`, definition.span);
  checkModule(tables, definition.module, definition.id, definition.span);
  const code = new CodeVerifier(tables, placeIn(tables, activation));
  classExpressions(definition).forEach((expression) => code.expression(expression));
  code.statements(definition.unsupported);
  for (const field of definition.fields) {
    checkSpan(tables, field.span);
    if (field.name === '') report('empty-name', `a field of ${definition.id} has no name`, field.span);
  }
  for (const method of definition.methods) {
    const fn = program.functions.get(method.function);
    if (method.name === '') report('empty-name', `a method of ${definition.id} has no name`, definition.span);
    if (fn === undefined) report('unknown-function', `the method ${method.name} is ${method.function}, which the program does not have`, definition.span);
    else if (fn.parent !== activation) report('parent-mismatch', `the method ${method.name} has the parent ${fn.parent ?? 'module level'}, its class is in ${activation ?? 'module level'}`, fn.span);
  }
}

function checkId(tables: VerifyTables, key: string, id: string, what: string, place: Span): void {
  if (id === '') tables.report('empty-name', `a ${what} has no id`, place);
  if (key !== id) tables.report('id-mismatch', `the ${what} ${id} is held under the id ${key}`, place);
}
