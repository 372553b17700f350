/** String literals: constants and templates. */
import type { Expression, TemplatePart } from '../../ir/nodes.js';
import type { Context } from './context.js';
import { lowerExpression } from './expressions.js';
import { decodeBytes, decodeText, stringPrefix } from './literals.js';
import type { Scope } from './scopes.js';
import { field, hasKeyword, parts, type SyntaxNode } from './syntax.js';

/** One string from adjacent literals: a constant, or a template where any part is formatted. */
export function lowerStrings(c: Context, node: SyntaxNode, strings: readonly SyntaxNode[], scope: Scope | undefined): Expression {
  const span = c.span(node);
  const pieces: TemplatePart[] = [];
  let hex = '';
  let bytes = 0;
  let formatted = false;
  for (const string of strings) {
    const start = parts(string).find((part) => part.type === 'string_start');
    if (string.type !== 'string' || start === undefined) return c.unsupported(node, 'unsupported-syntax', 'an unknown string form');
    const prefix = stringPrefix(start.text);
    if (prefix === undefined) return c.unsupported(node, 'unsupported-syntax', `a string that begins with ${start.text}`);
    if (prefix.bytes) bytes += 1;
    formatted ||= prefix.formatted;
    const quotes = /['"]+$/.exec(start.text)?.[0] ?? '';
    const end = string.endIndex - quotes.length;
    if (!string.text.endsWith(quotes) || end < start.endIndex) return c.unsupported(node, 'syntax-error', 'a string without an end');
    // The parser's own nodes for the text between replacement fields are not complete (a raw string of backslashes has none).
    const fields = prefix.formatted ? parts(string).filter((part) => part.type === 'interpolation') : [];
    let at = start.endIndex;
    for (const part of [...fields, undefined]) {
      const raw = string.text.slice(at - string.startIndex, (part?.startIndex ?? end) - string.startIndex);
      const text = prefix.formatted ? raw.replaceAll('{{', '{').replaceAll('}}', '}') : raw;
      if (prefix.bytes) {
        const decoded = decodeBytes(text, prefix);
        if (decoded === undefined) return c.unsupported(node, 'unsupported-syntax', 'an escape in a bytes literal');
        hex += decoded;
      } else {
        const decoded = decodeText(text, prefix);
        if (decoded === undefined) return c.unsupported(node, 'unsupported-syntax', 'an escape in a string literal');
        pieces.push({ kind: 'text', text: decoded });
      }
      if (part === undefined) break;
      pieces.push(...lowerInterpolation(c, part, prefix.raw, scope));
      at = part.endIndex;
    }
  }
  if (bytes > 0 && bytes < strings.length) return c.unsupported(node, 'syntax-error', 'bytes beside text');
  if (bytes > 0) return { kind: 'constant', span, value: { type: 'bytes', hex } };
  const joined = joinText(pieces);
  if (joined.every((piece) => piece.kind === 'text')) return { kind: 'constant', span, value: { type: 'string', value: joined.map((piece) => piece.text).join('') } };
  return { kind: 'template', span, parts: joined };
}

/** Neighbouring texts are one text. */
function joinText(pieces: readonly TemplatePart[]): TemplatePart[] {
  const out: TemplatePart[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (piece.kind === 'text' && piece.text === '') continue;
    if (piece.kind === 'text' && last?.kind === 'text') out[out.length - 1] = { kind: 'text', text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

const CONVERSIONS: Readonly<Record<string, string>> = { '!s': 'str', '!r': 'repr', '!a': 'ascii' };

function lowerInterpolation(c: Context, node: SyntaxNode, raw: boolean, scope: Scope | undefined): TemplatePart[] {
  const expression = field(node, 'expression');
  if (expression === undefined) return [{ kind: 'value', value: c.unsupported(node, 'unsupported-syntax', 'an empty replacement field'), conversion: 'format' }];
  // The parser reads the `=10` of `f"{x:=10}"` as part of an assignment; an assignment stands in parentheses here.
  if (expression.type === 'named_expression' || parts(expression)[0]?.type === 'named_expression') {
    if (expression.type !== 'parenthesized_expression') return [{ kind: 'value', value: c.unsupported(node, 'unsupported-syntax', 'a format that begins with ='), conversion: 'format' }];
  }
  const conversionNode = field(node, 'type_conversion');
  const formatNode = field(node, 'format_specifier');
  const debug = hasKeyword(node, '=');
  const out: TemplatePart[] = [];
  // `f"{x=}"` shows its own text, and the value by repr unless told otherwise.
  if (debug) {
    const end = (conversionNode ?? formatNode)?.startIndex ?? node.endIndex - 1;
    out.push({ kind: 'text', text: node.text.slice(1, end - node.startIndex) });
  }
  const conversion = conversionNode === undefined ? (debug && formatNode === undefined ? 'repr' : 'format') : CONVERSIONS[conversionNode.text.replaceAll(/\s/g, '')];
  if (conversion === undefined) return [{ kind: 'value', value: c.unsupported(node, 'unsupported-syntax', 'an unknown conversion'), conversion: 'format' }];
  const value = lowerExpression(c, expression, scope);
  const format = formatNode === undefined ? undefined : lowerFormat(c, formatNode, raw, scope);
  out.push({ kind: 'value', value, conversion, ...(format === undefined || format.length === 0 ? {} : { format }) });
  return out;
}

/** A format is text with replacement fields of its own. */
function lowerFormat(c: Context, node: SyntaxNode, raw: boolean, scope: Scope | undefined): TemplatePart[] {
  const out: TemplatePart[] = [];
  const source = node.text;
  const literal = (text: string): TemplatePart => {
    const decoded = decodeText(text, { raw, bytes: false, formatted: true });
    if (decoded === undefined || /[{}]/.test(text)) return { kind: 'value', value: c.unsupported(node, 'unsupported-syntax', 'an unknown format'), conversion: 'format' };
    return { kind: 'text', text: decoded };
  };
  let at = node.startIndex + 1;
  for (const part of parts(node)) {
    if (part.type !== 'format_expression' && part.type !== 'interpolation') return [literal('{')];
    out.push(literal(source.slice(at - node.startIndex, part.startIndex - node.startIndex)));
    out.push(...lowerInterpolation(c, part, raw, scope));
    at = part.endIndex;
  }
  out.push(literal(source.slice(at - node.startIndex)));
  return joinText(out);
}
