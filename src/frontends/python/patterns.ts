/** `match` and its patterns. */
import { SYNTAX_CHAIN_MAX } from '../../base/limits.js';
import type { Expression, Pattern, Statement } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { displayElement, lowerExpression } from './expressions.js';
import { mangled, type Scope } from './scopes.js';
import { block } from './statements.js';
import { field, fields, parts, type SyntaxNode } from './syntax.js';
import { lowerTarget } from './targets.js';

export function lowerMatch(c: Context, node: SyntaxNode, scope: Scope | undefined): readonly Statement[] {
  const span = c.span(node);
  const subjects = fields(node, 'subject');
  const body = field(node, 'body');
  const only = subjects[0];
  if (only === undefined || body === undefined) return [{ kind: 'unsupported', span, code: 'unsupported-syntax', detail: 'an incomplete match' }];
  const commas = node.children.some((child) => child.type === ',');
  const subject: Expression =
    subjects.length === 1 && !commas && only.type !== 'list_splat' ? lowerExpression(c, only, scope) : { kind: 'list', span, as: 'tuple', elements: subjects.map((part) => displayElement(c, part, scope)) };
  const cases = parts(body).map((clause) => {
    const guard = field(clause, 'guard');
    const guardExpression = guard === undefined ? undefined : parts(guard)[0];
    const patterns = parts(clause).filter((part) => part.type === 'case_pattern');
    const first = patterns[0];
    const several = patterns.length !== 1 || clause.children.some((child) => child.type === ',');
    const pattern: Pattern = first !== undefined && !several ? lowerPattern(c, first, scope) : { kind: 'sequence', span: c.span(clause), elements: patterns.map((part) => sequenceElement(c, part, scope)) };
    return { pattern, body: block(c, field(clause, 'consequence'), scope), span: c.span(clause), ...(guardExpression === undefined ? {} : { guard: lowerExpression(c, guardExpression, scope) }) };
  });
  return [{ kind: 'match', span, subject, cases }];
}

export function lowerPattern(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  return c.deeper(node, () => pattern(c, node, scope));
}

function pattern(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  const span = c.span(node);
  const again = (inner: SyntaxNode): Pattern => lowerPattern(c, inner, scope);
  const bad = (detail: string): Pattern => c.unsupported(node, 'unsupported-syntax', detail);
  switch (node.type) {
    case 'case_pattern': {
      const [only, ...others] = operands(c, node, scope);
      return only === undefined || others.length > 0 ? bad('an unknown pattern') : only;
    }
    case '_':
      return { kind: 'wildcard', span };
    case 'identifier':
    case 'dotted_name': {
      const names = node.type === 'identifier' ? [node] : parts(node);
      const first = names[0];
      if (first === undefined) return bad('an unknown pattern');
      if (names.length > 1) return { kind: 'value', span, operator: 'py.eq', value: dotted(c, node, scope) };
      if (first.text === '_') return { kind: 'wildcard', span };
      return capture(c, node, first, undefined, scope);
    }
    case 'none':
    case 'true':
    case 'false':
      return { kind: 'value', span, operator: 'py.is', value: lowerExpression(c, node, scope) };
    case 'string':
    case 'concatenated_string': {
      const value = lowerExpression(c, node, scope);
      return value.kind === 'template' ? bad('a formatted string as a pattern') : { kind: 'value', span, operator: 'py.eq', value };
    }
    case 'integer':
    case 'float':
      return { kind: 'value', span, operator: 'py.eq', value: lowerExpression(c, node, scope) };
    case 'union_pattern': {
      const alternatives = operands(c, node, scope);
      return alternatives.length < 2 ? bad('an unknown pattern') : { kind: 'or', span, alternatives };
    }
    case 'list_pattern':
    case 'tuple_pattern': {
      const inner = parts(node);
      // Parentheses around one pattern without a comma only group.
      const only = inner[0];
      if (node.type === 'tuple_pattern' && only !== undefined && inner.length === 1 && !node.children.some((child) => child.type === ',')) return again(only);
      return { kind: 'sequence', span, elements: inner.map((part) => sequenceElement(c, part, scope)) };
    }
    case 'as_pattern': {
      const [inner, aliasNode] = parts(node);
      const alias = field(node, 'alias') ?? aliasNode;
      return inner === undefined || alias === undefined ? bad('an incomplete pattern') : capture(c, node, alias, again(inner), scope);
    }
    case 'dict_pattern':
      return mapping(c, node, scope);
    case 'class_pattern':
      return classPattern(c, node, scope);
    default:
      return bad(`the pattern ${node.type}`);
  }
}

/** The patterns that stand side by side in a node; the sign of a number and `_` are no nodes with names. */
function operands(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern[] {
  const out: Pattern[] = [];
  let minus: SyntaxNode | undefined;
  for (const child of node.children) {
    if (child.type === 'comment' || child.type === 'line_continuation' || child.type === '|') continue;
    if (child.type === '-') minus = child;
    else if (minus !== undefined) {
      out.push(negative(c, child, scope));
      minus = undefined;
    } else if (child.isNamed || child.type === '_') out.push(lowerPattern(c, child, scope));
    else out.push(c.unsupported(child, 'unsupported-syntax', `the pattern ${child.type}`));
  }
  return out;
}

function negative(c: Context, number: SyntaxNode, scope: Scope | undefined): Pattern {
  const span = c.span(number);
  if (number.type !== 'integer' && number.type !== 'float') return c.unsupported(number, 'unsupported-syntax', 'an unknown pattern');
  return { kind: 'value', span, operator: 'py.eq', value: { kind: 'unary', span, operator: 'py.neg', operand: lowerExpression(c, number, scope) } };
}

function capture(c: Context, node: SyntaxNode, name: SyntaxNode, inner: Pattern | undefined, scope: Scope | undefined): Pattern {
  const target = lowerTarget(c, name, scope);
  if (target.kind !== 'local' && target.kind !== 'module-variable') return c.unsupported(node, 'unresolved-name', `the captured name ${name.text}`);
  return { kind: 'capture', span: c.span(node), target, ...(inner === undefined ? {} : { pattern: inner }) };
}

function sequenceElement(c: Context, node: SyntaxNode, scope: Scope | undefined): { pattern: Pattern; starred: boolean } {
  const inner = node.type === 'case_pattern' ? parts(node)[0] : node;
  if (inner?.type !== 'splat_pattern') return { pattern: lowerPattern(c, node, scope), starred: false };
  const name = parts(inner)[0];
  return { pattern: name === undefined || name.text === '_' ? { kind: 'wildcard', span: c.span(inner) } : lowerPattern(c, name, scope), starred: true };
}

function mapping(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  const entries: { key: Expression; pattern: Pattern }[] = [];
  const rest = parts(node).find((part) => part.type === 'splat_pattern');
  const restName = rest === undefined ? undefined : parts(rest)[0];
  const target = restName === undefined ? undefined : lowerTarget(c, restName, scope);
  if (rest !== undefined && target?.kind !== 'local') return c.unsupported(rest, 'unresolved-name', 'the captured rest of a mapping');
  let minus = false;
  let key: Expression | undefined;
  node.children.forEach((child, at) => {
    const role = node.fieldNameForChild(at);
    if (child.type === '-') minus = true;
    else if (role === 'key' && child.isNamed) {
      const value = patternKey(c, child, scope);
      key = minus ? { kind: 'unary', span: c.span(child), operator: 'py.neg', operand: value } : value;
      minus = false;
    } else if (role === 'value' && child.isNamed) {
      entries.push({ key: key ?? c.unsupported(child, 'unsupported-syntax', 'a pattern without a key'), pattern: lowerPattern(c, child, scope) });
      key = undefined;
    }
  });
  return { kind: 'mapping', span: c.span(node), entries, ...(target?.kind === 'local' ? { rest: target } : {}) };
}

function classPattern(c: Context, node: SyntaxNode, scope: Scope | undefined): Pattern {
  const [name, ...rest] = parts(node);
  if (name === undefined) return c.unsupported(node, 'unsupported-syntax', 'an incomplete pattern');
  const positional: Pattern[] = [];
  const keywords: { name: string; pattern: Pattern }[] = [];
  for (const part of rest) {
    const keyword = keywordPattern(c, part, scope);
    if (keyword === undefined) positional.push(lowerPattern(c, part, scope));
    else keywords.push(keyword);
  }
  return { kind: 'class', span: c.span(node), class: dotted(c, name, scope), positional, keywords };
}

/** `x=p`; the parser reads `x=p as n` as if the name captured the keyword. */
function keywordPattern(c: Context, node: SyntaxNode, scope: Scope | undefined): { name: string; pattern: Pattern } | undefined {
  const inner = node.type === 'case_pattern' ? parts(node)[0] : node;
  if (inner?.type === 'as_pattern') {
    const [held, alias] = parts(inner);
    const keyword = held === undefined ? undefined : keywordPattern(c, held, scope);
    return keyword === undefined || alias === undefined ? undefined : { name: keyword.name, pattern: capture(c, inner, alias, keyword.pattern, scope) };
  }
  if (inner?.type !== 'keyword_pattern') return undefined;
  const name = parts(inner)[0];
  if (name === undefined) return undefined;
  const values = inner.children.filter((child) => child.id !== name.id && child.type !== '=' && child.type !== 'comment');
  const signed = values[0]?.type === '-';
  const value = signed ? values[1] : values[0];
  const extra = values.length > (signed ? 2 : 1);
  if (value === undefined || extra) return { name: name.text, pattern: c.unsupported(inner, 'unsupported-syntax', 'an unknown pattern') };
  // Python spells a private name out here, as it does not elsewhere.
  return { name: name.text, pattern: signed ? negative(c, value, scope) : lowerPattern(c, value, scope) };
}

function patternKey(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  return node.type === 'dotted_name' ? dotted(c, node, scope) : lowerExpression(c, node.type === 'case_pattern' ? (parts(node)[0] ?? node) : node, scope);
}

/** `a.b.c` of a pattern: names are read, never bound. */
function dotted(c: Context, node: SyntaxNode, scope: Scope | undefined): Expression {
  const names = node.type === 'dotted_name' ? parts(node) : [node];
  const [first, ...members] = names;
  if (first === undefined || members.length > SYNTAX_CHAIN_MAX) return c.unsupported(node, 'unsupported-syntax', 'an unknown name');
  let result = c.name(first, first.text, scope);
  for (const name of members) result = { kind: 'member', span: c.span(node), object: result, name: mangled(scope, name.text), optional: false };
  return result;
}
