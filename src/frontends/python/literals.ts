/** Python literals: the exact value of numbers and strings, or undefined where this frontend does not know it. */
import type { ConstantValue } from '../../ir/nodes.js';

export function numberLiteral(text: string): ConstantValue | undefined {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain.endsWith('j') || plain.endsWith('l')) return undefined;
  if (/^0[xob]/.test(plain)) return { type: 'int', value: BigInt(plain).toString() };
  if (/^\d+$/.test(plain)) {
    if (/^0\d/.test(plain) && !/^0+$/.test(plain)) return undefined;
    return { type: 'int', value: BigInt(plain).toString() };
  }
  const value = Number(plain);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

export interface StringPrefix {
  readonly raw: boolean;
  readonly bytes: boolean;
  readonly formatted: boolean;
}

export function stringPrefix(start: string): StringPrefix {
  const prefix = start.replace(/['"]+$/, '').toLowerCase();
  return { raw: prefix.includes('r'), bytes: prefix.includes('b'), formatted: prefix.includes('f') || prefix.includes('t') };
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' };

/** Text of a string literal's content; undefined where an escape is not known here (named characters, lone surrogates). */
export function decodeText(content: string, prefix: StringPrefix): string | undefined {
  const source = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (prefix.raw) return source;
  let out = '';
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!;
    if (character !== '\\') {
      out += character;
      continue;
    }
    const next = source[at + 1];
    if (next === undefined) return undefined;
    const simple = SIMPLE_ESCAPES[next];
    if (simple !== undefined) {
      out += simple;
      at += 1;
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1));
    if (octal !== null) {
      const code = Number.parseInt(octal[0], 8);
      if (prefix.bytes && code > 255) return undefined;
      out += String.fromCodePoint(code);
      at += octal[0].length;
      continue;
    }
    const width = next === 'x' ? 2 : !prefix.bytes && next === 'u' ? 4 : !prefix.bytes && next === 'U' ? 8 : 0;
    if (width > 0) {
      const digits = source.slice(at + 2, at + 2 + width);
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
