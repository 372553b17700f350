/** Small helpers over tree-sitter nodes, so that the rest reads as grammar. */
import type { Node } from 'web-tree-sitter';
import type { Span } from '../../ir/span.js';

export type SyntaxNode = Node;

/** Named children without comments and line continuations. */
export function parts(node: Node): Node[] {
  return node.namedChildren.filter((child) => child.type !== 'comment' && child.type !== 'line_continuation');
}

export function fields(node: Node, name: string): Node[] {
  return node.childrenForFieldName(name).filter((child) => child.isNamed);
}

export function field(node: Node, name: string): Node | undefined {
  return node.childForFieldName(name) ?? undefined;
}

export function hasKeyword(node: Node, keyword: string): boolean {
  return node.children.some((child) => !child.isNamed && child.type === keyword);
}

export function spanOf(file: string, node: Node): Span {
  return {
    file,
    line: node.startPosition.row + 1,
    column: node.startPosition.column + 1,
    endLine: node.endPosition.row + 1,
    endColumn: node.endPosition.column + 1,
  };
}

export function stripParentheses(node: Node): Node {
  let inner = node;
  while (inner.type === 'parenthesized_expression') {
    const only = parts(inner)[0];
    if (only === undefined) return inner;
    inner = only;
  }
  return inner;
}

/** A text literal without anything that is evaluated: a docstring, or text that stands alone. */
export function isPlainText(node: Node): boolean {
  if (node.type === 'concatenated_string') return parts(node).every(isPlainText);
  return node.type === 'string' && parts(node).every((part) => part.type !== 'interpolation');
}

/** Whether an import of everything stands anywhere in the node, functions and classes left out: it may stand only outside. */
export function starImports(node: Node): Node[] {
  if (node.type === 'import_from_statement') return parts(node).some((part) => part.type === 'wildcard_import') ? [node] : [];
  if (!node.type.endsWith('_statement') && !node.type.endsWith('_clause') && node.type !== 'block' && node.type !== 'module') return [];
  return parts(node).flatMap(starImports);
}
