/** Expressions and assignment targets. */
import type { Argument, Clause, Element, Entry, Expression, Target, TemplatePart } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerLambda } from './functions.js';
import { decodeBytes, decodeText, numberLiteral, stringPrefix } from './literals.js';
import { targetNames, type Scope } from './scopes.js';
import { field, fields, hasKeyword, parts, stripParentheses, type SyntaxNode } from './syntax.js';

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
      const [then, test, otherwise] = parts(node);
      if (then === undefined || test === undefined || otherwise === undefined) return bad('an incomplete conditional');
      return { kind: 'conditional', span, test: lower(test), then: lower(then), otherwise: lower(otherwise) };
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
      return object === undefined || name === undefined ? bad('an incomplete member') : { kind: 'member', span, object: lower(object), name: name.text, optional: false };
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
        elements: parts(node).map((part): Element => {
          const inner = part.type === 'list_splat' || part.type === 'list_splat_pattern' ? parts(part)[0] : undefined;
          return inner === undefined ? { kind: 'item', value: lower(part) } : { kind: 'spread', value: lower(inner) };
        }),
      };
    case 'dictionary':
      return {
        kind: 'record',
        span,
        entries: parts(node).map((part): Entry => {
          if (part.type === 'dictionary_splat') return { kind: 'spread', value: lower(parts(part)[0]!) };
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
    case 'await': {
      const value = parts(node)[0];
      return value === undefined ? bad('await without a value') : { kind: 'await', span, value: lower(value) };
    }
    case 'yield': {
      const value = parts(node)[0];
      return { kind: 'yield', span, delegate: hasKeyword(node, 'from'), ...(value === undefined ? {} : { value: lower(value) }) };
    }
    case 'list_splat':
    case 'dictionary_splat':
      return bad('a spread outside a display or a call');
    default:
      return bad(`the form ${node.type}`);
  }
}

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
  const trailingComma = subscripts.length === 1 && node.children.some((child) => child?.type === ',');
  if (subscripts.length === 1 && !trailingComma && only.type === 'slice') return { kind: 'slice', span, object, ...sliceBounds(c, only, scope) };
  if (subscripts.some((part) => part.type === 'slice')) return c.unsupported(node, 'unsupported-syntax', 'a subscription by several slices');
  if (subscripts.length === 1 && !trailingComma) return { kind: 'index', span, object, index: lowerExpression(c, only, scope), optional: false };
  const elements = subscripts.map((part): Element => ({ kind: 'item', value: lowerExpression(c, part, scope) }));
  return { kind: 'index', span, object, index: { kind: 'list', span, as: 'tuple', elements }, optional: false };
}

function sliceBounds(c: Context, node: SyntaxNode, scope: Scope | undefined): { lower?: Expression; upper?: Expression; step?: Expression } {
  const bounds: { lower?: Expression; upper?: Expression; step?: Expression } = {};
  const names = ['lower', 'upper', 'step'] as const;
  let at = 0;
  for (const child of node.children) {
    if (child === null || child.type === 'comment') continue;
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
    if (child === null || child.type === 'comment') continue;
    if (child.isNamed) operands.push(child);
    else operators.push(child.type.replaceAll(/\s+/g, ' '));
  }
  if (operators.includes('<>')) return c.unsupported(node, 'syntax-error', 'Python 2 syntax: the operator <>');
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
      const owner = scope?.kind === 'class' ? undefined : scope?.id;
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

export function lowerArguments(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Argument[] {
  return parts(node).map((part): Argument => {
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
}

function lowerComprehension(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const span = c.span(node);
  const body = field(node, 'body');
  if (body === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete comprehension');
  const clauses = parts(node).filter((part) => part.type === 'for_in_clause' || part.type === 'if_clause');
  const names = new Set(clauses.flatMap((clause) => (clause.type === 'for_in_clause' ? targetNames(field(clause, 'left')!) : [])));
  const id = `${scope?.id ?? `${c.module.id}#`}.<comprehension ${String(span.line)}:${String(span.column)}>`;
  const inner: Scope = { kind: 'comprehension', id, names, globals: new Set(), nonlocals: new Set(), ...(scope === undefined ? {} : { parent: scope }) };
  const lowered = clauses.map((clause, at): Clause => {
    if (clause.type === 'if_clause') return { kind: 'if', test: lowerExpression(c, parts(clause)[0]!, inner) };
    const rights = fields(clause, 'right').filter((right) => right.type !== ',');
    const iterable: Expression =
      rights.length === 1
        ? lowerExpression(c, rights[0]!, at === 0 ? scope : inner)
        : { kind: 'list', span: c.span(clause), as: 'tuple', elements: rights.map((right) => ({ kind: 'item', value: lowerExpression(c, right, at === 0 ? scope : inner) })) };
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

/** One string from adjacent literals: a constant, or a template where any part is formatted. */
function lowerStrings(c: Context, node: SyntaxNode, strings: readonly SyntaxNode[], scope: Scope | undefined): Expression {
  const span = c.span(node);
  const pieces: TemplatePart[] = [];
  let hex = '';
  let bytes = false;
  for (const string of strings) {
    const start = parts(string).find((part) => part.type === 'string_start');
    if (string.type !== 'string' || start === undefined) return c.unsupported(node, 'unsupported-syntax', 'an unknown string form');
    if (/t/i.test(start.text)) return c.unsupported(node, 'unsupported-syntax', 'a template string');
    const prefix = stringPrefix(start.text);
    bytes ||= prefix.bytes;
    for (const part of parts(string)) {
      if (part.type === 'string_content') {
        const text = prefix.formatted ? part.text.replaceAll('{{', '{').replaceAll('}}', '}') : part.text;
        if (prefix.bytes) {
          const decoded = decodeBytes(text, prefix);
          if (decoded === undefined) return c.unsupported(node, 'unsupported-syntax', 'an escape in a bytes literal');
          hex += decoded;
          continue;
        }
        const decoded = decodeText(text, prefix);
        if (decoded === undefined) return c.unsupported(node, 'unsupported-syntax', 'an escape in a string literal');
        pieces.push({ kind: 'text', text: decoded });
      } else if (part.type === 'interpolation') pieces.push(...lowerInterpolation(c, part, scope));
      else if (part.type !== 'string_start' && part.type !== 'string_end') return c.unsupported(node, 'unsupported-syntax', `the string part ${part.type}`);
    }
  }
  if (bytes) return { kind: 'constant', span, value: { type: 'bytes', hex } };
  if (pieces.every((piece) => piece.kind === 'text')) return { kind: 'constant', span, value: { type: 'string', value: pieces.map((piece) => piece.text).join('') } };
  return { kind: 'template', span, parts: pieces };
}

function lowerInterpolation(c: Context, node: SyntaxNode, scope: Scope | undefined): TemplatePart[] {
  const expression = field(node, 'expression');
  if (expression === undefined) return [{ kind: 'value', value: c.unsupported(node, 'unsupported-syntax', 'an empty replacement field'), conversion: 'format' }];
  const conversionNode = field(node, 'type_conversion');
  const formatNode = field(node, 'format_specifier');
  const conversion = conversionNode === undefined ? 'format' : ({ '!s': 'str', '!r': 'repr', '!a': 'ascii' }[conversionNode.text] ?? 'format');
  const out: TemplatePart[] = [];
  // `f"{x=}"` shows its own text, and the value by repr unless told otherwise.
  const shown = /^\{(.*?=\s*)(![sra])?(:[^]*)?\}$/s.exec(node.text);
  const debug = hasKeyword(node, '=') && shown !== null;
  if (debug) out.push({ kind: 'text', text: shown[1]! });
  const value = lowerExpression(c, expression, scope);
  const format = formatNode === undefined ? undefined : lowerFormat(c, formatNode, scope);
  out.push({ kind: 'value', value, conversion: debug && conversionNode === undefined && formatNode === undefined ? 'repr' : conversion, ...(format === undefined ? {} : { format }) });
  return out;
}

function lowerFormat(c: Context, node: SyntaxNode, scope: Scope | undefined): TemplatePart[] {
  const out: TemplatePart[] = [];
  let at = node.startIndex + 1;
  const text = node.text;
  for (const part of parts(node)) {
    const before = text.slice(at - node.startIndex, part.startIndex - node.startIndex);
    if (before !== '') out.push({ kind: 'text', text: before });
    const inner = part.type === 'format_expression' || part.type === 'interpolation' ? field(part, 'expression') : undefined;
    out.push({ kind: 'value', value: inner === undefined ? c.unsupported(part, 'unsupported-syntax', 'an unknown format') : lowerExpression(c, inner, scope), conversion: 'format' });
    at = part.endIndex;
  }
  const after = text.slice(at - node.startIndex);
  if (after !== '') out.push({ kind: 'text', text: after });
  return out;
}

export function lowerTarget(c: Context, node: SyntaxNode, scope: Scope | undefined): Target {
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
      return lowered.kind === 'member' || lowered.kind === 'index' || lowered.kind === 'unsupported' ? lowered : c.unsupported(inner, 'unsupported-syntax', 'assignment to a slice');
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
          return { target: lowerTarget(c, starred ? parts(part)[0]! : part, scope), starred };
        }),
      };
    case 'as_pattern_target':
      return lowerTarget(c, parts(inner)[0]!, scope);
    default:
      return c.unsupported(inner, 'unsupported-syntax', `assignment to the form ${inner.type}`);
  }
}

