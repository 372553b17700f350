import { describe, expect, it } from 'vitest';
import { batchCallOf, idOf, readBatchLine } from '../../../src/pipeline/batch.js';

const call = (line: object): ReturnType<typeof batchCallOf> => batchCallOf(readBatchLine(JSON.stringify(line), 'f:1'), 'f:1');
const LINE = { source: 'pkg:pypi/a@1', target: './b', tool: 't', arguments: {} };

describe('a line of a batch', () => {
  it('has an id that is text, a number or nothing', () => {
    const id = (value: unknown): unknown => idOf(readBatchLine(JSON.stringify({ id: value }), 'f:1'));
    expect([id('a'), id(7), id(null), id({}), id(undefined)]).toEqual(['a', 7, null, null, null]);
  });

  it('keeps the spelling of numbers in arguments', () => {
    const { arguments: literal } = batchCallOf(readBatchLine('{"source":"a","target":"b","tool":"t","arguments":{"n":1.0,"m":1}}', 'f:1'), 'f:1');
    expect(literal).toMatchObject({ kind: 'object', members: new Map([['n', { kind: 'number', lexeme: '1.0' }], ['m', { kind: 'number', lexeme: '1' }]]) });
  });

  it('takes a folder for both sides, or for each', () => {
    expect(call({ ...LINE, subpath: 'src/a' })).toMatchObject({ source: 'pkg:pypi/a@1#src/a', target: './b#src/a' });
    expect(call({ ...LINE, subpath: { target: 'x y' } })).toMatchObject({ source: 'pkg:pypi/a@1', target: './b#x y' });
    expect(call({ ...LINE, source: 'pkg:pypi/a@1#own', subpath: 'src/a' })).toMatchObject({ source: 'pkg:pypi/a@1#own' });
    expect(call({ ...LINE, subpath: '' })).toMatchObject({ target: './b' });
  });

  it('names what it lacks', () => {
    expect(() => call({ ...LINE, tool: 5, arguments: [] })).toThrow(/f:1: the line has no "tool", no "arguments"/);
    expect(() => call({ ...LINE, subpath: 5 })).toThrow(/"subpath" is not text/);
    expect(() => readBatchLine('"text"', 'f:3')).toThrow(/f:3: the line is no JSON object/);
  });
});
