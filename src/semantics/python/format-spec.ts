/** `format(value, spec)` on constants for the common part of Python's format language; undefined elsewhere. */
import type { ConstantValue } from '../../ir/nodes.js';
import { reprConstant } from './repr.js';

const SPEC = /^(?:(.)?([<>=^]))?([+\- ])?(0)?(\d{1,4})?([,_])?(?:\.(\d{1,3}))?([sdfxXbo%])?$/su;

export function formatConstant(value: ConstantValue, spec: string): string | undefined {
  const match = SPEC.exec(spec);
  if (match === null) return undefined;
  const [, fill, align, sign, zero, width, grouping, precision, type] = match;
  if (value.type === 'string') {
    if ((type ?? 's') !== 's' || sign !== undefined || zero !== undefined || grouping !== undefined || align === '=') return undefined;
    const letters = Array.from(value.value);
    const cut = precision === undefined ? letters : letters.slice(0, Number(precision));
    return pad(cut.join(''), cut.length, fill ?? ' ', align ?? '<', Number(width ?? 0));
  }
  const digits = numberDigits(value, type, precision, grouping);
  if (digits === undefined) return undefined;
  const negative = digits.startsWith('-');
  const prefix = negative ? '-' : sign === '+' ? '+' : sign === ' ' ? ' ' : '';
  const body = negative ? digits.slice(1) : digits;
  if (zero !== undefined && align === undefined) {
    // Grouping separators also go into the zeros.
    if (grouping !== undefined) return undefined;
    return prefix + body.padStart(Number(width ?? 0) - prefix.length, '0');
  }
  if (align === '=') return zero === undefined && grouping === undefined ? prefix + body.padStart(Number(width ?? 0) - prefix.length, fill ?? ' ') : undefined;
  if (zero !== undefined) return undefined;
  const text = prefix + body;
  return pad(text, text.length, fill ?? ' ', align ?? '>', Number(width ?? 0));
}

function numberDigits(value: ConstantValue, type: string | undefined, precision: string | undefined, grouping: string | undefined): string | undefined {
  if (value.type === 'int') {
    if (precision !== undefined && type !== 'f' && type !== '%') return undefined;
    const integer = BigInt(value.value);
    switch (type) {
      case undefined:
      case 'd':
        return grouping === undefined ? value.value : group(value.value, grouping);
      case 'x':
        return grouping === undefined ? integer.toString(16) : undefined;
      case 'X':
        return grouping === undefined ? integer.toString(16).toUpperCase() : undefined;
      case 'b':
        return grouping === undefined ? integer.toString(2) : undefined;
      case 'o':
        return grouping === undefined ? integer.toString(8) : undefined;
      default:
        return undefined;
    }
  }
  if (value.type === 'float' && type === undefined && precision === undefined && grouping === undefined) return reprConstant(value, false);
  return undefined;
}

function group(digits: string, separator: string): string {
  const negative = digits.startsWith('-');
  const plain = negative ? digits.slice(1) : digits;
  return (negative ? '-' : '') + plain.replaceAll(/\B(?=(\d{3})+$)/g, separator);
}

function pad(text: string, length: number, fill: string, align: string, width: number): string {
  const missing = width - length;
  if (missing <= 0) return text;
  if (align === '<') return text + fill.repeat(missing);
  if (align === '>') return fill.repeat(missing) + text;
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}
