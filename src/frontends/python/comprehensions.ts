/** Comprehensions: each has an activation of its own, in which everything but its first iterable is evaluated. */
import type { Clause, Expression } from '../../ir/nodes.js';
import { targetNames } from './bound-names.js';
import type { Context } from './context.js';
import { displayElement, lowerExpression } from './expressions.js';
import type { Scope } from './scopes.js';
import { field, fields, hasKeyword, parts, type SyntaxNode } from './syntax.js';
import { lowerTarget } from './targets.js';

export function lowerComprehension(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const body = field(node, 'body');
  if (body === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete comprehension');
  const clauses = parts(node).filter((part) => part.type === 'for_in_clause' || part.type === 'if_clause');
  const names = new Set(clauses.flatMap((clause) => (clause.type === 'for_in_clause' ? targetNames(field(clause, 'left') ?? clause) : [])));
  const id = c.uniqueScope(`${scope?.id ?? `${c.module.id}#`}.<comprehension ${String(span.line)}:${String(span.column)}>`);
  const inner: Scope = { kind: 'comprehension', id, names, globals: new Set(), nonlocals: new Set(), ...(scope === undefined ? {} : { parent: scope }) };
  const lowered = clauses.map((clause, at): Clause => {
    if (clause.type === 'if_clause') return { kind: 'if', test: lowerExpression(c, parts(clause)[0]!, inner) };
    const rights = fields(clause, 'right').filter((right) => right.type !== ',');
    const iterable: Expression =
      rights.length === 1
        ? lowerExpression(c, rights[0]!, at === 0 ? scope : inner)
        : { kind: 'list', span: c.span(clause), as: 'tuple', elements: rights.map((right) => displayElement(c, right, at === 0 ? scope : inner)) };
    return { kind: 'for', target: lowerTarget(c, field(clause, 'left')!, inner), iterable, async: hasKeyword(clause, 'async') };
  });
  const as = node.type === 'list_comprehension' ? 'list' : node.type === 'set_comprehension' ? 'set' : node.type === 'dictionary_comprehension' ? 'record' : 'generator';
  if (as === 'record') {
    const key = field(body, 'key');
    const value = field(body, 'value');
    if (key === undefined || value === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete comprehension');
    return { kind: 'comprehension', span, as, scope: id, key: lowerExpression(c, key, inner), value: lowerExpression(c, value, inner), clauses: lowered };
  }
  return { kind: 'comprehension', span, as, scope: id, value: lowerExpression(c, body, inner), clauses: lowered };
}
