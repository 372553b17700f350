/** Functions and lambdas. */
import type { Expression, FunctionId, Statement } from '../../ir/nodes.js';
import type { IrFunction, Parameter } from '../../ir/program.js';
import { lowerAnnotation } from './annotations.js';
import { boundNames, type BoundNames } from './bound-names.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { activationScope, resolve, type Scope } from './scopes.js';
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
      return parts(node).slice(0, 1).map(parameterName)[0];
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
    const inner = part.type === 'typed_parameter' ? (parts(part)[0] ?? part) : part;
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

export interface FunctionPlace {
  readonly scope: Scope | undefined;
  readonly decorators: readonly SyntaxNode[];
  /** Id that names of this function start with: the class or function around it. */
  readonly prefix: string;
}

export function lowerFunction(c: Context, node: SyntaxNode, place: FunctionPlace): FunctionId {
  const name = field(node, 'name')?.text ?? '<nameless>';
  const id = c.uniqueId(`${place.prefix}${name}`);
  const parent = activationScope(place.scope);
  const around = withTypeParameters(node, place.scope);
  const span = c.span(node);
  const broken = c.problems.within(node);
  const head = { id, name, module: c.module.id, span, defaultsAt: 'definition' as const, ...(parent === undefined ? {} : { parent: parent.id }) };
  const decorators = place.decorators.map((decorator) => lowerDecorator(c, decorator, place.scope));
  if (broken !== undefined) {
    const body: Statement[] = [{ kind: 'unsupported', span: c.span(broken.node), code: 'syntax-error', detail: `the function ${name}: ${broken.detail}` }];
    c.program.functions.set(id, { ...head, parameters: anyParameters(c, node), async: false, generator: false, decorators, writesOuter: [], body });
    return id;
  }
  const statements = parts(field(node, 'body') ?? node);
  const bound = boundNames(statements, parameterNames(field(node, 'parameters')));
  const scope: Scope = { kind: 'function', id, ...bound, ...(around === undefined ? {} : { parent: around }) };
  // Decorators, defaults and annotations belong to the scope around.
  const { parameters, unsupported } = lowerParameters(c, field(node, 'parameters'), around);
  const returns = field(node, 'return_type');
  const reserved: IrFunction = {
    ...head,
    parameters,
    async: hasKeyword(node, 'async'),
    generator: statements.some(hasYield),
    decorators,
    writesOuter: bound.writesOuter,
    ...(returns === undefined ? {} : { returns: lowerAnnotation(c, returns, around) }),
    body: [],
  };
  // Reserves the id, so that functions inside get others.
  c.program.functions.set(id, reserved);
  const refused = unsupported === undefined ? refusedDeclaration(bound, around, parameters) : 'an unknown parameter form';
  const body: readonly Statement[] = refused === undefined ? c.fresh(() => lowerBlock(c, statements, scope)) : [{ kind: 'unsupported', span: c.span(unsupported ?? node), code: 'unsupported-syntax', detail: refused }];
  c.program.functions.set(id, { ...reserved, body, ...(refused === undefined ? {} : { parameters: anyParameters(c, node) }) });
  return id;
}

/** What a function takes whose parameters are not known: a call must reach the body, which stops. */
function anyParameters(c: Context, node: SyntaxNode): readonly Parameter[] {
  const span = c.span(node);
  return [
    { name: 'args', span, kind: 'rest' },
    { name: 'kwargs', span, kind: 'keyword-rest' },
  ];
}

export function lowerDecorator(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const inner = parts(node)[0];
  return inner === undefined ? c.unsupported(node, 'syntax-error', 'a decorator without an expression') : lowerExpression(c, inner, scope);
}

/** `global` and `nonlocal` that Python refuses: what they would mean is anybody's guess. */
function refusedDeclaration(bound: BoundNames, around: Scope | undefined, parameters: readonly Parameter[]): string | undefined {
  for (const name of bound.nonlocals) if (bound.globals.has(name) || resolve(around, name).kind !== 'local') return `nonlocal ${name} names no variable of a function around`;
  const declared = parameters.find((parameter) => bound.globals.has(parameter.name) || bound.nonlocals.has(parameter.name));
  return declared === undefined ? undefined : `the parameter ${declared.name} is declared global or nonlocal`;
}

/** The scope of `def f[T]` and `class C[T]`. */
export function withTypeParameters(node: SyntaxNode, scope: Scope | undefined): Scope | undefined {
  const list = field(node, 'type_parameters');
  if (list === undefined) return scope;
  const names = new Set(parts(list).flatMap((part) => /^\s*\*{0,2}\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(part.text)?.[1] ?? []));
  return { kind: 'type-parameters', id: scope?.id ?? '', names, globals: new Set(), nonlocals: new Set(), ...(scope === undefined ? {} : { parent: scope }) };
}

export function lowerLambda(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const body = field(node, 'body');
  if (body === undefined) return c.unsupported(node, 'unsupported-syntax', 'an empty lambda');
  const id = c.uniqueId(`${scope === undefined ? `${c.module.id}#` : `${scope.id}.`}<lambda>`);
  const bound = boundNames([body], parameterNames(field(node, 'parameters')));
  const inner: Scope = { kind: 'function', id, ...bound, ...(scope === undefined ? {} : { parent: scope }) };
  const span = c.span(node);
  const parent = activationScope(scope);
  const head = { id, name: '<lambda>', module: c.module.id, span, async: false, generator: hasYield(body), defaultsAt: 'definition' as const, decorators: [], writesOuter: [], ...(parent === undefined ? {} : { parent: parent.id }) };
  c.program.functions.set(id, { ...head, parameters: [], body: [] });
  const { parameters, unsupported } = lowerParameters(c, field(node, 'parameters'), scope);
  if (unsupported !== undefined) return c.unsupported(unsupported, 'unsupported-syntax', 'an unknown parameter form');
  const value = c.fresh(() => lowerExpression(c, body, inner));
  c.program.functions.set(id, { ...head, parameters, body: [{ kind: 'return', span: c.span(body), value }] });
  return { kind: 'closure', span, function: id };
}

/** Whether a statement yields in the function that it belongs to; what a definition evaluates around itself does. */
function hasYield(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'yield':
      return true;
    case 'function_definition':
    case 'lambda':
    case 'class_definition':
      return parts(node).some((part) => (part.type === 'parameters' || part.type === 'lambda_parameters' || part.type === 'argument_list') && hasYield(part));
    default:
      return parts(node).some(hasYield);
  }
}
