/** Statements of function bodies and of module tops. */
import type { Expression, Statement, Target } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerClass } from './classes.js';
import { binaryOperator, displayElement, lowerExpression } from './expressions.js';
import { lowerFunction } from './functions.js';
import { importStatements } from './imports.js';
import { lowerMatch } from './patterns.js';
import type { Scope } from './scopes.js';
import { field, fields, hasKeyword, parts, type SyntaxNode } from './syntax.js';
import { lowerTarget } from './targets.js';

export function lowerBlock(c: Context, statements: readonly SyntaxNode[], scope: Scope | undefined): Statement[] {
  return statements.flatMap((statement) => lowerStatement(c, statement, scope));
}

export function block(c: Context, node: SyntaxNode | undefined, scope: Scope | undefined): Statement[] {
  return node === undefined ? [] : lowerBlock(c, parts(node), scope);
}

export function lowerStatement(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const lowered = c.deeper(node, () => statement(c, node, scope));
  return 'kind' in lowered ? [lowered] : lowered;
}

function statement(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const lower = (inner: SyntaxNode): Expression => lowerExpression(c, inner, scope);
  const bad = (detail: string, code: 'unsupported-syntax' | 'syntax-error' = 'unsupported-syntax'): Statement[] => [{ kind: 'unsupported', span, code, detail }];
  if (node.isError || node.isMissing) return bad('this is not Python 3', 'syntax-error');
  switch (node.type) {
    case 'expression_statement':
      return lowerExpressionStatement(c, node, scope);
    case 'return_statement': {
      const value = parts(node)[0];
      return [{ kind: 'return', span, ...(value === undefined ? {} : { value: lower(value) }) }];
    }
    case 'pass_statement':
    case 'global_statement':
    case 'nonlocal_statement':
      return [];
    case 'break_statement':
      return [{ kind: 'break', span }];
    case 'continue_statement':
      return [{ kind: 'continue', span }];
    case 'raise_statement': {
      const cause = field(node, 'cause');
      const value = parts(node).find((part) => part.id !== cause?.id);
      if (value === undefined && !isInHandler(node)) return bad('a raise without a value outside of an except clause');
      return [{ kind: 'throw', span, ...(value === undefined ? {} : { value: lower(value) }), ...(cause === undefined ? {} : { cause: lower(cause) }) }];
    }
    case 'assert_statement': {
      const [test, message] = parts(node);
      if (test === undefined) return bad('an empty assertion');
      return [{ kind: 'assert', span, test: lower(test), ...(message === undefined ? {} : { message: lower(message) }) }];
    }
    case 'delete_statement':
      return parts(node)
        .flatMap(deletedParts)
        .map((part) => ({ kind: 'delete', span, target: lowerTarget(c, part, scope) }));
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement':
      return importStatements(c, node, scope);
    case 'if_statement':
      return [lowerIf(c, node, fields(node, 'alternative'), scope)];
    case 'for_statement': {
      const left = field(node, 'left');
      const right = field(node, 'right');
      if (left === undefined || right === undefined) return bad('an incomplete loop');
      const otherwise = field(node, 'alternative');
      return [
        {
          kind: 'for-each',
          span,
          target: lowerTarget(c, left, scope),
          iterable: lower(right),
          body: block(c, field(node, 'body'), scope),
          otherwise: block(c, otherwise === undefined ? undefined : field(otherwise, 'body'), scope),
          async: hasKeyword(node, 'async'),
        },
      ];
    }
    case 'while_statement': {
      const test = field(node, 'condition');
      const otherwise = field(node, 'alternative');
      if (test === undefined) return bad('an incomplete loop');
      return [{ kind: 'while', span, test: lower(test), body: block(c, field(node, 'body'), scope), otherwise: block(c, otherwise === undefined ? undefined : field(otherwise, 'body'), scope) }];
    }
    case 'try_statement':
      return [lowerTry(c, node, scope)];
    case 'with_statement':
      return [lowerWith(c, node, scope)];
    case 'match_statement':
      return lowerMatch(c, node, scope);
    case 'function_definition':
    case 'class_definition':
      return lowerDefinition(c, node, [], scope);
    case 'decorated_definition': {
      const definition = field(node, 'definition');
      const decorators = parts(node).filter((part) => part.type === 'decorator');
      return definition === undefined ? bad('a decorator without a definition') : lowerDefinition(c, definition, decorators, scope);
    }
    case 'type_alias_statement': {
      const left = field(node, 'left');
      const name = left === undefined ? undefined : parts(left)[0];
      if (name?.type !== 'identifier') return bad('a generic type alias');
      return [{ kind: 'assign', span, targets: [lowerTarget(c, name, scope)], value: c.unsupported(node, 'unsupported-syntax', 'a type alias is used as a value') }];
    }
    default:
      return bad(`the statement ${node.type}`);
  }
}

/** `del (a, b), [c]` deletes each. */
function deletedParts(node: SyntaxNode): SyntaxNode[] {
  return node.type === 'expression_list' || node.type === 'tuple' || node.type === 'list' || node.type === 'parenthesized_expression' ? parts(node).flatMap(deletedParts) : [node];
}

/** Whether an except clause of the same function is around. */
function isInHandler(node: SyntaxNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === 'except_clause') return true;
    if (at.type === 'function_definition' || at.type === 'class_definition') return false;
  }
  return false;
}

function lowerExpressionStatement(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const inner = parts(node);
  const only = inner[0];
  if (only === undefined) return [];
  if (inner.length > 1 || node.children.some((child) => child.type === ',')) {
    const elements = inner.map((part) => displayElement(c, part, scope));
    return [{ kind: 'expression', span, expression: { kind: 'list', span, as: 'tuple', elements } }];
  }
  if (only.type === 'assignment') return lowerAssignment(c, only, scope);
  if (only.type === 'augmented_assignment') {
    const left = field(only, 'left');
    const right = field(only, 'right');
    const operator = binaryOperator((only.childForFieldName('operator')?.type ?? '').replace(/=$/, ''));
    if (left === undefined || right === undefined || operator === undefined) return [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an unknown assignment' }];
    return [{ kind: 'augmented-assign', span, target: lowerTarget(c, left, scope), operator, value: lowerExpression(c, right, scope) }];
  }
  return [{ kind: 'expression', span, expression: lowerExpression(c, only, scope) }];
}

/** `a = b = value`; of an annotation without a value only the place is evaluated. */
function lowerAssignment(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const targets: Target[] = [];
  let at: SyntaxNode = node;
  for (;;) {
    const left = field(at, 'left');
    const right = field(at, 'right');
    if (left === undefined) return [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete assignment' }];
    if (right === undefined) return left.type === 'identifier' ? [] : evaluatedPlace(c, node, left, scope);
    targets.push(lowerTarget(c, left, scope));
    if (right.type !== 'assignment') return [{ kind: 'assign', span, targets, value: lowerExpression(c, right, scope) }];
    at = right;
  }
}

/** `a().b: int` and `a()[i()]: int` evaluate what is around the member or element. */
function evaluatedPlace(c: Context, node: SyntaxNode, left: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const target = lowerTarget(c, left, scope);
  if (target.kind === 'member') return [{ kind: 'expression', span, expression: target.object }];
  if (target.kind === 'index') return [target.object, target.index].map((expression) => ({ kind: 'expression', span, expression }));
  return target.kind === 'local' || target.kind === 'module-variable' ? [] : [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an annotation of an unknown place' }];
}

function lowerIf(c: Context, node: SyntaxNode, alternatives: readonly SyntaxNode[], scope: Scope | undefined): Statement {
  const span = c.span(node);
  const test = field(node, 'condition');
  if (test === undefined) return { kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete condition' };
  const [next, ...rest] = alternatives;
  const otherwise = next === undefined ? [] : next.type === 'elif_clause' ? [c.deeper(next, () => lowerIf(c, next, rest, scope))] : block(c, field(next, 'body'), scope);
  return { kind: 'if', span, test: lowerExpression(c, test, scope), then: block(c, field(node, 'consequence'), scope), otherwise };
}

function lowerTry(c: Context, node: SyntaxNode, scope: Scope | undefined): Statement {
  const span = c.span(node);
  const clauses = parts(node);
  const group = clauses.find((part) => part.type === 'except_group_clause' || (part.type === 'except_clause' && part.children.some((child) => child.type === '*' || child.type === 'except*')));
  if (group !== undefined) return { kind: 'unsupported', span: c.span(group), code: 'unsupported-syntax', detail: 'an exception group handler' };
  const handlers = clauses
    .filter((part) => part.type === 'except_clause')
    .map((clause) => {
      const body = parts(clause).find((part) => part.type === 'block');
      const values = fields(clause, 'value').filter((part) => part.isNamed);
      const alias = field(clause, 'alias');
      const first = values[0];
      const asPattern = first?.type === 'as_pattern' ? first : undefined;
      const typeNode = asPattern === undefined ? first : parts(asPattern)[0];
      const aliasNode = alias ?? (asPattern === undefined ? undefined : field(asPattern, 'alias'));
      const types = typeNode === undefined ? undefined : aliasFree(c, typeNode, scope);
      const name = aliasNode === undefined ? undefined : lowerTarget(c, aliasNode, scope);
      const lost: Statement[] = name === undefined || name.kind === 'local' ? [] : [{ kind: 'unsupported', span: c.span(clause), code: 'module-state', detail: 'the exception is bound to a name that is no local' }];
      return { span: c.span(clause), body: [...lost, ...block(c, body, scope)], ...(types === undefined ? {} : { types }), ...(name?.kind === 'local' ? { name } : {}) };
    });
  const otherwise = clauses.find((part) => part.type === 'else_clause');
  const last = clauses.find((part) => part.type === 'finally_clause');
  return {
    kind: 'try',
    span,
    body: block(c, field(node, 'body'), scope),
    handlers,
    otherwise: block(c, otherwise === undefined ? undefined : field(otherwise, 'body'), scope),
    finally: block(c, last === undefined ? undefined : parts(last).find((part) => part.type === 'block'), scope),
  };
}

function lowerWith(c: Context, node: SyntaxNode, scope: Scope | undefined): Statement {
  const clause = parts(node).find((part) => part.type === 'with_clause');
  const items: { context: Expression; target?: Target }[] = [];
  for (const item of clause === undefined ? [] : parts(clause)) {
    const value = field(item, 'value') ?? item;
    for (const entry of withEntries(value, clause !== undefined && parts(clause).length === 1)) {
      const alias = entry.type === 'as_pattern' ? field(entry, 'alias') : undefined;
      const context = entry.type === 'as_pattern' ? (parts(entry)[0] ?? entry) : entry;
      items.push({ context: aliasFree(c, context, scope), ...(alias === undefined ? {} : { target: lowerTarget(c, alias, scope) }) });
    }
  }
  return { kind: 'with', span: c.span(node), items, body: block(c, field(node, 'body'), scope), async: hasKeyword(node, 'async') };
}

/** An expression before `as`; the parser may read `x if y else z as n` as if only the end had the name. */
function aliasFree(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const misread = /\bas\b/.test(node.text) && node.descendantsOfType('as_pattern').length > 0;
  return misread ? c.unsupported(node, 'unsupported-syntax', 'a name after `as` whose place is not clear') : lowerExpression(c, node, scope);
}

/** `with (a as x, b as y):` and `with (a, b):` are read as a tuple or in parentheses, and are several contexts. */
function withEntries(value: SyntaxNode, alone: boolean): readonly SyntaxNode[] {
  const inner = value.type === 'parenthesized_expression' ? parts(value)[0] : undefined;
  if (inner?.type === 'as_pattern') return [inner];
  if (value.type !== 'tuple' || !(alone || parts(value).some((part) => part.type === 'as_pattern'))) return [value];
  return parts(value).length === 0 ? [value] : parts(value);
}

function lowerDefinition(c: Context, node: SyntaxNode, decorators: readonly SyntaxNode[], scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const name = field(node, 'name');
  if (name === undefined) return [{ kind: 'unsupported', span, code: 'syntax-error', detail: 'a definition without a name' }];
  const place = { scope, decorators, prefix: scope === undefined ? `${c.module.id}#` : `${scope.id}.` };
  const target = lowerTarget(c, name, scope);
  if (target.kind !== 'local' && target.kind !== 'module-variable') return [{ kind: 'unsupported', span, code: 'ambiguous-binding', detail: `the definition of ${name.text}` }];
  if (node.type === 'class_definition') return [{ kind: 'define-class', span, target, class: lowerClass(c, node, place) }];
  return [{ kind: 'define-function', span, target, function: lowerFunction(c, node, place) }];
}
