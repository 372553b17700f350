/** Patterns of `match`. */
import type { Expression, Pattern } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerExpression, lowerTarget } from './expressions.js';
import type { Scope } from './scopes.js';
import { field, fields, parts, type SyntaxNode } from './syntax.js';

export function lowerPattern(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  const span = c.span(node);
  const again = (inner: SyntaxNode): Pattern => lowerPattern(c, inner, scope);
  switch (node.type) {
    case 'case_pattern': {
      const inner = parts(node);
      if (inner.length === 0) return node.text === '_' ? { kind: 'wildcard', span } : negative(c, node, scope);
      // A sign before a number is no node of its own.
      if (inner.length === 1 && node.text.startsWith('-')) return negative(c, node, scope);
      return inner.length === 1 ? again(inner[0]!) : c.unsupported(node, 'unsupported-syntax', 'an unknown pattern');
    }
    case '_':
      return { kind: 'wildcard', span };
    case 'identifier':
    case 'dotted_name': {
      const names = node.type === 'identifier' ? [node] : parts(node);
      const first = names[0]!;
      if (names.length === 1) {
        if (first.text === '_') return { kind: 'wildcard', span };
        const target = lowerTarget(c, first, scope);
        return target.kind === 'local' || target.kind === 'module-variable' ? { kind: 'capture', span, target } : c.unsupported(node, 'unresolved-name', `the pattern ${first.text}`);
      }
      return { kind: 'value', span, operator: 'py.eq', value: dotted(c, node, scope) };
    }
    case 'none':
    case 'true':
    case 'false':
      return { kind: 'value', span, operator: 'py.is', value: lowerExpression(c, node, scope) };
    case 'string':
    case 'concatenated_string':
    case 'integer':
    case 'float':
      return { kind: 'value', span, operator: 'py.eq', value: lowerExpression(c, node, scope) };
    case 'union_pattern':
      return { kind: 'or', span, alternatives: parts(node).map(again) };
    case 'list_pattern':
    case 'tuple_pattern': {
      const inner = parts(node);
      // Parentheses around one pattern without a comma only group.
      if (node.type === 'tuple_pattern' && inner.length === 1 && !node.children.some((child) => child?.type === ',')) return again(inner[0]!);
      return { kind: 'sequence', span, elements: inner.map((part) => ({ pattern: again(part), starred: part.type === 'splat_pattern' || parts(part)[0]?.type === 'splat_pattern' })) };
    }
    case 'splat_pattern': {
      const name = parts(node)[0];
      return name === undefined ? { kind: 'wildcard', span } : again(name);
    }
    case 'as_pattern': {
      const [inner, aliasNode] = parts(node);
      const alias = field(node, 'alias') ?? aliasNode;
      if (inner === undefined || alias === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete pattern');
      const target = lowerTarget(c, alias, scope);
      return target.kind === 'local' || target.kind === 'module-variable' ? { kind: 'capture', span, target, pattern: again(inner) } : c.unsupported(node, 'unresolved-name', 'a captured name');
    }
    case 'dict_pattern': {
      const keys = fields(node, 'key');
      const values = fields(node, 'value');
      const rest = parts(node).find((part) => part.type === 'splat_pattern');
      const restName = rest === undefined ? undefined : parts(rest)[0];
      const target = restName === undefined ? undefined : lowerTarget(c, restName, scope);
      return { kind: 'mapping', span, entries: keys.map((key, at) => ({ key: patternKey(c, key, scope), pattern: again(values[at]!) })), ...(target?.kind === 'local' ? { rest: target } : {}) };
    }
    case 'class_pattern': {
      const [name, ...rest] = parts(node);
      if (name === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete pattern');
      const positional: Pattern[] = [];
      const keywords: { name: string; pattern: Pattern }[] = [];
      for (const part of rest) {
        const inner = part.type === 'case_pattern' ? parts(part)[0] : part;
        if (inner?.type === 'keyword_pattern') {
          const [key, value] = parts(inner);
          keywords.push({ name: key!.text, pattern: value === undefined ? { kind: 'wildcard', span: c.span(inner) } : again(value) });
        } else positional.push(again(part));
      }
      return { kind: 'class', span, class: dotted(c, name, scope), positional, keywords };
    }
    default:
      return c.unsupported(node, 'unsupported-syntax', `the pattern ${node.type}`);
  }
}

function negative(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  const number = parts(node)[0];
  if (!node.text.startsWith('-') || number === undefined || (number.type !== 'integer' && number.type !== 'float')) return c.unsupported(node, 'unsupported-syntax', 'an unknown pattern');
  const span = c.span(node);
  return { kind: 'value', span, operator: 'py.eq', value: { kind: 'unary', span, operator: 'py.neg', operand: lowerExpression(c, number, scope) } };
}

function patternKey(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  return node.type === 'dotted_name' ? dotted(c, node, scope) : lowerExpression(c, node.type === 'case_pattern' ? (parts(node)[0] ?? node) : node, scope);
}

/** `a.b.c` of a pattern: names are read, never bound. */
function dotted(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const names = node.type === 'dotted_name' ? parts(node) : [node];
  let result = c.name(names[0]!, names[0]!.text, scope);
  for (const name of names.slice(1)) result = { kind: 'member', span: c.span(node), object: result, name: name.text, optional: false };
  return result;
}
