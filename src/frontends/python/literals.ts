/** Python literals: the exact value of numbers and strings, or undefined where this frontend does not know it. */
import type { ConstantValue } from '../../ir/nodes.js';

export function numberLiteral(text: string): ConstantValue | undefined {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (/[jl]$/.test(plain)) return undefined;
  if (/^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/.test(plain)) return { type: 'int', value: BigInt(plain).toString() };
  if (/^\d+$/.test(plain)) {
    if (/^0\d/.test(plain) && !/^0+$/.test(plain)) return undefined;
    return { type: 'int', value: BigInt(plain).toString() };
  }
  // Beyond the largest double Python reads infinity, as Number does.
  const value = Number(plain);
  return Number.isNaN(value) ? undefined : { type: 'float', value };
}

export interface StringPrefix {
  readonly raw: boolean;
  readonly bytes: boolean;
  readonly formatted: boolean;
}

/** undefined for prefixes that Python 3 does not have, and for template strings. */
export function stringPrefix(start: string): StringPrefix | undefined {
  const prefix = start.replace(/['"`]+$/, '').toLowerCase();
  if (!/^(?:|r|u|b|f|br|rb|fr|rf)$/.test(prefix) || start.includes('`')) return undefined;
  return { raw: prefix.includes('r'), bytes: prefix.includes('b'), formatted: prefix.includes('f') };
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' };

/** Text of a string literal's content; undefined where an escape is not known here (named characters, lone surrogates). */
export function decodeText(content: string, prefix: StringPrefix): string | undefined {
  if (prefix.raw) return content;
  let out = '';
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at]!;
    if (character !== '\\') {
      out += character;
      continue;
    }
    const next = content[at + 1];
    // Before a replacement field a backslash stands for itself.
    if (next === undefined) return prefix.formatted ? `${out}\\` : undefined;
    const simple = SIMPLE_ESCAPES[next];
    if (simple !== undefined) {
      out += simple;
      at += 1;
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(content.slice(at + 1));
    if (octal !== null) {
      const code = Number.parseInt(octal[0], 8);
      if (prefix.bytes && code > 255) return undefined;
      out += String.fromCodePoint(code);
      at += octal[0].length;
      continue;
    }
    const width = next === 'x' ? 2 : !prefix.bytes && next === 'u' ? 4 : !prefix.bytes && next === 'U' ? 8 : 0;
    if (width > 0) {
      const digits = content.slice(at + 2, at + 2 + width);
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length !== width) return undefined;
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
      out += String.fromCodePoint(code);
      at += 1 + width;
      continue;
    }
    if (next === 'N' && !prefix.bytes) return undefined;
    // An unknown escape stands for itself.
    out += `\\${next}`;
    at += 1;
  }
  return out;
}

/** Bytes of a literal as hexadecimal text; undefined when a character is not a byte. */
export function decodeBytes(content: string, prefix: StringPrefix): string | undefined {
  const text = decodeText(content, prefix);
  if (text === undefined) return undefined;
  let hex = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code > 255) return undefined;
    hex += code.toString(16).padStart(2, '0');
  }
  return hex;
}
