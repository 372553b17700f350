/**
 * Methods of `str` on constants, exactly as CPython computes them. What depends on Unicode tables is folded for ASCII only.
 * Tests of beginning and end become the text tests that every language shares, also where they stay symbolic.
 */
import { plainItems } from '../../../analysis/construct.js';
import { testText } from '../../../analysis/text-tests.js';
import { boolTerm } from '../terms.js';
import { integer, isAscii, isBasic, isNone, listTerm, text, tupleTerm, type FoldFunction } from './values.js';

/** Characters that `str.strip()` and `str.split()` take for white space (the same in every Unicode version since 6.3). */
const SPACE = '\\t\\n\\v\\f\\r\\x1c-\\x1f \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);
const TRAILING = new RegExp(`[${SPACE}]+$`);
const LINE_END = /\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/;

function affix(test: 'text.startsWith' | 'text.endsWith'): FoldFunction {
  return (store, [subject, operand, start, end]) => {
    if (subject === undefined || operand === undefined || !isNone(store, start) || !isNone(store, end)) return undefined;
    const term = store.term(operand);
    const options = term.kind === 'list' && term.as === 'tuple' ? plainItems(term) : undefined;
    if (options !== undefined) return boolTerm(store, store.guards.any(options.map((option) => testText(store, test, [subject, option]))));
    return boolTerm(store, testText(store, test, [subject, operand]));
  };
}

function ascii(f: (value: string) => string): FoldFunction {
  return (store, [subject]) => {
    const value = text(store, subject);
    return value === undefined || !isAscii(value) ? undefined : store.string(f(value));
  };
}
function asciiTest(f: (value: string) => boolean): FoldFunction {
  return (store, [subject]) => {
    const value = text(store, subject);
    return value === undefined || !isAscii(value) ? undefined : store.boolean(f(value));
  };
}

function strip(left: boolean, right: boolean): FoldFunction {
  return (store, [subject, chars]) => {
    const value = text(store, subject);
    if (value === undefined) return undefined;
    if (isNone(store, chars)) {
      let out = left ? value.replace(LEADING, '') : value;
      if (right) out = out.replace(TRAILING, '');
      return store.string(out);
    }
    const set = text(store, chars);
    if (set === undefined) return undefined;
    const letters = Array.from(value);
    const drop = new Set(Array.from(set));
    let from = 0;
    let to = letters.length;
    while (left && from < to && drop.has(letters[from]!)) from += 1;
    while (right && to > from && drop.has(letters[to - 1]!)) to -= 1;
    return store.string(letters.slice(from, to).join(''));
  };
}

export function splitSpaces(value: string, limit: number, fromRight: boolean): string[] {
  const whole = value.replace(LEADING, '').replace(TRAILING, '');
  const words = whole === '' ? [] : whole.split(new RegExp(`[${SPACE}]+`));
  if (limit < 0 || words.length <= limit + 1) return words;
  // The part that is not split keeps its inner and its far outer white space.
  if (fromRight) {
    let rest = value.replace(TRAILING, '');
    const taken: string[] = [];
    for (let at = 0; at < limit; at += 1) {
      const word = words[words.length - 1 - at]!;
      taken.unshift(word);
      rest = rest.slice(0, rest.length - word.length).replace(TRAILING, '');
    }
    return [rest, ...taken];
  }
  let rest = value.replace(LEADING, '');
  const taken: string[] = [];
  for (let at = 0; at < limit; at += 1) {
    const word = words[at]!;
    taken.push(word);
    rest = rest.slice(word.length).replace(LEADING, '');
  }
  return [...taken, rest];
}

export function splitBy(value: string, separator: string, limit: number, fromRight: boolean): string[] {
  const parts = value.split(separator);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  if (!fromRight) return [...parts.slice(0, limit), parts.slice(limit).join(separator)];
  // Separators that overlap themselves are found from the right.
  const out: string[] = [];
  let rest = value;
  for (let at = 0; at < limit; at += 1) {
    const found = rest.lastIndexOf(separator);
    if (found < 0) break;
    out.unshift(rest.slice(found + separator.length));
    rest = rest.slice(0, found);
  }
  return [rest, ...out];
}

/** All pieces from the right: differs from the left for separators that overlap themselves. */
function rsplitAll(value: string, separator: string): string[] {
  return splitBy(value, separator, value.split('').length, true);
}

function split(fromRight: boolean): FoldFunction {
  return (store, [subject, separatorTerm, limitTerm]) => {
    const value = text(store, subject);
    const limit = limitTerm === undefined ? -1 : integer(store, limitTerm);
    if (value === undefined || limit === undefined) return undefined;
    if (isNone(store, separatorTerm)) return listTerm(store, splitSpaces(value, limit, fromRight));
    const separator = text(store, separatorTerm);
    if (separator === undefined || separator === '') return undefined;
    if (fromRight && limit < 0) return listTerm(store, rsplitAll(value, separator));
    return listTerm(store, splitBy(value, separator, limit, fromRight));
  };
}

export function splitLines(value: string, keepEnds: boolean): string[] {
  const out: string[] = [];
  let rest = value;
  while (rest !== '') {
    const match = LINE_END.exec(rest);
    if (match === null) {
      out.push(rest);
      break;
    }
    const end = match.index + match[0].length;
    out.push(keepEnds ? rest.slice(0, end) : rest.slice(0, match.index));
    rest = rest.slice(end);
  }
  return out;
}

const splitLinesFold: FoldFunction = (store, [subject, keep]) => {
  const value = text(store, subject);
  const keepEnds = keep === undefined || keep === store.false ? false : keep === store.true ? true : undefined;
  return value === undefined || keepEnds === undefined ? undefined : listTerm(store, splitLines(value, keepEnds));
};

function partition(fromRight: boolean): FoldFunction {
  return (store, [subject, separatorTerm]) => {
    const value = text(store, subject);
    const separator = text(store, separatorTerm);
    if (value === undefined || separator === undefined || separator === '') return undefined;
    const at = fromRight ? value.lastIndexOf(separator) : value.indexOf(separator);
    if (at < 0) return tupleTerm(store, fromRight ? ['', '', value] : [value, '', '']);
    return tupleTerm(store, [value.slice(0, at), separator, value.slice(at + separator.length)]);
  };
}

export function replaceText(value: string, before: string, after: string, count: number): string {
  if (count < 0) return before === '' ? Array.from(value, (letter) => after + letter).join('') + after : value.split(before).join(after);
  if (before === '') {
    const letters = Array.from(value);
    return letters.map((letter, at) => (at < count ? after : '') + letter).join('') + (letters.length < count ? after : '');
  }
  const parts = value.split(before);
  if (parts.length <= count + 1) return parts.join(after);
  return [...parts.slice(0, count), parts.slice(count).join(before)].join(after);
}

const replace: FoldFunction = (store, [subject, before, after, limit]) => {
  const [value, from, to] = [text(store, subject), text(store, before), text(store, after)];
  const count = limit === undefined ? -1 : integer(store, limit);
  return value === undefined || from === undefined || to === undefined || count === undefined ? undefined : store.string(replaceText(value, from, to, count));
};

function find(search: (value: string, part: string) => number): FoldFunction {
  return (store, [subject, part, start, end]) => {
    const value = text(store, subject);
    const sub = text(store, part);
    if (value === undefined || sub === undefined || !isBasic(value) || !isBasic(sub) || !isNone(store, start) || !isNone(store, end)) return undefined;
    return store.int(search(value, sub));
  };
}

function occurrences(value: string, part: string): number {
  return part === '' ? value.length + 1 : value.split(part).length - 1;
}

function removeAffix(prefix: boolean): FoldFunction {
  return (store, [subject, part]) => {
    const value = text(store, subject);
    const affixText = text(store, part);
    if (value === undefined || affixText === undefined) return undefined;
    if (affixText === '' || !(prefix ? value.startsWith(affixText) : value.endsWith(affixText))) return store.string(value);
    return store.string(prefix ? value.slice(affixText.length) : value.slice(0, value.length - affixText.length));
  };
}

function justify(align: 'left' | 'right' | 'center'): FoldFunction {
  return (store, [subject, widthTerm, fillTerm]) => {
    const value = text(store, subject);
    const width = integer(store, widthTerm);
    const fill = fillTerm === undefined ? ' ' : text(store, fillTerm);
    if (value === undefined || width === undefined || width > 10_000 || fill === undefined || Array.from(fill).length !== 1) return undefined;
    const missing = width - Array.from(value).length;
    if (missing <= 0) return store.string(value);
    if (align === 'left') return store.string(value + fill.repeat(missing));
    if (align === 'right') return store.string(fill.repeat(missing) + value);
    // CPython puts the odd one on the left when the width is odd.
    const left = Math.floor(missing / 2) + (missing & width & 1);
    return store.string(fill.repeat(left) + value + fill.repeat(missing - left));
  };
}

const zeroFill: FoldFunction = (store, [subject, widthTerm]) => {
  const value = text(store, subject);
  const width = integer(store, widthTerm);
  if (value === undefined || width === undefined || width > 10_000) return undefined;
  const sign = /^[+-]/.test(value) ? value[0]! : '';
  const missing = width - Array.from(value).length;
  return store.string(missing <= 0 ? value : sign + '0'.repeat(missing) + value.slice(sign.length));
};

function titleCase(value: string): string {
  return value.replaceAll(/[A-Za-z]+/g, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase());
}
function swapCase(value: string): string {
  return Array.from(value, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');
}
function capitalize(value: string): string {
  return value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase();
}

const encode: FoldFunction = (store, [subject, encoding, errors]) => {
  const value = text(store, subject);
  const name = encoding === undefined ? 'utf-8' : text(store, encoding)?.toLowerCase();
  if (value === undefined || !isWellFormed(value) || (name !== 'utf-8' && name !== 'utf8') || (errors !== undefined && text(store, errors) === undefined))
    return undefined;
  return store.constant({ type: 'bytes', hex: Buffer.from(value, 'utf8').toString('hex') });
};

function isWellFormed(value: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
}

const decode: FoldFunction = (store, [subject, encoding]) => {
  const term = subject === undefined ? undefined : store.term(subject);
  const name = encoding === undefined ? 'utf-8' : text(store, encoding)?.toLowerCase();
  if (term?.kind !== 'constant' || term.value.type !== 'bytes' || (name !== 'utf-8' && name !== 'utf8')) return undefined;
  const bytes = Buffer.from(term.value.hex, 'hex');
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded, 'utf8').equals(bytes) ? store.string(decoded) : undefined;
};

const isIdentifier: FoldFunction = asciiTest((value) => /^[A-Za-z_][A-Za-z_0-9]*$/.test(value));

export const TEXT_FOLDS: readonly (readonly [string, FoldFunction])[] = [
  ['py.str.startswith', affix('text.startsWith')],
  ['py.str.endswith', affix('text.endsWith')],
  ['py.str.strip', strip(true, true)],
  ['py.str.lstrip', strip(true, false)],
  ['py.str.rstrip', strip(false, true)],
  ['py.str.split', split(false)],
  ['py.str.rsplit', split(true)],
  ['py.str.splitlines', splitLinesFold],
  ['py.str.partition', partition(false)],
  ['py.str.rpartition', partition(true)],
  ['py.str.replace', replace],
  ['py.str.find', find((value, part) => value.indexOf(part))],
  ['py.str.rfind', find((value, part) => value.lastIndexOf(part))],
  ['py.str.count', find(occurrences)],
  ['py.str.removeprefix', removeAffix(true)],
  ['py.str.removesuffix', removeAffix(false)],
  ['py.str.ljust', justify('left')],
  ['py.str.rjust', justify('right')],
  ['py.str.center', justify('center')],
  ['py.str.zfill', zeroFill],
  ['py.str.lower', ascii((value) => value.toLowerCase())],
  ['py.str.upper', ascii((value) => value.toUpperCase())],
  ['py.str.casefold', ascii((value) => value.toLowerCase())],
  ['py.str.title', ascii(titleCase)],
  ['py.str.swapcase', ascii(swapCase)],
  ['py.str.capitalize', ascii(capitalize)],
  ['py.str.isdigit', asciiTest((value) => /^[0-9]+$/.test(value))],
  ['py.str.isdecimal', asciiTest((value) => /^[0-9]+$/.test(value))],
  ['py.str.isnumeric', asciiTest((value) => /^[0-9]+$/.test(value))],
  ['py.str.isalpha', asciiTest((value) => /^[A-Za-z]+$/.test(value))],
  ['py.str.isalnum', asciiTest((value) => /^[A-Za-z0-9]+$/.test(value))],
  ['py.str.isspace', asciiTest((value) => /^[\t\n\v\f\r\x1c-\x1f ]+$/.test(value))],
  ['py.str.islower', asciiTest((value) => /[a-z]/.test(value) && !/[A-Z]/.test(value))],
  ['py.str.isupper', asciiTest((value) => /[A-Z]/.test(value) && !/[a-z]/.test(value))],
  ['py.str.isidentifier', isIdentifier],
  ['py.str.encode', encode],
  ['py.bytes.decode', decode],
];
