/**
 * CEL as data. The text is parsed by a CEL library; the rest of fcd sees only these nodes, so that the same expression
 * can be read symbolically (over terms) and concretely (over values).
 */
export type CelNode =
  | { readonly kind: 'literal'; readonly value: null | boolean | string | number | bigint }
  | { readonly kind: 'identifier'; readonly name: string }
  | { readonly kind: 'select'; readonly operand: CelNode; readonly field: string }
  /** `has(a.b)` */
  | { readonly kind: 'has'; readonly operand: CelNode; readonly field: string }
  | { readonly kind: 'index'; readonly operand: CelNode; readonly index: CelNode }
  | { readonly kind: 'list'; readonly elements: readonly CelNode[] }
  | { readonly kind: 'map'; readonly entries: readonly { readonly key: CelNode; readonly value: CelNode }[] }
  /** Operators are calls too: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `+`, `-`, `*`, `/`, `%`, `!`, `neg`. */
  | { readonly kind: 'call'; readonly function: string; readonly target?: CelNode; readonly arguments: readonly CelNode[] }
  | { readonly kind: 'and'; readonly left: CelNode; readonly right: CelNode }
  | { readonly kind: 'or'; readonly left: CelNode; readonly right: CelNode }
  | { readonly kind: 'conditional'; readonly test: CelNode; readonly then: CelNode; readonly otherwise: CelNode }
  /** `range.all(v, body)`, `exists`, `filter`, `map`. */
  | { readonly kind: 'macro'; readonly macro: 'all' | 'exists' | 'filter' | 'map'; readonly range: CelNode; readonly variable: string; readonly body: CelNode };
