/** Expressions. */
import { SYNTAX_CHAIN_MAX } from '../../base/limits.js';
import type { Argument, Element, Entry, Expression } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { lowerComprehension } from './comprehensions.js';
import type { Context } from './context.js';
import { lowerLambda } from './functions.js';
import { numberLiteral } from './literals.js';
import { conditionalParts, lowerAwait, lowerBitwise } from './precedence.js';
import { mangled, type Scope } from './scopes.js';
import { lowerStrings } from './strings.js';
import { field, fields, hasKeyword, parts, type SyntaxNode } from './syntax.js';
import { lowerTarget } from './targets.js';

const BINARY: Readonly<Record<string, string>> = {
  '+': 'py.add',
  '-': 'py.sub',
  '*': 'py.mul',
  '@': 'py.matmul',
  '/': 'py.truediv',
  '//': 'py.floordiv',
  '%': 'py.mod',
  '**': 'py.pow',
  '<<': 'py.lshift',
  '>>': 'py.rshift',
  '&': 'py.and_',
  '|': 'py.or_',
  '^': 'py.xor',
};
const COMPARISON: Readonly<Record<string, string>> = {
  '==': 'py.eq',
  '!=': 'py.ne',
  '<': 'py.lt',
  '<=': 'py.le',
  '>': 'py.gt',
  '>=': 'py.ge',
  in: 'py.in',
  'not in': 'py.notIn',
  is: 'py.is',
  'is not': 'py.isNot',
};
const UNARY: Readonly<Record<string, string>> = { '-': 'py.neg', '+': 'py.pos', '~': 'py.invert' };

export function binaryOperator(text: string): string | undefined {
  return BINARY[text];
}

export function lowerExpression(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  return c.deeper(node, () => expression(c, node, scope));
}

function expression(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  if (node.isError || node.isMissing) return c.unsupported(node, 'syntax-error', 'this is not Python 3');
  const lower = (inner: SyntaxNode): Expression => lowerExpression(c, inner, scope);
  const bad = (detail: string): Expression => c.unsupported(node, 'unsupported-syntax', detail);
  switch (node.type) {
    case 'identifier':
      return c.name(node, node.text, scope);
    case 'integer':
    case 'float': {
      const value = numberLiteral(node.text);
      return value === undefined ? bad(`the number ${node.text}`) : { kind: 'constant', span, value };
    }
    case 'true':
    case 'false':
      return { kind: 'constant', span, value: { type: 'boolean', value: node.type === 'true' } };
    case 'none':
      return { kind: 'constant', span, value: { type: 'null' } };
    case 'ellipsis':
      return { kind: 'constant', span, value: { type: 'special', name: 'Ellipsis' } };
    case 'string':
      return lowerStrings(c, node, [node], scope);
    case 'concatenated_string':
      return lowerStrings(c, node, parts(node), scope);
    case 'parenthesized_expression': {
      const inner = parts(node)[0];
      return inner === undefined ? bad('empty parentheses') : lower(inner);
    }
    case 'type': {
      const inner = parts(node)[0];
      return inner === undefined ? bad('an empty annotation') : lower(inner);
    }
    case 'union_type':
    case 'binary_operator': {
      const bitwise = lowerBitwise(node, lower);
      if (bitwise !== undefined) return bitwise;
      const left = field(node, 'left') ?? parts(node)[0];
      const right = field(node, 'right') ?? parts(node)[1];
      const operator = node.type === 'union_type' ? 'py.or_' : BINARY[field(node, 'operator')?.text ?? node.childForFieldName('operator')?.text ?? ''];
      if (left === undefined || right === undefined || operator === undefined) return bad('an unknown operator');
      return { kind: 'binary', span, operator, left: lower(left), right: lower(right) };
    }
    case 'unary_operator': {
      const operator = UNARY[node.childForFieldName('operator')?.text ?? ''];
      const operand = field(node, 'argument');
      return operator === undefined || operand === undefined ? bad('an unknown operator') : { kind: 'unary', span, operator, operand: lower(operand) };
    }
    case 'not_operator': {
      const operand = field(node, 'argument');
      return operand === undefined ? bad('not without an operand') : { kind: 'unary', span, operator: 'py.not', operand: lower(operand) };
    }
    case 'boolean_operator': {
      const left = field(node, 'left');
      const right = field(node, 'right');
      if (left === undefined || right === undefined) return bad('an incomplete operation');
      return { kind: 'logical', span, operator: node.childForFieldName('operator')?.type === 'or' ? 'or' : 'and', left: lower(left), right: lower(right) };
    }
    case 'comparison_operator':
      return lowerComparison(c, node, scope);
    case 'conditional_expression': {
      const all = conditionalParts(node);
      if (all === undefined) return bad('an incomplete conditional');
      const value: Expression = { kind: 'conditional', span, test: lower(all.test), then: lower(all.then), otherwise: lower(all.otherwise) };
      return all.assignedTo === undefined ? value : { kind: 'assign-expression', span, target: lowerTarget(c, all.assignedTo, scope), value };
    }
    case 'named_expression': {
      const name = field(node, 'name');
      const value = field(node, 'value');
      if (name === undefined || value === undefined) return bad('an incomplete assignment');
      return { kind: 'assign-expression', span, target: lowerTarget(c, name, scope), value: lower(value) };
    }
    case 'attribute': {
      const object = field(node, 'object');
      const name = field(node, 'attribute');
      return object === undefined || name === undefined ? bad('an incomplete member') : { kind: 'member', span, object: lower(object), name: mangled(scope, name.text), optional: false };
    }
    case 'subscript':
      return lowerSubscript(c, node, scope);
    case 'generic_type':
    case 'member_type':
    case 'constrained_type':
    case 'splat_type':
      return lowerTypeForm(c, node, scope);
    case 'call': {
      const callee = field(node, 'function');
      const args = field(node, 'arguments');
      if (callee === undefined || args === undefined) return bad('an incomplete call');
      const lowered: readonly Argument[] = args.type === 'generator_expression' ? [{ kind: 'positional', value: lower(args) }] : lowerArguments(c, args, scope);
      return { kind: 'call', span, callee: lower(callee), arguments: lowered, optional: false };
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
    case 'pattern_list':
    case 'list_pattern':
    case 'tuple_pattern':
      return {
        kind: 'list',
        span,
        as: node.type === 'set' ? 'set' : node.type === 'list' || node.type === 'list_pattern' ? 'list' : 'tuple',
        elements: parts(node).map((part) => displayElement(c, part, scope)),
      };
    case 'dictionary':
      return {
        kind: 'record',
        span,
        entries: parts(node).map((part): Entry => {
          const spread = part.type === 'dictionary_splat' ? parts(part)[0] : undefined;
          if (spread !== undefined) return { kind: 'spread', value: lower(spread) };
          const key = field(part, 'key');
          const value = field(part, 'value');
          if (key === undefined || value === undefined) return { kind: 'spread', value: c.unsupported(part, 'unsupported-syntax', 'an incomplete entry') };
          return { kind: 'entry', key: lower(key), value: lower(value) };
        }),
      };
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return lowerComprehension(c, node, scope);
    case 'lambda':
      return lowerLambda(c, node, scope);
    case 'await':
      return lowerAwait(node, span, lower) ?? bad('an unknown form of await');
    case 'yield': {
      const value = parts(node)[0];
      return { kind: 'yield', span, delegate: hasKeyword(node, 'from'), ...(value === undefined ? {} : { value: lower(value) }) };
    }
    case 'list_splat':
    case 'list_splat_pattern':
    case 'dictionary_splat': {
      const inner = parts(node)[0];
      if (inner !== undefined && c.readSplats.has(node.id)) return lower(inner);
      return bad('a spread outside a display or a call');
    }
    default:
      return bad(`the form ${node.type}`);
  }
}

/** One element of a display or of a list of expressions; `*x` spreads. */
export function displayElement(c: Context, node: SyntaxNode, scope: Scope | undefined): Element {
  const inner = node.type === 'list_splat' || node.type === 'list_splat_pattern' ? parts(node)[0] : undefined;
  if (inner !== undefined) return { kind: 'spread', value: lowerExpression(c, inner, scope) };
  const splat = leadingSplat(node);
  if (splat === undefined) return { kind: 'item', value: lowerExpression(c, node, scope) };
  c.readSplats.add(splat.id);
  return { kind: 'spread', value: lowerExpression(c, node, scope) };
}

/** The parser reads `*a.b()` in a display as `(*a).b()`, which is no Python: the star is in front of all of it. */
export function leadingSplat(node: SyntaxNode): SyntaxNode | undefined {
  let at = node;
  while (LEFT_RECURSIVE.has(at.type)) {
    const first = parts(at)[0];
    if (first === undefined || first.startIndex !== node.startIndex) return undefined;
    if (first.type === 'list_splat' || first.type === 'list_splat_pattern') return first;
    at = first;
  }
  return undefined;
}

const LEFT_RECURSIVE: ReadonlySet<string> = new Set(['attribute', 'call', 'subscript', 'binary_operator', 'boolean_operator', 'comparison_operator', 'conditional_expression']);

/** Annotation forms that tree-sitter gives nodes of their own. */
function lowerTypeForm(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const [first, second] = parts(node);
  if (node.type === 'generic_type' && first !== undefined && second !== undefined) {
    const inner = parts(second).map((part) => lowerExpression(c, part, scope));
    const index: Expression = inner.length === 1 ? inner[0]! : { kind: 'list', span: c.span(second), as: 'tuple', elements: inner.map((value) => ({ kind: 'item', value })) };
    return { kind: 'index', span, object: lowerExpression(c, first, scope), index, optional: false };
  }
  if (node.type === 'member_type' && first !== undefined && second !== undefined) return { kind: 'member', span, object: lowerExpression(c, first, scope), name: second.text, optional: false };
  return c.unsupported(node, 'unsupported-syntax', `the annotation form ${node.type}`);
}

function lowerSubscript(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const value = field(node, 'value');
  const subscripts = fields(node, 'subscript');
  const only = subscripts[0];
  if (value === undefined || only === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete subscription');
  const object = lowerExpression(c, value, scope);
  // `a[1,]` is a subscription by a tuple.
  const trailingComma = subscripts.length === 1 && node.children.some((child) => child.type === ',');
  if (subscripts.length === 1 && !trailingComma && only.type === 'slice') return { kind: 'slice', span, object, ...sliceBounds(c, only, scope) };
  const elements = subscripts.map((part): Element =>
    part.type === 'slice' ? { kind: 'item', value: sliceValue({ span: c.span(part), ...sliceBounds(c, part, scope) }) } : displayElement(c, part, scope),
  );
  const index: Expression = elements.length === 1 && !trailingComma && elements[0]!.kind === 'item' ? elements[0]!.value : { kind: 'list', span, as: 'tuple', elements };
  return { kind: 'index', span, object, index, optional: false };
}

/** A slice among several subscripts, or one that is assigned to, is a call of `slice`. */
export function sliceValue(bounds: { readonly span: Span; readonly lower?: Expression; readonly upper?: Expression; readonly step?: Expression }): Expression {
  const { span } = bounds;
  const bound = (value: Expression | undefined): Argument => ({ kind: 'positional', value: value ?? { kind: 'constant', span, value: { type: 'null' } } });
  return { kind: 'call', span, callee: { kind: 'external', span, identity: 'py:builtins#slice' }, arguments: [bound(bounds.lower), bound(bounds.upper), bound(bounds.step)], optional: false };
}

function sliceBounds(c: Context, node: SyntaxNode, scope: Scope | undefined): { lower?: Expression; upper?: Expression; step?: Expression } {
  const bounds: { lower?: Expression; upper?: Expression; step?: Expression } = {};
  const names = ['lower', 'upper', 'step'] as const;
  let at = 0;
  for (const child of node.children) {
    if (child.type === 'comment' || child.type === 'line_continuation') continue;
    if (child.type === ':') at += 1;
    else bounds[names[at] ?? 'step'] = lowerExpression(c, child, scope);
  }
  return bounds;
}

/** `a < b < c` evaluates b once and stops at the first failure. */
function lowerComparison(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const operands: SyntaxNode[] = [];
  const operators: string[] = [];
  for (const child of node.children) {
    if (child.type === 'comment' || child.type === 'line_continuation') continue;
    if (child.isNamed) operands.push(child);
    else operators.push(child.type.replaceAll(/\s+/g, ' '));
  }
  if (operators.length > SYNTAX_CHAIN_MAX) return c.unsupported(node, 'unsupported-syntax', `more than ${String(SYNTAX_CHAIN_MAX)} comparisons in one chain`);
  const chained = operators.length > 1;
  let result: Expression | undefined;
  let left = lowerExpression(c, operands[0]!, scope);
  operators.forEach((operator, at) => {
    const tag = COMPARISON[operator];
    const operand = operands[at + 1];
    if (tag === undefined || operand === undefined) {
      result = c.unsupported(node, 'unsupported-syntax', `the comparison ${operator}`);
      return;
    }
    let right = lowerExpression(c, operand, scope);
    let next = right;
    if (chained && at + 1 < operators.length && right.kind !== 'constant' && right.kind !== 'local') {
      const owner = scope?.kind === 'function' || scope?.kind === 'comprehension' ? scope.id : undefined;
      if (owner === undefined) {
        result = c.unsupported(node, 'unsupported-syntax', 'a chained comparison outside a function');
        return;
      }
      const target = { kind: 'local' as const, span: right.span, name: c.temporary(), owner };
      right = { kind: 'assign-expression', span: right.span, target, value: right };
      next = target;
    }
    const one: Expression = { kind: 'binary', span: c.span(node), operator: tag, left, right };
    result = result === undefined ? one : { kind: 'logical', span: c.span(node), operator: 'and', left: result, right: one };
    left = next;
  });
  return result ?? c.unsupported(node, 'unsupported-syntax', 'an incomplete comparison');
}

/** Python evaluates what is passed by position first, also where it is written after keywords: `f(a=x, *y)`. */
export function lowerArguments(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Argument[] {
  const lowered = parts(node).map((part): Argument => {
    switch (part.type) {
      case 'keyword_argument':
        return { kind: 'keyword', name: field(part, 'name')!.text, value: lowerExpression(c, field(part, 'value')!, scope) };
      case 'list_splat':
        return { kind: 'spread', value: lowerExpression(c, parts(part)[0]!, scope) };
      case 'dictionary_splat':
        return { kind: 'spread-keywords', value: lowerExpression(c, parts(part)[0]!, scope) };
      default:
        return { kind: 'positional', value: lowerExpression(c, part, scope) };
    }
  });
  const spreadsKeywords = lowered.findIndex((argument) => argument.kind === 'spread-keywords');
  const byPosition = (argument: Argument, at: number): boolean => argument.kind === 'spread' && (spreadsKeywords === -1 || at < spreadsKeywords);
  const firstKeyword = lowered.findIndex((argument) => argument.kind === 'keyword' || argument.kind === 'spread-keywords');
  if (firstKeyword === -1 || !lowered.some((argument, at) => at > firstKeyword && byPosition(argument, at))) return lowered;
  return [...lowered.filter((argument, at) => at < firstKeyword || byPosition(argument, at)), ...lowered.filter((argument, at) => at >= firstKeyword && !byPosition(argument, at))];
}
