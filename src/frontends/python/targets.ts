/** Where assignments, loops and `with` put values. */
import type { Target } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { leadingSplat, lowerExpression, sliceValue } from './expressions.js';
import type { Scope } from './scopes.js';
import { hasKeyword, parts, stripParentheses, type SyntaxNode } from './syntax.js';

export function lowerTarget(c: Context, node: SyntaxNode, scope: Scope | undefined): Target {
  return c.deeper(node, () => target(c, node, scope));
}

function target(c: Context, node: SyntaxNode, scope: Scope | undefined): Target {
  const inner = withoutParentheses(node);
  const span = c.span(inner);
  switch (inner.type) {
    case 'identifier': {
      const name = c.name(inner, inner.text, scope);
      return name.kind === 'local' || name.kind === 'module-variable' || name.kind === 'unsupported' ? name : c.unsupported(inner, 'unresolved-name', `${inner.text} is assigned but not bound`);
    }
    case 'attribute':
    case 'subscript': {
      const lowered = lowerExpression(c, inner, scope);
      if (lowered.kind === 'slice') return { kind: 'index', span, object: lowered.object, index: sliceValue(lowered), optional: false };
      return lowered.kind === 'member' || lowered.kind === 'index' || lowered.kind === 'unsupported' ? lowered : c.unsupported(inner, 'unsupported-syntax', `assignment to the form ${inner.type}`);
    }
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'expression_list':
    case 'tuple':
    case 'list':
      return { kind: 'unpack', span, elements: parts(inner).map((part) => element(c, part, scope)) };
    case 'as_pattern_target': {
      const only = parts(inner)[0];
      return only === undefined ? c.unsupported(inner, 'unsupported-syntax', 'an empty target') : lowerTarget(c, only, scope);
    }
    default:
      return c.unsupported(inner, 'unsupported-syntax', `assignment to the form ${inner.type}`);
  }
}

/** The parser reads the parentheses of `(a) = x` as those of a tuple, which only a comma makes. */
function withoutParentheses(node: SyntaxNode): SyntaxNode {
  let inner = stripParentheses(node);
  for (;;) {
    const [only, ...more] = parts(inner);
    if (inner.type !== 'tuple_pattern' || only === undefined || more.length > 0 || only.type === 'list_splat_pattern' || hasKeyword(inner, ',')) return inner;
    inner = stripParentheses(only);
  }
}

/** One place of an unpacking; `*a.b` takes the rest, though the parser reads `(*a).b`. */
function element(c: Context, node: SyntaxNode, scope: Scope | undefined): { readonly target: Target; readonly starred: boolean } {
  const only = node.type === 'list_splat_pattern' || node.type === 'list_splat' ? parts(node)[0] : undefined;
  if (only !== undefined) return { target: lowerTarget(c, only, scope), starred: true };
  const splat = leadingSplat(node);
  if (splat !== undefined) c.readSplats.add(splat.id);
  return { target: lowerTarget(c, node, scope), starred: splat !== undefined };
}
