/**
 * The text of a source file as Python reads it: line ends, byte order mark and declared encoding. Columns and lines of what
 * is returned are those of the file.
 */

export interface SourceText {
  readonly text: string;
  /** Why Python 3 would refuse the file before it parses it. */
  readonly problem?: { readonly line: number; readonly detail: string };
}

/** PEP 263: in one of the first two lines, the second only after a line without code. */
const ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const NO_CODE = /^[ \t\f]*(?:#.*)?$/;
/** Encodings in which text of ASCII characters is the same as in UTF-8. */
const ASCII_COMPATIBLE = /^(?:ascii|us-ascii|latin-?1|iso-?8859-?\d+|iso-?latin-?1-unix|windows-?125\d|cp125\d|cp437|koi8-[ru]|euc-?(?:jp|kr)|gbk|gb2312|gb18030|big5|shift-?jis|sjis)$/;
const UTF_8 = /^(?:utf-?8(?:-.*)?|u8|utf8-ucs[24]|utf-8-sig)$/;

export function readSourceText(raw: string): SourceText {
  const text = raw.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [first = '', second = ''] = text.split('\n', 2);
  const declared = ENCODING.exec(first) ?? (NO_CODE.test(first) ? ENCODING.exec(second) : null);
  const line = ENCODING.test(first) ? 1 : 2;
  const refuse = (at: number, detail: string): SourceText => ({ text, problem: { line: lineOf(text, at), detail } });
  const nul = text.indexOf('\0');
  if (nul !== -1) return refuse(nul, 'the file holds a NUL character');
  if (declared !== null) {
    const name = declared[1]!.toLowerCase().replaceAll('_', '-');
    const plain = /^[\x00-\x7f]*$/.test(text);
    if (!UTF_8.test(name) && !(plain && ASCII_COMPATIBLE.test(name))) return { text, problem: { line, detail: `the file declares the encoding ${declared[1]!}; only UTF-8 is read` } };
  }
  return { text };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
