/** Structural digests: what they do not see, and that they see everything else. */
import { describe, expect, it } from 'vitest';
import { normalForm, structuralDigest } from '../../../src/ir/normal-form.js';
import { parseProgram, parseStatements } from '../../../src/ir/parse.js';
import type { IrFunction, Program } from '../../../src/ir/program.js';

const file = 'case.ir';
const PROGRAM = `program python
function m#clean (text, keyword-only limit: <py:builtins#int> = 10) module=m {
  %parts = comprehension list m#clean.<listcomp>(call %part.strip() for %part in call %m#clean::text.split())
  define %shorten = closure m#clean.shorten
  for %part in %parts {
    if binary py.eq(%part, "") {
      continue
    }
    call %shorten(%part, limit = %limit)
  }
  define %Local = class m#clean.<locals>.Local
  return %parts
}
function m#clean.shorten (word) parent=m#clean writes=[limit, @calls] {
  %m#clean::limit = @m::calls = len
  return %word[slice : %m#clean::limit]
}
function m#clean.<locals>.Local.run (self) parent=m#clean {
  return %m#clean::text
}
class m#clean.<locals>.Local () {
  method run = m#clean.<locals>.Local.run
}
`.replace('= len', '= %m#clean::limit');

function digest(text: string, id = 'm#clean'): string {
  const program: Program = parseProgram(text, { file });
  const fn: IrFunction | undefined = program.functions.get(id);
  if (fn === undefined) throw new Error(`no function ${id}`);
  return structuralDigest(fn, program);
}

function replaced(...pairs: readonly (readonly [string | RegExp, string])[]): string {
  const text = pairs.reduce((before, [from, to]) => before.replaceAll(from, to), PROGRAM);
  expect(text, 'the replacement changes something').not.toBe(PROGRAM);
  return text;
}

describe('the structural digest of a function', () => {
  const original = digest(PROGRAM);

  it.each([
    ['a parameter', replaced([/(?<=[(%:])text/g, 'body'])],
    ['a local', replaced(['%parts', '%pieces'])],
    ['the variable of a comprehension and of a loop', replaced(['%part ', '%p '], ['%part.', '%p.'], ['%part,', '%p,'])],
    ['a captured variable that a nested function assigns', replaced([/(?<=[%:[ ])limit(?! = %l)/g, 'zzz'])],
    ['a nested function and its name', replaced(['%shorten', '%cut'], ['clean.shorten', 'clean.cut'])],
    ['a scope', replaced(['<listcomp>', '<comp~3>'])],
    ['the id of a class', replaced(['<locals>.Local', '<locals>.Local~2'], ['.Local~2 ()', '.Local~2 () name=Local'])],
  ])('does not see the name of %s', (_what, text) => {
    expect(digest(text)).toBe(original);
  });

  it('does not see the name of the function itself', () => {
    expect(digest(replaced(['m#clean', 'm#tidy']), 'm#tidy')).toBe(original);
  });

  it('does not see layout', () => {
    expect(digest(`; a comment\n${PROGRAM}`)).toBe(original);
  });

  it.each([
    ['a constant', replaced(['= 10', '= 11'])],
    ['a keyword of a call', replaced(['limit = %limit', 'bound = %limit'])],
    ['a member', replaced(['.strip', '.lstrip'])],
    ['an operator', replaced(['py.eq', 'py.ne'])],
    ['which variable is used', replaced(['return %parts', 'return %shorten'])],
    ['a local in place of a captured variable', replaced(['[slice : %m#clean::limit]', '[slice : %limit]'])],
    ['the order of parameters', replaced(['word) parent', 'other, word) parent'])],
    ['the kind of a parameter', replaced(['keyword-only limit', 'limit'])],
    ['an annotation', replaced(['<py:builtins#int>', '<py:builtins#str>'])],
    ['a nested function', replaced(['return %word[', 'yield %word['])],
    ['a method of a class made inside', replaced(['return %m#clean::text', 'return null'])],
    ['the name of a class', replaced(['Local () {', 'Local () name=Other {'])],
    ['a module variable', replaced(['@m::calls', '@m::count'])],
    ['a write that is listed', replaced(['writes=[limit, @calls]', 'writes=[limit]'])],
    ['the kind of a comprehension', replaced(['comprehension list', 'comprehension generator'])],
    ['async', replaced(['module=m {', 'async module=m {'])],
    ['a statement left out', replaced(['      continue\n', ''])],
    ['the module', replaced([/module=m /g, 'module=n '])],
  ])('sees %s', (_what, text) => {
    expect(digest(text)).not.toBe(original);
  });

  it('does not depend on the function around it', () => {
    const inner = digest(PROGRAM, 'm#clean.shorten');
    expect(digest(replaced(['= 10', '= 11']), 'm#clean.shorten')).toBe(inner);
  });
});

describe('the normal form of statements', () => {
  const program = parseProgram(PROGRAM, { file });
  const form = (text: string): ReturnType<typeof normalForm> => normalForm(parseStatements(text, { file, owner: 'm#clean' }), program);

  it('names the shared variables in order of first appearance', () => {
    const { variables } = form('%b = comprehension list m#s(%x for %x in %m#clean::a)\ncall %f(%b)');
    expect(variables).toEqual([
      { owner: 'm#clean', name: 'b' },
      { owner: 'm#clean', name: 'a' },
      { owner: 'm#clean', name: 'f' },
    ]);
  });

  it('does not see their names, and sees which is which', () => {
    expect(form('%a = call %f(%a, %b)').digest).toBe(form('%x = call %y(%x, %z)').digest);
    expect(form('%a = call %f(%a, %b)').digest).not.toBe(form('%a = call %f(%b, %a)').digest);
    expect(form('call %f(%m#outer::f)').digest).not.toBe(form('call %f(%f)').digest);
    expect(form('call %f(%m#outer::g)').digest).not.toBe(form('call %f(%g)').digest);
  });

  it('holds the functions that are made inside', () => {
    const made = form('define %x = closure m#clean.shorten');
    expect(made.text).toContain('slice');
    expect(made.variables).toEqual([
      { owner: 'm#clean', name: 'x' },
      { owner: 'm#clean', name: 'limit' },
    ]);
  });
});
