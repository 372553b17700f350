/** `repr` of constants, exactly as CPython writes it; undefined where the two could differ. */
import type { ConstantValue } from '../../ir/nodes.js';
import { unreachable } from '../../base/errors.js';

/** `str` and `repr` of a constant are the same except for text. */
export function reprConstant(value: ConstantValue, ascii: boolean): string | undefined {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return 'None';
    case 'boolean':
      return value.value ? 'True' : 'False';
    case 'int':
      return value.value;
    case 'float':
      return reprFloat(value.value);
    case 'string':
      return reprText(value.value, ascii);
    case 'bytes':
      return undefined;
    case 'special':
      return value.name;
    default:
      return unreachable(value);
  }
}

/** The shortest digits that read back, in Python's layout: an exponent from 1e16 and below 1e-4. */
export function reprFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits, exponent] = value.toExponential().split('e');
    const power = Number(exponent);
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Printable ASCII only: what else is printable depends on the Unicode tables of the interpreter. */
export function reprText(text: string, ascii: boolean): string | undefined {
  if (!/^[\x00-\x7f]*$/.test(text)) return ascii ? undefined : undefined;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    if (letter === quote || letter === '\\') out += `\\${letter}`;
    else if (letter === '\n') out += '\\n';
    else if (letter === '\r') out += '\\r';
    else if (letter === '\t') out += '\\t';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else out += letter;
  }
  return out + quote;
}
