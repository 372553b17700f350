/**
 * Annotations. One that is given as text (`"git.Repo"`) is what the text says, wherever Python's type hints would read
 * it so: not inside `Literal[…]`, not in the metadata of `Annotated[…]`, not in the arguments of a call.
 */
import type { Element, Expression } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import type { Scope } from './scopes.js';
import { field, fields, parts, stripParentheses, type SyntaxNode } from './syntax.js';

export function lowerAnnotation(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  return c.deeper(node, () => annotation(c, stripParentheses(node), scope));
}

function annotation(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const again = (inner: SyntaxNode): Expression => lowerAnnotation(c, inner, scope);
  switch (node.type) {
    case 'type': {
      const inner = parts(node)[0];
      return inner === undefined ? c.unsupported(node, 'unsupported-syntax', 'an empty annotation') : again(inner);
    }
    case 'string':
    case 'concatenated_string':
      return fromText(c, node, scope);
    case 'union_type':
    case 'binary_operator': {
      const [left, right] = parts(node);
      const operator = node.childForFieldName('operator')?.type ?? '|';
      if (left === undefined || right === undefined || operator !== '|') return lowerExpression(c, node, scope);
      return { kind: 'binary', span, operator: 'py.or_', left: again(left), right: again(right) };
    }
    case 'generic_type': {
      const [base, list] = parts(node);
      if (base === undefined || list === undefined) return lowerExpression(c, node, scope);
      return subscription(c, node, base, parts(list), list.children.some((child) => child.type === ','), scope);
    }
    case 'subscript': {
      const base = field(node, 'value');
      if (base === undefined) return lowerExpression(c, node, scope);
      return subscription(c, node, base, fields(node, 'subscript'), node.children.some((child) => child.type === ','), scope);
    }
    case 'list':
      return { kind: 'list', span, as: 'list', elements: parts(node).map((part) => element(c, part, scope, again)) };
    default:
      return lowerExpression(c, node, scope);
  }
}

function subscription(c: Context, node: SyntaxNode, base: SyntaxNode, items: readonly SyntaxNode[], commas: boolean, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const object = lowerExpression(c, base, scope);
  const name = formName(c, object, base);
  if (items.length === 0 || items.some((item) => item.type === 'slice')) return lowerExpression(c, node, scope);
  const lowered = items.map((item, at): Element => element(c, item, scope, (inner) => (name === 'Literal' || (name === 'Annotated' && at > 0) ? lowerExpression(c, inner, scope) : lowerAnnotation(c, inner, scope))));
  const only = lowered[0]!;
  const index: Expression = lowered.length === 1 && !commas && only.kind === 'item' ? only.value : { kind: 'list', span, as: 'tuple', elements: lowered };
  return { kind: 'index', span, object, index, optional: false };
}

function element(c: Context, node: SyntaxNode, scope: Scope | undefined, lower: (inner: SyntaxNode) => Expression): Element {
  const spread = node.type === 'list_splat' || (node.type === 'type' && parts(node)[0]?.type === 'splat_type');
  const inner = node.type === 'list_splat' ? parts(node)[0] : spread ? parts(parts(node)[0]!)[0] : undefined;
  return inner === undefined ? { kind: 'item', value: lower(node) } : { kind: 'spread', value: lowerExpression(c, inner, scope) };
}

/** The special form that a subscripted name stands for; by what it is bound to, else by its last word. */
function formName(c: Context, object: Expression, node: SyntaxNode): string {
  const binding = object.kind === 'module-variable' ? c.bindings.get(object.name) : object;
  if (binding?.kind === 'external') return binding.identity.replace(/^.*[#.]/, '');
  return node.text.replace(/^.*\./s, '').trim();
}

function fromText(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const literal = lowerExpression(c, node, scope);
  if (literal.kind !== 'constant' || literal.value.type !== 'string') return literal;
  const text = literal.value.value;
  const tree = c.parser.parse(`(${text}\n)`);
  if (tree === null) return literal;
  c.trees.push(tree);
  const statement = parts(tree.rootNode)[0];
  const outer = statement?.type === 'expression_statement' ? parts(statement)[0] : undefined;
  const whole = tree.rootNode.namedChildCount === 1 && outer?.type === 'parenthesized_expression' && !tree.rootNode.hasError;
  if (!whole || text.length > ANNOTATION_LENGTH_MAX) return c.unsupported(node, 'unsupported-syntax', 'an annotation whose text is no expression');
  return c.at(c.span(node), () => lowerAnnotation(c, outer, scope));
}

/** Text of an annotation; a limit on its nesting, since it is no part of the tree that was checked for that. */
const ANNOTATION_LENGTH_MAX = 1000;
