import { describe, expect, it } from 'vitest';
import { parseLiteral } from '../../../src/analysis/literal.js';
import { parseFact, parseInput, readFacts, readSidedInputs } from '../../../src/pipeline/inputs.js';

describe('parseInput', () => {
  it.each<[string, string, string | null]>([
    ['option:repository=/srv/repo', 'option:repository', '/srv/repo'],
    ['option:repository=null', 'option:repository', null],
    ['option:repository="null"', 'option:repository', 'null'],
    ['option:flags=a=b', 'option:flags', 'a=b'],
    ['env:EMPTY=', 'env:EMPTY', ''],
    ['option:count=1.0', 'option:count', '1.0'],
    ['dependency:gitpython=3.1.45', 'dependency:gitpython', '3.1.45'],
    ['config:a="unclosed', 'config:a', '"unclosed'],
  ])('%s', (text, name, value) => {
    expect(parseInput(text)).toEqual([name, value]);
  });

  it.each(['repository=/srv', 'option:repository', 'option:=x', 'secret:x=y', '=x', 'option:a b=c'])('refuses %s', (text) => {
    expect(() => parseInput(text)).toThrow(expect.objectContaining({ code: 'input-invalid', next: expect.stringContaining('KIND:NAME=VALUE') }));
  });
});

describe('readSidedInputs', () => {
  const read = (text: string): unknown => {
    const { source, target } = readSidedInputs(parseLiteral(text));
    return { source: Object.fromEntries(source), target: Object.fromEntries(target) };
  };

  it('keeps null, the spelling of numbers, and what is not given apart', () => {
    expect(read('{"source": {"option:a": null, "option:n": 1.0, "flag:f": true}}')).toEqual({ source: { 'option:a': null, 'option:n': '1.0', 'flag:f': 'true' }, target: {} });
  });

  it.each(['[]', '{"sorce": {}}', '{"source": []}', '{"source": {"x": "y"}}', '{"target": {"option:x": []}}'])('refuses %s', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'input-invalid' }));
  });
});

describe('facts', () => {
  it('are true or false', () => {
    expect(parseFact('is-a-branch=false')).toEqual(['is-a-branch', false]);
    expect(readFacts(parseLiteral('{"a": true}'))).toEqual(new Map([['a', true]]));
  });

  it.each(['a', 'a=yes', '=true', 'a b=true'])('refuses %s', (text) => {
    expect(() => parseFact(text)).toThrow(expect.objectContaining({ code: 'fact-invalid' }));
  });

  it.each(['[]', '{"a": 1}', '{"a": null}'])('refuses %s in a line', (text) => {
    expect(() => readFacts(parseLiteral(text))).toThrow(expect.objectContaining({ code: 'fact-invalid' }));
  });
});
