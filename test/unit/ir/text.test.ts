/** The printed form on programs written by hand: every kind of node, spans, spelling, and errors. */
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/ir/nodes.js';
import { IrSyntaxError, parseExpression, parseFunction, parseProgram, parseStatements } from '../../../src/ir/parse.js';
import { printClass, printExpression, printFunction, printProgram, printStatements } from '../../../src/ir/print.js';
import { EVERY_KIND } from './every-kind.js';

const file = 'case.ir';
const owner = 'm#f';

describe('the printed form of a program', () => {
  it('is what the printer gives back for every kind of node', () => {
    expect(printProgram(parseProgram(EVERY_KIND, { file }))).toBe(EVERY_KIND);
  });

  it('with spans is the whole program', () => {
    const program = parseProgram(EVERY_KIND, { file });
    const text = printProgram(program, { spans: true });
    expect(parseProgram(text, { file: 'other.ir' })).toStrictEqual(program);
  });

  it('of a part stands alone', () => {
    const program = parseProgram(EVERY_KIND, { file });
    const fn = program.functions.get('app.server#serve');
    const definition = program.classes.get('app.server#Options');
    if (fn === undefined || definition === undefined) throw new Error('the sample lost a definition');
    expect(parseFunction(printFunction(fn, { spans: true }), { file })).toStrictEqual(fn);
    expect(EVERY_KIND).toContain(printFunction(fn));
    expect(EVERY_KIND).toContain(printClass(definition));
    expect(parseStatements(printStatements(fn.body, { spans: true, owner: fn.id }), { file, owner: fn.id })).toStrictEqual(fn.body);
  });
});

describe('text written by hand', () => {
  it('may hold comments, other line ends, a last comma and attributes in any order', () => {
    const text = 'function m#f ( ; the parameters\r\n  a,\n  rest rest,\n) module=m async {\n  %a = list[ ; items\n    1,\n  ]\n}';
    const expected = 'function m#f (a, rest rest) async module=m {\n  %a = list[1]\n}\n';
    expect(printFunction(parseFunction(text, { file }))).toBe(expected);
  });

  it('gives nodes without annotation their place in the text', () => {
    const [statement] = parseStatements('\n  %x = await %y.name ; why', { file, owner });
    expect(statement?.span).toEqual({ file, line: 2, column: 3, endLine: 2, endColumn: 21 });
    if (statement?.kind !== 'assign' || statement.value.kind !== 'await') throw new Error('not an assignment of an await');
    expect(statement.value.span).toMatchObject({ column: 8, endColumn: 21 });
    expect(statement.value.value.span).toMatchObject({ column: 14, endColumn: 21 });
  });

  it('gives an annotation to the innermost node that ends before it', () => {
    const expression = parseExpression('await %y @a.py:1:2-3:4 @"b c.py":5:6-7:8', { file, owner });
    expect(expression.span).toEqual({ file: 'b c.py', line: 5, column: 6, endLine: 7, endColumn: 8 });
    expect(expression.kind === 'await' && expression.value.span).toEqual({ file: 'a.py', line: 1, column: 2, endLine: 3, endColumn: 4 });
  });

  it('ends a statement with its line', () => {
    const statements = parseStatements('%a\n[%b] = %c\nreturn\n%d', { file, owner });
    expect(statements.map((statement) => statement.kind)).toEqual(['expression', 'assign', 'return', 'expression']);
  });

  it('takes accesses after a call as accesses of its result', () => {
    const expression = parseExpression('call call %f(%a).name(%b)', { file, owner });
    expect(expression).toMatchObject({ kind: 'call', callee: { kind: 'member', object: { kind: 'call', callee: { kind: 'local', name: 'f' } } } });
  });
});

describe('one spelling for each expression', () => {
  it.each([
    ['((%a))', '%a'],
    ['(3).real', '(3).real'],
    ['3.real', '(3).real'],
    ['-3', '-3'],
    ['-0.0f', '-0.0f'],
    ['3f', '3.0f'],
    ['1e21f', '1e+21f'],
    ['float(-Infinity)', 'float(-Infinity)'],
    ['int("0x10")', 'int("0x10")'],
    ['"\\u0041\\ud800"', '"A\\ud800"'],
    ['%"a"', '%a'],
    ['%m#f::a', '%a'],
    ['%"m#f"::a', '%a'],
    ['%größe', '%größe'],
    ['%"a b"', '%"a b"'],
    ['%"other owner"::"a b"', '%"other owner"::"a b"'],
    ['@"odd module"::x', '@"odd module"::x'],
    ['<"py:git">', '<py:git>'],
    ['<"py:a>b">', '<"py:a>b">'],
    ['binary "odd operator"(1, 2)', 'binary "odd operator"(1, 2)'],
    ['call %f("a b" = 1, list = 2)', 'call %f("a b" = 1, list = 2)'],
    ['call (await %f)(if %a then %b else %c)', 'call (await %f)(if %a then %b else %c)'],
    ['unary py.not (yield)', 'unary py.not (yield)'],
    ['%a.if."b c"', '%a.if."b c"'],
    ['template("a", "odd conversion" %a, "" %b : template())', 'template("a", "odd conversion" %a, "" %b : template())'],
  ])('%s is %s', (text, printed) => {
    const expression = parseExpression(text, { file, owner });
    expect(printExpression(expression, { owner })).toBe(printed);
    expect(parseExpression(printExpression(expression, { owner, spans: true }), { file, owner })).toStrictEqual(expression);
  });

  it('tells floats from ints, and negative zero from zero', () => {
    const value = (text: string): unknown => {
      const expression: Expression = parseExpression(text, { file });
      return expression.kind === 'constant' ? expression.value : undefined;
    };
    expect(value('1')).toEqual({ type: 'int', value: '1' });
    expect(value('1.0f')).toEqual({ type: 'float', value: 1 });
    expect(value('-0.0f')).toStrictEqual({ type: 'float', value: -0 });
  });
});

describe('text that is wrong', () => {
  it.each([
    ['%x = ', '1:6: expected an expression, found the end of the text'],
    ['%x = 1 2', '1:8: expected the end of the line, found "2"'],
    ['%x = list[1 2]', '1:13: expected "," or "]", found "2"'],
    ['if %x then 1 else 2', '1:1: a conditional expression at the start of a statement needs parentheses'],
    ['if %x {\n  break', '2:8: expected "}", found the end of the text'],
    ['return unary py.not if %a then %b else %c', '1:21: "if" needs parentheses here'],
    ['1 = %x', '1:1: expected something to assign to, found an expression of kind constant'],
    ['[%a]', '1:5: expected "=", found the end of the text'],
    ['%x = "open', `1:6: expected text that closes on its line, found '"'`],
    ['%x = "\\q"', '1:6: the quoted text "\\q" has an escape that JSON does not know'],
    ['unsupported "no-code" "x"', '1:13: "no-code" is not a code of unsupported nodes'],
    ['%x = foo', '1:6: expected an expression, found "foo"'],
    ['%x = 12ab', '1:6: expected an expression, found "12ab"'],
    ['@x = 1', '1:1: a module variable names its module: @module::x'],
    ['define 3 = closure m#f', '1:8: expected a variable such as %x or @module::x, found "3"'],
    ['match %x {\n  case 3 {\n  }\n}', '2:8: expected a pattern (_, %x, value, or, [, {, class), found "3"'],
    ['throw from', '1:11: expected an expression, found the end of the text'],
    ['async %x', '1:7: expected "for" or "with", found "%"'],
    ['%x = comprehension dict s(1)', '1:20: expected list, set, record or generator, found "dict"'],
    ['%x = comprehension list s(1 while 2)', '1:29: expected "for", "if" or ")", found "while"'],
  ])('%s', (text, message) => {
    const read = (): unknown => parseStatements(text, { file, owner });
    expect(read).toThrow(IrSyntaxError);
    expect(read).toThrow(`case.ir:${message}`);
  });

  it.each([
    ['modul m', '1:1: expected "program", found "modul"'],
    ['program py\nfunction m#f () sync {\n}', '2:17: expected one of async, generator'],
    ['program py\nfunction m#f () async async {\n}', '2:23: async is given twice'],
    ['program py\nfunction m#f () {\n}\nfunction m#f () {\n}', '4:1: the id m#f is defined twice'],
    ['program py\nmodule m file=m.py {\n  binding a = module n\n  binding a = module n\n}', '4:3: the name a is bound twice'],
    ['program py\nmodule m file=m.py {\n  binding a = value %x\n}', '3:21: outside of functions a local variable names its owner'],
    ['program py\nfunction m#f (odd a) {\n}', '2:15: expected one of positional-only'],
    ['program py\nforeign-write by <py:x>', '2:15: expected one of attribute, setattr'],
    ['program py\nclass m#C () {\n  filed x\n}', '3:3: expected "field", "method" or "unsupported", found "filed"'],
  ])('%s', (text, message) => {
    expect(() => parseProgram(text, { file })).toThrow(`case.ir:${message}`);
  });
});
