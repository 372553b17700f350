/** Source that is not Python 3, or that cannot be read: where it is refused, how much of it, and that nothing throws. */
import { describe, expect, it } from 'vitest';
import { IR_DEPTH_MAX, SYNTAX_CHAIN_MAX, SYNTAX_DEPTH_MAX } from '../../../../src/base/limits.js';
import { binding, body, lower, printed } from './lowered.js';

async function errors(source: string): Promise<readonly string[]> {
  return (await lower(source)).syntaxErrors.map((error) => `${String(error.span.line)}: ${error.detail}`);
}

describe('Python 2', () => {
  it.each([
    ['print "x"', 'the print statement'],
    ['print >>f, "x"', 'the print statement'],
    ['exec "x" in y', 'the exec statement'],
    ['x = a <> b', 'the operator <>'],
    ['raise E, "x"', 'raise with a comma'],
    ['try: pass\n  except E, e: pass', 'except with a comma'],
    ['x = `a`', 'backticks'],
    ['x = ur"a"', 'the prefix ur'],
    ['x = 0777', 'an octal number without 0o'],
    ['x = 10L', 'a long integer'],
    ['def g((a, b)): pass', 'a tuple as a parameter'],
  ])('%s refuses the whole module, with its line', async (statement, detail) => {
    const source = `import git\ndef f():\n  ${statement}\n`;
    expect(await errors(source)).toMatchObject([expect.stringMatching(new RegExp(`^[34]: Python 2 syntax: ${detail}$`))]);
    expect(await binding(source, 'git')).toMatch(/^syntax-error:/);
  });
  it.each(['print', 'print(1, 2)', 'print -1', 'print (a), b', 'exec(a)', 'x = 0', 'x = 00', 'x = 0.777', 'x = 0777.5', 'x = 0xAFL_1 if 0 else 1'.replace('L', '')])('%s is Python 3', async (statement) => {
    expect(await errors(statement)).toEqual([]);
  });
});

describe('errors', () => {
  it('in a function poison that function', async () => {
    const source = 'def f():\n  x = = 1\n\ndef g(): return 2\n';
    expect(await errors(source)).toEqual([]);
    const text = await printed(source);
    expect(text).toContain('function m#f (rest args, keyword-rest kwargs) module=m { unsupported "syntax-error" "the function f: this is not Python 3" }');
    expect(text).toContain('function m#g () module=m { return 2 }');
  });
  it('at the top poison the module', async () => {
    const source = 'def g(): return 2\nx = = 1\n';
    expect(await errors(source)).toEqual(['2: this is not Python 3']);
    expect(await binding(source, 'g')).toBe('syntax-error:2');
  });
  it.each([
    ['return 1', '1: return outside of a function'],
    ['def f(): yield_ = 1\nbreak', '2: break outside of a loop'],
    ['def f(): await x', '1: await outside of an async function'],
    ['f(a=1, a=2)', '1: the keyword a is given twice'],
    ['def f(a, a): pass', '1: the parameter a is there twice'],
    ['try: pass\nexcept: pass\nexcept E: pass', '2: a handler after one that catches everything'],
    ['*a, *b = c', '1: more than one element takes the rest'],
  ])('that only the compiler finds refuse the module: %s', async (source, error) => {
    expect(await errors(source)).toEqual([error]);
  });
  it('in a class poison the class', async () => {
    expect(await printed('class K:\n  def f(self):\n    x = = 1\n\ny = 1\n')).toContain('unsupported "syntax-error" "the class K: this is not Python 3"');
  });
});

describe('files', () => {
  it.each([
    ['CRLF', 'def f():\r\n  return """a\r\nb"""\r\n', '"a\\nb"'],
    ['CR', 'def f():\r  return 1\r', '1'],
    ['a byte order mark', '\uFEFFdef f():\n  return 1\n', '1'],
    ['tabs', 'def f():\n\tif a:\n\t\treturn 2\n\treturn 1\n', '1'],
    ['form feeds', 'def f():\n  x = 1\n\f\n  return 1\n', '1'],
    ['UTF-8 declared', '# -*- coding: utf-8 -*-\ndef f(): return "ä"\n', '"ä"'],
    ['latin-1 declared, all ASCII', '#!/bin/x\n# vim: set fileencoding=latin-1 :\ndef f(): return 1\n', '1'],
    ['no newline at the end', 'def f(): return 1', '1'],
  ])('%s', async (_, source, returned) => {
    expect(await errors(source)).toEqual([]);
    expect(await printed(source)).toContain(`return ${returned} }`);
  });
  it.each([
    ['latin-1 with other characters', '# coding: latin-1\nx = "ä"', '1: the file declares the encoding latin-1; only UTF-8 is read'],
    ['an encoding that changes ASCII', '\n# coding=utf-7\nx = 1', '2: the file declares the encoding utf-7; only UTF-8 is read'],
    ['NUL', 'x = 1\ny = "\0"', '2: the file holds a NUL character'],
    ['a tab after spaces', 'if a:\n  if b:\n \tx = 1\n', '3: a tab after spaces in the indentation'],
  ])('refuses %s', async (_, source, error) => {
    expect(await errors(source)).toEqual([error]);
  });
  it('keeps lines and columns of the file', async () => {
    const program = await lower('\r\n\r\ndef f(): pass\r\n');
    expect(program.functions.get('m#f')?.span).toMatchObject({ line: 3, column: 1, endLine: 3, endColumn: 14 });
  });
});

describe('limits', () => {
  const nested = (levels: number): string => `${'('.repeat(levels)}1${')'.repeat(levels)}`;
  it.each([
    ['parentheses', `x = ${nested(10_000)}`],
    ['lists', `x = ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['targets', `${'['.repeat(5000)}a${']'.repeat(5000)} = x`],
    ['patterns', `match x:\n  case ${'['.repeat(5000)}${']'.repeat(5000)}: pass`],
    ['lambdas', `x = ${'lambda: '.repeat(5000)}1`],
  ])('very deep %s refuse what they are in', async (_, source) => {
    expect(await errors(source)).toMatchObject([expect.stringContaining(`nested deeper than ${String(SYNTAX_DEPTH_MAX)} levels`)]);
    const inside = `def f():\n${source.replaceAll(/^/gm, '  ')}\n\ndef g(): return 1\n`;
    expect(await errors(inside)).toEqual([]);
    expect(await printed(inside)).toContain('function m#g () module=m { return 1 }');
  });
  it('of the IR are kept', async () => {
    const sum = (terms: number): string => Array.from({ length: terms }, () => 'a').join(' + ');
    const most = IR_DEPTH_MAX - SYNTAX_CHAIN_MAX - 8;
    expect(await body(`return ${sum(most - 2)}`)).not.toContain('unsupported');
    expect(await body(`return ${sum(most + 2)}`)).toContain(`nested deeper than ${String(most)} levels`);
    const chain = (operators: number): string => `a${' < a'.repeat(operators)}`;
    expect(await body(`return ${chain(SYNTAX_CHAIN_MAX)}`)).not.toContain('unsupported');
    expect(await body(`return ${chain(SYNTAX_CHAIN_MAX + 1)}`)).toContain('more than 100 comparisons in one chain');
    const branches = (count: number): string => `if a: pass\n${'elif b: pass\n'.repeat(count)}`.trimEnd();
    expect(await body(branches(most - 3))).not.toContain('unsupported');
    expect(await body(branches(5000))).toContain('unsupported');
  });
  it('do not stop a handler of 10,000 lines', async () => {
    const program = await lower(`def f(a):\n${'  if a == "x":\n    a = g(a, b=1)["k"].strip()\n'.repeat(5000)}`);
    expect(program.functions.get('m#f')?.body).toHaveLength(5000);
    expect(program.syntaxErrors).toEqual([]);
  });
});
