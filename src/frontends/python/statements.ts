/** Statements of function bodies and of module tops. */
import type { Expression, Statement, Target } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { binaryOperator, lowerExpression, lowerTarget } from './expressions.js';
import { lowerClass, lowerFunction } from './functions.js';
import { importStatements } from './imports.js';
import { lowerPattern } from './patterns.js';
import type { Scope } from './scopes.js';
import { field, fields, hasKeyword, parts, type SyntaxNode } from './syntax.js';

export function lowerBlock(c: Context, statements: readonly SyntaxNode[], scope: Scope | undefined): Statement[] {
  return statements.flatMap((statement) => lowerStatement(c, statement, scope));
}

function block(c: Context, node: SyntaxNode | undefined, scope: Scope | undefined): Statement[] {
  return node === undefined ? [] : lowerBlock(c, parts(node), scope);
}

export function lowerStatement(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
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
      if (value?.type === 'expression_list') return bad('Python 2 syntax: raise with a comma', 'syntax-error');
      return [{ kind: 'throw', span, ...(value === undefined ? {} : { value: lower(value) }), ...(cause === undefined ? {} : { cause: lower(cause) }) }];
    }
    case 'assert_statement': {
      const [test, message] = parts(node);
      if (test === undefined) return bad('an empty assertion');
      return [{ kind: 'assert', span, test: lower(test), ...(message === undefined ? {} : { message: lower(message) }) }];
    }
    case 'delete_statement':
      return parts(node)
        .flatMap((part) => (part.type === 'expression_list' || part.type === 'tuple' ? parts(part) : [part]))
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
    case 'print_statement':
    case 'exec_statement':
      return bad(`Python 2 syntax: the ${node.type.replace('_', ' ')}`, 'syntax-error');
    default:
      return bad(`the statement ${node.type}`);
  }
}

function lowerExpressionStatement(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const inner = parts(node);
  const only = inner[0];
  if (only === undefined) return [];
  if (inner.length > 1 || node.children.some((child) => child?.type === ',')) {
    const elements = inner.map((part) => ({ kind: 'item' as const, value: lowerExpression(c, part, scope) }));
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

/** `a = b = value`; an annotation without a value binds nothing. */
function lowerAssignment(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const targets: Target[] = [];
  let at: SyntaxNode = node;
  for (;;) {
    const left = field(at, 'left');
    const right = field(at, 'right');
    if (left === undefined) return [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete assignment' }];
    if (right === undefined) return [];
    targets.push(lowerTarget(c, left, scope));
    if (right.type !== 'assignment') return [{ kind: 'assign', span, targets, value: lowerExpression(c, right, scope) }];
    at = right;
  }
}

function lowerIf(c: Context, node: SyntaxNode, alternatives: readonly SyntaxNode[], scope: Scope | undefined): Statement {
  const span = c.span(node);
  const test = field(node, 'condition');
  if (test === undefined) return { kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete condition' };
  const [next, ...rest] = alternatives;
  const otherwise = next === undefined ? [] : next.type === 'elif_clause' ? [lowerIf(c, next, rest, scope)] : block(c, field(next, 'body'), scope);
  return { kind: 'if', span, test: lowerExpression(c, test, scope), then: block(c, field(node, 'consequence'), scope), otherwise };
}

function lowerTry(c: Context, node: SyntaxNode, scope: Scope | undefined): Statement {
  const span = c.span(node);
  const clauses = parts(node);
  const group = clauses.find((part) => part.type === 'except_group_clause' || (part.type === 'except_clause' && part.children.some((child) => child?.type === 'except*')));
  if (group !== undefined) return { kind: 'unsupported', span: c.span(group), code: 'unsupported-syntax', detail: 'an exception group handler' };
  const handlers = clauses
    .filter((part) => part.type === 'except_clause')
    .map((clause) => {
      const body = parts(clause).find((part) => part.type === 'block');
      const values = fields(clause, 'value').filter((part) => part.isNamed);
      const alias = field(clause, 'alias');
      const first = values[0];
      const asPattern = first?.type === 'as_pattern' ? first : undefined;
      const typeNodes = asPattern === undefined ? values : [parts(asPattern)[0]!];
      const aliasNode = alias ?? (asPattern === undefined ? undefined : field(asPattern, 'alias'));
      // `except A, B:` without parentheses is Python 3.14 for a tuple and Python 2 for something else.
      const types: Expression | undefined =
        typeNodes.length > 1 ? c.unsupported(clause, 'syntax-error', 'Python 2 syntax: except with a comma') : typeNodes[0] === undefined ? undefined : lowerExpression(c, typeNodes[0], scope);
      const name = aliasNode === undefined ? undefined : lowerTarget(c, aliasNode, scope);
      return { span: c.span(clause), body: block(c, body, scope), ...(types === undefined ? {} : { types }), ...(name?.kind === 'local' ? { name } : {}) };
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
    // `with (a as x, b as y):` may be read as one tuple.
    const entries = value.type === 'tuple' && parts(value).some((part) => part.type === 'as_pattern') ? parts(value) : [value];
    for (const entry of entries) {
      const alias = entry.type === 'as_pattern' ? field(entry, 'alias') : undefined;
      const context = entry.type === 'as_pattern' ? parts(entry)[0]! : entry;
      items.push({ context: lowerExpression(c, context, scope), ...(alias === undefined ? {} : { target: lowerTarget(c, alias, scope) }) });
    }
  }
  return { kind: 'with', span: c.span(node), items, body: block(c, field(node, 'body'), scope), async: hasKeyword(node, 'async') };
}

function lowerMatch(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const subjects = fields(node, 'subject');
  const body = field(node, 'body');
  const only = subjects[0];
  if (only === undefined || body === undefined) return [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete match' }];
  const subject: Expression =
    subjects.length === 1 ? lowerExpression(c, only, scope) : { kind: 'list', span, as: 'tuple', elements: subjects.map((part) => ({ kind: 'item', value: lowerExpression(c, part, scope) })) };
  const cases = parts(body).map((clause) => {
    const guard = field(clause, 'guard');
    const guardExpression = guard === undefined ? undefined : parts(guard)[0];
    const patterns = parts(clause).filter((part) => part.type === 'case_pattern');
    const pattern =
      patterns.length === 1 && !clause.children.some((child) => child?.type === ',')
        ? lowerPattern(c, patterns[0]!, scope)
        : { kind: 'sequence' as const, span: c.span(clause), elements: patterns.map((part) => ({ pattern: lowerPattern(c, part, scope), starred: parts(part)[0]?.type === 'splat_pattern' })) };
    return { pattern, body: block(c, field(clause, 'consequence'), scope), span: c.span(clause), ...(guardExpression === undefined ? {} : { guard: lowerExpression(c, guardExpression, scope) }) };
  });
  return [{ kind: 'match', span, subject, cases }];
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
