/** Where assignments, loops and `with` put values. */
import type { Target } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerExpression, sliceValue } from './expressions.js';
import type { Scope } from './scopes.js';
import { parts, stripParentheses, type SyntaxNode } from './syntax.js';

export function lowerTarget(c: Context, node: SyntaxNode, scope: Scope | undefined): Target {
  return c.deeper(node, () => target(c, node, scope));
}

function target(c: Context, node: SyntaxNode, scope: Scope | undefined): Target {
  const inner = stripParentheses(node);
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
      return {
        kind: 'unpack',
        span,
        elements: parts(inner).map((part) => {
          const starred = part.type === 'list_splat_pattern' || part.type === 'list_splat';
          const only = starred ? parts(part)[0] : undefined;
          return { target: lowerTarget(c, only ?? part, scope), starred };
        }),
      };
    case 'as_pattern_target':
      return lowerTarget(c, parts(inner)[0]!, scope);
    default:
      return c.unsupported(inner, 'unsupported-syntax', `assignment to the form ${inner.type}`);
  }
}

