/** Functions, lambdas and classes. */
import type { Closure, Expression, FunctionId, Statement } from '../../ir/nodes.js';
import type { ClassField, IrClass, Parameter } from '../../ir/program.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { boundNames, type Scope } from './scopes.js';
import { lowerBlock } from './statements.js';
import { field, hasKeyword, parts, type SyntaxNode } from './syntax.js';

/** Names that a parameter list binds. */
function parameterNames(node: SyntaxNode | undefined): string[] {
  return node === undefined ? [] : parts(node).flatMap((part) => parameterName(part) ?? []);
}
function parameterName(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'identifier':
      return node.text;
    case 'default_parameter':
    case 'typed_default_parameter':
      return field(node, 'name')?.text;
    case 'typed_parameter':
      return parameterName(parts(node)[0]!);
    case 'list_splat_pattern':
    case 'dictionary_splat_pattern':
      return parts(node)[0]?.text;
    default:
      return undefined;
  }
}

function lowerParameters(c: Context, node: SyntaxNode | undefined, scope: Scope | undefined): { parameters: Parameter[]; unsupported: SyntaxNode | undefined } {
  const parameters: Parameter[] = [];
  let unsupported: SyntaxNode | undefined;
  let keywordOnly = false;
  for (const part of node === undefined ? [] : parts(node)) {
    if (part.type === 'keyword_separator') {
      keywordOnly = true;
      continue;
    }
    if (part.type === 'positional_separator') {
      for (let at = 0; at < parameters.length; at += 1) parameters[at] = { ...parameters[at]!, kind: 'positional-only' };
      continue;
    }
    const name = parameterName(part);
    if (name === undefined) {
      unsupported = part;
      continue;
    }
    const inner = part.type === 'typed_parameter' ? parts(part)[0]! : part;
    const kind = inner.type === 'list_splat_pattern' ? 'rest' : inner.type === 'dictionary_splat_pattern' ? 'keyword-rest' : keywordOnly ? 'keyword-only' : 'positional';
    if (kind === 'rest') keywordOnly = true;
    const value = field(part, 'value');
    const type = field(part, 'type');
    parameters.push({
      name,
      span: c.span(part),
      kind,
      ...(value === undefined ? {} : { default: lowerExpression(c, value, scope) }),
      ...(type === undefined ? {} : { annotation: lowerAnnotation(c, type, scope) }),
    });
  }
  return { parameters, unsupported };
}

/** An annotation; one given as text is what the text says. */
function lowerAnnotation(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  return lowerExpression(c, node, scope);
}

export interface FunctionPlace {
  readonly scope: Scope | undefined;
  readonly decorators: readonly SyntaxNode[];
  /** Id that names of this function start with: the class or function around it. */
  readonly prefix: string;
}

export function lowerFunction(c: Context, node: SyntaxNode, place: FunctionPlace): FunctionId {
  const name = field(node, 'name')?.text ?? '<nameless>';
  const body = field(node, 'body');
  const id = c.uniqueId(`${place.prefix}${name}`);
  const parametersNode = field(node, 'parameters');
  const statements = body === undefined ? [] : parts(body);
  const bound = boundNames(statements, parameterNames(parametersNode));
  // A method does not see the names of its class.
  const parent = skipClasses(place.scope);
  const scope: Scope = { kind: 'function', id, ...bound, ...(place.scope === undefined ? {} : { parent: place.scope }) };
  const { parameters, unsupported } = lowerParameters(c, parametersNode, place.scope);
  const returns = field(node, 'return_type');
  // Reserves the id, so that functions inside get others.
  const head = {
    id,
    name,
    module: c.module.id,
    span: c.span(node),
    parameters,
    async: hasKeyword(node, 'async'),
    generator: statements.some(hasYield),
    defaultsAt: 'definition' as const,
    decorators: place.decorators.map((decorator) => lowerExpression(c, parts(decorator)[0]!, place.scope)),
    writesOuter: bound.writesOuter,
    ...(parent === undefined ? {} : { parent: parent.id }),
    ...(returns === undefined ? {} : { returns: lowerAnnotation(c, returns, place.scope) }),
  };
  c.program.functions.set(id, { ...head, body: [] });
  const broken = body === undefined ? node : firstError(node);
  const lowered: readonly Statement[] =
    broken !== undefined
      ? [{ kind: 'unsupported', span: c.span(broken), code: 'syntax-error', detail: `the function ${name} is not Python 3` }]
      : unsupported !== undefined
        ? [{ kind: 'unsupported', span: c.span(unsupported), code: 'unsupported-syntax', detail: 'an unknown parameter form' }]
        : lowerBlock(c, statements, scope);
  c.program.functions.set(id, { ...head, body: lowered });
  return id;
}

export function lowerLambda(c: Context, node: SyntaxNode, scope: Scope | undefined): Closure | Expression {
  const body = field(node, 'body');
  if (body === undefined) return c.unsupported(node, 'unsupported-syntax', 'an empty lambda');
  const id = c.uniqueId(`${scope === undefined ? `${c.module.id}#` : `${scope.id}.`}<lambda>`);
  const parametersNode = field(node, 'parameters');
  const bound = boundNames([body], parameterNames(parametersNode));
  const inner: Scope = { kind: 'function', id, ...bound, ...(scope === undefined ? {} : { parent: scope }) };
  const { parameters } = lowerParameters(c, parametersNode, scope);
  const parent = skipClasses(scope);
  const span = c.span(node);
  const head = { id, name: '<lambda>', module: c.module.id, span, parameters, async: false, generator: hasYield(body), defaultsAt: 'definition' as const, decorators: [], writesOuter: [], ...(parent === undefined ? {} : { parent: parent.id }) };
  c.program.functions.set(id, { ...head, body: [] });
  c.program.functions.set(id, { ...head, body: [{ kind: 'return', span: c.span(body), value: lowerExpression(c, body, inner) }] });
  return { kind: 'closure', span, function: id };
}

function skipClasses(scope: Scope | undefined): Scope | undefined {
  let at = scope;
  while (at?.kind === 'class') at = at.parent;
  return at;
}

/** Whether a statement yields in the function that it belongs to. */
function hasYield(node: SyntaxNode): boolean {
  if (node.type === 'yield') return true;
  if (node.type === 'function_definition' || node.type === 'lambda' || node.type === 'class_definition' || node.type === 'generator_expression') return false;
  return parts(node).some(hasYield);
}

/** The first place that is not Python, nested definitions included: nothing in a broken function is trusted. */
export function firstError(node: SyntaxNode): SyntaxNode | undefined {
  if (!node.hasError) return undefined;
  if (node.isError || node.isMissing) return node;
  for (const child of node.children) {
    const found = child === null ? undefined : firstError(child);
    if (found !== undefined) return found;
  }
  return node;
}

export function lowerClass(c: Context, node: SyntaxNode, place: FunctionPlace): string {
  const name = field(node, 'name')?.text ?? '<nameless>';
  const id = c.uniqueId(`${place.scope === undefined ? place.prefix : `${place.prefix}<locals>.`}${name}`);
  const body = field(node, 'body');
  const statements = body === undefined ? [] : parts(body);
  const scope: Scope = { kind: 'class', id, ...boundNames(statements), ...(place.scope === undefined ? {} : { parent: place.scope }) };
  const span = c.span(node);
  const fieldsOf: ClassField[] = [];
  const methods: { name: string; function: FunctionId }[] = [];
  const unsupported: Statement[] = [];
  const refuse = (statement: SyntaxNode, code: 'unsupported-syntax' | 'metaclass' | 'syntax-error', detail: string): void => {
    unsupported.push({ kind: 'unsupported', span: c.span(statement), code, detail });
  };
  const bases: Expression[] = [];
  for (const base of parts(field(node, 'superclasses') ?? node).filter((part) => field(node, 'superclasses') !== undefined && part.type !== 'comment')) {
    if (base.type === 'keyword_argument') refuse(base, 'metaclass', `the class is made with ${base.text}`);
    else if (base.type === 'list_splat' || base.type === 'dictionary_splat') refuse(base, 'unsupported-syntax', 'computed bases');
    else bases.push(lowerExpression(c, base, place.scope));
  }
  const head = { id, name, module: c.module.id, span, bases, decorators: place.decorators.map((decorator) => lowerExpression(c, parts(decorator)[0]!, place.scope)), fields: fieldsOf, methods, unsupported };
  const reserved: IrClass = head;
  c.program.classes.set(id, reserved);
  const broken = firstError(node);
  if (broken !== undefined) refuse(broken, 'syntax-error', `the class ${name} is not Python 3`);
  for (const statement of statements) lowerClassStatement(c, statement, scope, `${id}.`, { fieldsOf, methods, refuse, statement: (lowered) => void unsupported.push(...lowered) });
  return id;
}

interface ClassParts {
  readonly fieldsOf: ClassField[];
  readonly methods: { name: string; function: FunctionId }[];
  readonly refuse: (node: SyntaxNode, code: 'unsupported-syntax', detail: string) => void;
  readonly statement: (lowered: readonly Statement[]) => void;
}

function lowerClassStatement(c: Context, statement: SyntaxNode, scope: Scope, prefix: string, out: ClassParts): void {
  const definition = statement.type === 'decorated_definition' ? field(statement, 'definition') : statement;
  const decorators = statement.type === 'decorated_definition' ? parts(statement).filter((part) => part.type === 'decorator') : [];
  if (definition?.type === 'function_definition') {
    out.methods.push({ name: field(definition, 'name')!.text, function: lowerFunction(c, definition, { scope, decorators, prefix }) });
    return;
  }
  if (statement.type === 'pass_statement') return;
  const inner = statement.type === 'expression_statement' ? parts(statement)[0] : undefined;
  if (inner?.type === 'string' || inner?.type === 'concatenated_string' || inner?.type === 'ellipsis') return;
  if (inner?.type === 'assignment') {
    const left = field(inner, 'left');
    const right = field(inner, 'right');
    const type = field(inner, 'type');
    if (left?.type === 'identifier' && right?.type !== 'assignment') {
      out.fieldsOf.push({
        name: left.text,
        span: c.span(statement),
        ...(type === undefined ? {} : { annotation: lowerAnnotation(c, type, scope) }),
        ...(right === undefined ? {} : { default: lowerExpression(c, right, scope) }),
      });
      return;
    }
  }
  out.refuse(statement, 'unsupported-syntax', `the statement ${statement.type} in a class body`);
}

