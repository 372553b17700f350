/** `int(text, base)` and `float(text)` on ASCII text, exactly as CPython reads it; undefined where Unicode digits could matter. */

const SPACES = /^[ \t\n\r\f\v\x1c-\x1f]+|[ \t\n\r\f\v\x1c-\x1f]+$/g;

export function parseIntText(text: string, base: number): bigint | 'invalid' | undefined {
  if (!/^[\x00-\x7f]*$/.test(text)) return undefined;
  if (base !== 0 && (base < 2 || base > 36)) return undefined;
  const match = /^([+-]?)(0[xXoObB])?_?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(text.replaceAll(SPACES, ''));
  if (match === null) return 'invalid';
  const [whole, sign, prefix, digits] = match as unknown as [string, string, string | undefined, string];
  const underscoreFirst = /^[+-]?_/.test(whole);
  const prefixBase = prefix === undefined ? undefined : { x: 16, o: 8, b: 2 }[prefix[1]!.toLowerCase() as 'x' | 'o' | 'b'];
  let body = digits.replaceAll('_', '');
  let radix = base;
  if (prefix !== undefined && (base === 0 || base === prefixBase)) radix = prefixBase!;
  else if (prefix !== undefined) {
    // In another base the letters of the prefix are digits, and an underscore may follow them only as one.
    body = prefix + body;
  } else if (underscoreFirst) return 'invalid';
  if (radix === 0) {
    if (/^0[0_]*[1-9]/.test(digits)) return 'invalid';
    radix = 10;
  }
  let value = 0n;
  for (const letter of body.toLowerCase()) {
    const digit = letter >= 'a' ? letter.charCodeAt(0) - 87 : letter.charCodeAt(0) - 48;
    if (digit >= radix) return 'invalid';
    value = value * BigInt(radix) + BigInt(digit);
  }
  // CPython refuses very long decimal text.
  if (body.length > 4300 && (radix & (radix - 1)) !== 0) return undefined;
  return sign === '-' ? -value : value;
}

export function parseFloatText(text: string): number | 'invalid' | undefined {
  if (!/^[\x00-\x7f]*$/.test(text)) return undefined;
  const trimmed = text.replaceAll(SPACES, '');
  if (/^[+-]?(inf(inity)?|nan)$/i.test(trimmed)) return undefined;
  if (!/^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?$/.test(trimmed)) return 'invalid';
  const value = Number(trimmed.replaceAll('_', ''));
  return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
}
