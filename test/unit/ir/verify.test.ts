/** The verifier: a program in which every kind occurs has no issue, and each defect put into a program is found. */
import { describe, expect, it } from 'vitest';
import { IR_DEPTH_MAX } from '../../../src/base/limits.js';
import type { Expression } from '../../../src/ir/nodes.js';
import { parseExpression, parseProgram } from '../../../src/ir/parse.js';
import type { IrFunction, Program } from '../../../src/ir/program.js';
import { verifyProgram } from '../../../src/ir/verify.js';
import type { IrIssueCode } from '../../../src/ir/verify-issue.js';
import { EVERY_KIND } from './every-kind.js';

const file = 'case.ir';

function codes(program: Program): IrIssueCode[] {
  return verifyProgram(program).map((issue) => issue.code);
}

/** Issues of a program with one function that has this body. */
function codesOf(body: string, head = '(a)', more = ''): IrIssueCode[] {
  return codes(parseProgram(`program python\nmodule m file=m.py {\n}\nfunction m#f ${head} {\n${body}\n}\n${more}`, { file }));
}

describe('a program without defects', () => {
  it('has no issue, with every kind of node in it', () => {
    expect(verifyProgram(parseProgram(EVERY_KIND, { file }))).toEqual([]);
  });

  it.each([
    ['a loop in the else of a loop, and a break of the outer loop', 'while %a {\n  for %b in %a {\n  } else {\n    break\n  }\n}', '(a)'],
    ['a rethrow in a loop in a handler', 'try {\n} catch {\n  while %a {\n    throw\n  }\n}', '(a)'],
    ['a lambda in a comprehension, of its scope', '%x = comprehension list m#f.s(closure m#f.l for %y in %m#f::a)', '(a)', 'function m#f.l () parent=m#f.s {\n  return %m#f.s::y\n}'],
    ['a lambda in a comprehension, of the function', '%x = comprehension list m#f.s(closure m#f.l for %y in %m#f::a)', '(a)', 'function m#f.l () parent=m#f {\n}'],
    ['an assignment from inside a comprehension', '%x = comprehension list m#f.s((%m#f::a := %y) for %y in %m#f::a)', '(a)'],
    ['a lazy async comprehension in a plain function', '%x = comprehension generator m#f.s(await %y async for %y in %m#f::a)', '(a)'],
    ['a lazy comprehension over what is awaited where it is made', '%x = comprehension generator m#f.s(1 for %y in await %m#f::a)', '(a) async'],
    ['a comprehension over what is yielded where it is made', '%x = comprehension list m#f.s(1 for %y in tuple[(yield 1)])', '(a) generator'],
    ['keywords, then a spread', 'call %a(1, k = 2, ...%a, l = 3, ...:%a, m = 4)', '(a)'],
    ['a method of a local class', 'define %C = class m#f.C', '(a)', 'class m#f.C () {\n  method g = m#f.C.g\n  field x = %m#f::a\n}\nfunction m#f.C.g (self) parent=m#f {\n}'],
    ['a default that uses a parameter, at each call', 'return', '(a, b = %a) defaults=call'],
  ])('%s', (_what, body, head, more = '') => {
    expect(codesOf(body, head, more)).toEqual([]);
  });
});

describe('a defect in code', () => {
  it.each<[IrIssueCode, string, string?, string?]>([
    ['local-without-owner', 'return %m#g::a'],
    ['local-out-of-scope', 'return %m#g::a', '()', 'function m#g (a) {\n}'],
    ['local-out-of-scope', '%x = comprehension list m#f.s(%y for %y in %m#f::a)\nreturn %m#f.s::y'],
    ['local-out-of-scope', 'return', '(a, b = %a)'],
    ['scope-target', '%x = comprehension list m#f.s(1 for [%m#f::a, %y] in %m#f::a)'],
    ['duplicate-id', '%x = comprehension list m#f.s(1 for %y in null)\n%x = comprehension list m#f.s(1 for %y in null)'],
    ['duplicate-id', '%x = comprehension list m#f(1 for %y in null)'],
    ['duplicate-id', 'return', '()', 'class m#f () {\n}'],
    ['unknown-function', 'define %x = closure m#f.g'],
    ['unknown-function', 'return closure m#f.g'],
    ['unknown-function', 'return', '()', 'class m#C () {\n  method x = m#C.x\n}'],
    ['unknown-class', 'define %x = class m#f.C'],
    ['unknown-module', 'return @n::x'],
    ['unknown-module', 'return', '() module=n'],
    ['parent-mismatch', 'define %x = closure m#g', '()', 'function m#g () {\n}'],
    ['parent-mismatch', 'return closure m#h', '()', 'function m#g () {\n}\nfunction m#h () parent=m#g {\n}'],
    ['parent-mismatch', 'return', '() parent=m#g'],
    ['parent-mismatch', 'define %f = closure m#f', '() parent=m#f'],
    ['parent-mismatch', 'return', '()', 'module n file=n.py {\n}\nfunction n#g () parent=m#f {\n}'],
    ['parent-mismatch', 'define %C = class m#f.C', '()', 'class m#f.C () {\n  method g = m#f.C.g\n}\nfunction m#f.C.g () {\n}'],
    ['break-outside-loop', 'break'],
    ['break-outside-loop', 'while %a {\n} else {\n  continue\n}'],
    ['break-outside-loop', 'while %a {\n  define %g = closure m#f.g\n}', '(a)', 'function m#f.g () parent=m#f {\n  break\n}'],
    ['yield-outside-generator', 'yield'],
    ['yield-outside-generator', '%x = comprehension list m#f.s((yield %y) for %y in %m#f::a)', '(a) generator'],
    ['await-outside-async', 'await %a'],
    ['await-outside-async', 'async for %x in %a {\n}'],
    ['await-outside-async', 'async with %a {\n}'],
    ['await-outside-async', '%x = comprehension list m#f.s(1 async for %y in %m#f::a)'],
    ['await-outside-async', '%x = comprehension generator m#f.s(1 for %y in await %m#f::a)'],
    ['return-outside-function', 'return', '()', 'module n file=n.py {\n  effects {\n    return\n  }\n}'],
    ['rethrow-outside-handler', 'throw'],
    ['rethrow-outside-handler', 'try {\n} catch {\n} finally {\n  throw\n}'],
    ['cause-without-value', 'try {\n} catch {\n  throw from %a\n}'],
    ['catch-all-not-last', 'try {\n} catch {\n} catch (%a) {\n}'],
    ['else-without-handler', 'try {\n} else {\n} finally {\n}'.replace('else {\n}', 'else {\n  return\n}')],
    ['several-starred', '[*%x, *%y] = %a'],
    ['several-starred', 'match %a {\n  case [*_, *_] {\n  }\n}'],
    ['target-shape', '[%x] py.add= %a'],
    ['target-shape', 'delete [%x]'],
    ['target-shape', '%a?.x = 1'],
    ['target-shape', '[%a?.[0]] = 1'],
    ['pattern-shape', 'match %a {\n  case or(_) {\n  }\n}'],
    ['comprehension-shape', 'return comprehension list m#f.s(1)'],
    ['comprehension-shape', 'return comprehension list m#f.s(1: 2 for %x in null)'],
    ['comprehension-shape', 'return comprehension record m#f.s(1 for %x in null)'],
    ['argument-order', 'call %a(k = 1, 2)'],
    ['argument-order', 'new %a(...:%a, 2)'],
    ['argument-order', 'call %a(...:%a, ...%a)'],
    ['duplicate-name', 'call %a(k = 1, k = 2)'],
    ['duplicate-name', 'match %a {\n  case class %a(k = _, k = _) {\n  }\n}'],
    ['duplicate-name', 'return', '(a, a)'],
    ['parameter-order', 'return', '(keyword-only a, b)'],
    ['parameter-order', 'return', '(rest a, rest b)'],
    ['parameter-order', 'return', '(keyword-rest a, keyword-rest b)'],
    ['parameter-order', 'return', '(rest a = 1)'],
    ['delegate-without-value', 'yield*', '() generator'],
    ['empty-name', 'return %a.""'],
    ['empty-name', 'return %""'],
    ['empty-name', 'return unary "" %a'],
    ['empty-name', 'return <"">'],
    ['empty-name', 'return', '("")'],
    ['empty-name', 'return', '() name=""'],
    ['empty-name', 'return', '()', 'foreign-write global <"">'],
    ['empty-name', 'return', '()', 'class m#C () {\n  field ""\n}'],
    ['empty-name', 'return', '()', 'module n file=n.py {\n  binding "" = external <py:x>\n}'],
    ['int-not-decimal', 'return int("0x10")'],
    ['int-not-decimal', 'return 007'],
    ['int-not-decimal', 'return -0'],
    ['bytes-not-hex', 'return b"0"'],
    ['bytes-not-hex', 'return b"0G"'],
    ['unlisted-write', 'define %g = closure m#f.g', '(a)', 'function m#f.g () parent=m#f {\n  [%m#f::a] = 1\n}'],
    ['unlisted-write', '@m::x py.add= 1'],
    ['unlisted-write', '%x = comprehension list m#f.s((@m::x := %y) for %y in %m#f::a)'],
    ['unlisted-write', 'match %a {\n  case @m::x {\n  }\n}'],
    ['unlisted-write', 'delete @m::x', '(a) writes=[x]'],
    ['bad-span', 'return @m.py:0:1-1:1'],
    ['bad-span', 'return @m.py:2:1-1:1'],
    ['bad-span', 'return @m.py:1:5-1:4'],
    ['bad-span', 'return @"":1:5-1:6'],
  ])('%s: %s', (code, body, head, more) => {
    expect(codesOf(body, head, more)).toEqual([code]);
  });

  it('is told with its place', () => {
    const [issue] = verifyProgram(parseProgram('program py\nmodule m file=m.py {\n}\nfunction m#f () {\n  break\n}\n', { file }));
    expect(issue).toMatchObject({ code: 'break-outside-loop', message: 'break outside of a loop', place: { file, line: 5, column: 3 } });
  });
});

describe('a defect of bindings', () => {
  it.each<[IrIssueCode, string]>([
    ['unknown-function', 'function m#g'],
    ['parent-mismatch', 'function m#f.g'],
    ['unknown-class', 'class m#C'],
    ['unknown-module', 'module n'],
    ['unknown-module', 'alias @n::x'],
    ['empty-name', 'external <"">'],
    ['await-outside-async', 'value await 1'],
  ])('%s: %s', (code, binding) => {
    const text = `program py\nmodule m file=m.py {\n  binding x = ${binding}\n}\nfunction m#f () {\n}\nfunction m#f.g () parent=m#f {\n}\n`;
    expect(codes(parseProgram(text, { file }))).toEqual([code]);
  });
});

describe('a defect that text cannot show', () => {
  const program = parseProgram('program py\nmodule m file=m.py {\n}\nfunction m#f (a) {\n  return %a\n}\n', { file });
  const [fn] = program.functions.values();
  if (fn === undefined) throw new Error('no function');
  const withFunction = (changed: Partial<IrFunction>, id = fn.id): Program => ({ ...program, functions: new Map([[id, { ...fn, ...changed }]]) });
  const withBody = (expression: Expression): Program => withFunction({ body: [{ kind: 'expression', span: fn.span, expression }] });

  it('a table that holds an item under another id', () => {
    expect(codes(withFunction({ body: [] }, 'm#g'))).toEqual(['id-mismatch']);
  });

  it('lists that must not be empty', () => {
    const value = parseExpression('1', { file });
    expect(codes(withFunction({ body: [{ kind: 'assign', span: fn.span, targets: [], value }] }))).toEqual(['empty-list']);
    expect(codes(withFunction({ body: [{ kind: 'with', span: fn.span, items: [], body: [], async: false }] }))).toEqual(['empty-list']);
  });

  it('nesting at the limit is read, past it reported and never a broken stack', () => {
    const nest = (levels: number): Expression => {
      let expression: Expression = { kind: 'local', span: fn.span, name: 'a', owner: fn.id };
      for (let level = 1; level < levels; level += 1) expression = { kind: 'unary', span: fn.span, operator: 'py.not', operand: expression };
      return expression;
    };
    // The statement is a level too.
    expect(codes(withBody(nest(IR_DEPTH_MAX - 1)))).toEqual([]);
    expect(codes(withBody(nest(IR_DEPTH_MAX)))).toEqual(['too-deep']);
    expect(codes(withBody(nest(100 * IR_DEPTH_MAX)))).toEqual(['too-deep']);
  });

  it.each([
    ['lists', 'return ', 'list[', '', ']'],
    ['operators', 'return ', 'unary py.not ', 'null', ''],
    ['parentheses', 'return ', '(', 'null', ')'],
    ['members', 'return ', '(await ', 'null', ').x'],
    ['targets', '', '[', '%a', ']', ' = null'],
    ['patterns', 'match null { case ', '[', '_', ']', ' { } }'],
    ['formats', 'return template("a", ', 'str 1 : template(', '', ')', ')'],
    ['blocks', '', 'if null {\n', '', '}\n'],
  ])('text with %s nested at half the limit is read, past the limit an error', (_what, before, open, middle, close, after = '') => {
    const read = (levels: number): Program =>
      parseProgram(`program python\nfunction m#f () {\n  ${before}${open.repeat(levels)}${middle}${close.repeat(levels)}${after}\n}\n`, { file });
    expect(read(IR_DEPTH_MAX / 2 - 2).functions.size).toBe(1);
    expect(() => read(IR_DEPTH_MAX + 1)).toThrow(/nested deeper than 400 levels/);
    expect(() => read(50 * IR_DEPTH_MAX)).toThrow(/nested deeper than 400 levels/);
  });
});
