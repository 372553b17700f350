import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, indented, paint, printable, wrap, type Style } from '../../../src/review/style.js';
import { renderTable } from '../../../src/review/table.js';

const PLAIN: Style = { color: false, width: 60 };
const COLOR: Style = { color: true, width: 60 };

describe('text for a terminal', () => {
  it('is coloured only where wanted', () => {
    expect(paint(PLAIN, 'red', 'x')).toBe('x');
    expect(paint(COLOR, 'red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(paint(COLOR, undefined, 'x')).toBe('x');
  });

  it('counts columns, not characters', () => {
    expect([columnsOf('abc'), columnsOf('日本'), columnsOf('e\u0301'), columnsOf(paint(COLOR, 'red', 'ab'))]).toEqual([3, 4, 1, 2]);
  });

  it('shows control characters instead of obeying them', () => {
    expect(printable('a\u001b[31m\n\u202eb\tc')).toBe('a\\u{1b}[31m\\u{a}\\u{202e}b  c');
  });

  it('wraps without losing or adding anything but breaks, within the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 200 }), fc.integer({ min: 4, max: 50 }), (text, width) => {
        const clean = printable(text);
        const lines = wrap(clean, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(clean.replaceAll(' ', ''));
        for (const line of lines) expect(columnsOf(line) <= width || [...line].length === 1).toBe(true);
      }),
    );
  });

  it('hangs the lines after the first', () => {
    expect(indented({ color: false, width: 24 }, 2, 'one two three four five', '- ')).toBe('  - one two three four\n    five');
  });
});

describe('tables', () => {
  it('align, and have air between rows of several lines only', () => {
    const rows = [['a', 'one'], ['bbb', 'two']].map((row) => row.map((text) => ({ text })));
    expect(renderTable(PLAIN, ['X', 'WHAT'], rows)).toBe('  X    WHAT\n  ───  ────\n  a    one\n  bbb  two');
    const tall = [[{ text: 'a\nb' }, { text: '1' }], [{ text: 'c' }, { text: '2' }]];
    expect(renderTable(PLAIN, ['X', 'N'], tall)).toBe('  X  N\n  ─  ─\n  a  1\n  b\n\n  c  2');
  });

  it('never pass the width', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 80 }), fc.string({ maxLength: 80 }), fc.string({ maxLength: 80 })), { maxLength: 5 }), (rows) => {
        const text = renderTable(PLAIN, ['FIRST', 'SECOND', 'THIRD'], rows.map((row) => row.map((cell) => ({ text: printable(cell) }))));
        for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(PLAIN.width);
      }),
    );
  });

  it('paint text, not the space around it', () => {
    expect(renderTable(COLOR, ['A', 'B'], [[{ text: 'x', paint: 'red' }, { text: 'y' }]])).toContain('\u001b[31mx\u001b[39m  y');
  });
});
