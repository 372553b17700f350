import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, type Line } from '../../../src/cli/lines.js';

async function linesOf(chunks: readonly (Uint8Array | string)[], bytesMax = 1000): Promise<readonly Line[]> {
  const input = (async function* () {
    yield* chunks;
  })();
  const lines: Line[] = [];
  for await (const line of readLines(input, bytesMax)) lines.push(line);
  return lines;
}

const texts = (lines: readonly Line[]): readonly string[] => lines.map((line) => (line.kind === 'line' ? line.text : `! ${line.why}`));

describe('readLines', () => {
  it('splits at line feeds only', async () => {
    expect(texts(await linesOf(['a\u2028b\rc\n\nd']))).toEqual(['a\u2028b\rc', '', 'd']);
    expect(texts(await linesOf(['a\n']))).toEqual(['a']);
    expect(texts(await linesOf([]))).toEqual([]);
  });

  it('gives the same lines however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/[\n\p{Surrogate}]/u.test(text)), { minLength: 1, maxLength: 6 }), fc.array(fc.nat(100), { maxLength: 8 }), async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((left, right) => left - right);
        const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
        expect(texts(await linesOf(chunks))).toEqual(lines);
      }),
    );
  });

  it('tells a line that is too long or not UTF-8, and goes on', async () => {
    const lines = await linesOf([Buffer.from([0xff, 0x0a]), `${'x'.repeat(6)}\n`, `${'y'.repeat(5)}\n`, 'z'.repeat(3), 'z'.repeat(3), '\nend'], 5);
    expect(texts(lines)).toEqual(['! the line is not UTF-8', '! the line is longer than 5 bytes', 'yyyyy', '! the line is longer than 5 bytes', 'end']);
    expect(lines.map((line) => line.number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps a byte-order mark, which strict JSON then refuses', async () => {
    expect(texts(await linesOf([Buffer.from([0xef, 0xbb, 0xbf, 0x31])]))).toEqual(['\ufeff1']);
  });
});
