/** Nothing that may stand in a file makes lowering throw, lose a statement, or hand on a program that is not well formed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../src/ir/nodes.js';
import type { Program } from '../../../../src/ir/program.js';
import { forEachChildOfStatement, type NodeVisitor } from '../../../../src/ir/walk.js';
import { verifyProgram } from '../../../../src/ir/verify.js';
import { lower } from './lowered.js';

/** A handler with most forms in it. */
const HANDLER = `import git
from os import path as p, environ
LIMIT: int = 10
class Tools(str, Enum):
    "text"
    A = "a"
    @property
    def m(self, d=A): return f"{self.x!r:>{d}} {{}}" "b" rf"\\d"
@deco(1)
async def serve(repository, /, *args: "git.Repo", k=lambda a: a, **kw) -> None:
    nonlocal_ = 0
    @server.call_tool()
    async def call(name: str, arguments: dict[str, "int"]):
        global LIMIT
        nonlocal nonlocal_
        nonlocal_ += 1
        match name, *args:
            case [Tools.A, {"k": v, -1: _, **rest}] | (v, rest) if v: return [1, *v]
            case C(1, x=(2 | 3) as n): pass
            case _: raise ValueError(f"no {name=}") from None
        try:
            with (open(a) as f, g() as h.i): await f.read(*a, **b)
        except (A, B) as e: raise
        else: yield {**a, "k": [x async for x, *y in z if (w := x)]}
        finally: del a[1:2, 3], b.c
        while a < b() <= c not in d: break
        else: continue_ = 1 if a else 2
        for x.y in a[::2], 1_0.5e1, 0xff: continue
        assert not -a ** b @ c, {1, 2}
        (u, [*t]) = s = r
        return a and b or c
`;
const WORDS = ['yield', 'await', 'return', 'break', 'nonlocal x', 'global a', '*', '**', '(', ')', '[', ']', '{', '}', ':', ',', '=', ':=', 'lambda', 'async', 'def', 'class', 'except', 'try:', 'else:', 'raise', 'from', 'import', 'match', 'case', '"', "'", 'f"', '\\', '\n', '    ', '\t', '@', '->', '\0', '\uFEFF', 'é', 'ﬁ', 'print x', '0777', '`', '<>', 'del', 'for', 'in', 'is', '...'];

async function check(text: string): Promise<Program> {
  const program = await lower(text);
  expect(verifyProgram(program)).toEqual([]);
  return program;
}

describe('lowering does not throw', () => {
  it('on a handler with most forms, which is accepted', async () => {
    const program = await check(HANDLER.replace('yield {', 'x = {'));
    expect(program.syntaxErrors).toEqual([]);
    expect([...program.functions.keys()]).toContain('m#serve.call');
  });
  it('on Python with words taken out, put in and exchanged', async () => {
    const tokens = HANDLER.match(/\s+|\w+|[^\w\s]/g) ?? [];
    const edit = fc.tuple(fc.nat(tokens.length - 1), fc.oneof(fc.constant(undefined), fc.constantFrom(...WORDS), fc.nat(tokens.length - 1)));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const changed = [...tokens];
        for (const [at, what] of edits) changed[at] = what === undefined ? '' : typeof what === 'string' ? `${what} ${changed[at] ?? ''}` : (tokens[what] ?? '');
        await check(changed.join(''));
      }),
      { numRuns: 300, seed: 20_261_201 },
    );
  });
  it('on arbitrary text and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('utf8')), fc.array(fc.constantFrom(...WORDS, 'a', ' ', '1'), { maxLength: 60 }).map((words) => words.join(' '))), async (text) => {
        await check(text);
      }),
      { numRuns: 300, seed: 20_261_202 },
    );
  });
});

/** A statement of Python with the number of IR statements that it is. */
type Made = readonly [text: string, count: number];
const simple: fc.Arbitrary<Made> = fc.constantFrom<Made>(['x = f(1)', 1], ['f(x)', 1], ['x += 1', 1], ['a.b = x', 1], ['x, y = f()', 1], ['pass', 0], ['"text"', 1], ['del x, y', 2], ['import a, b as c', 2], ['assert x', 1], ['x: int', 0], ['return x', 1], ['raise x', 1], ['a[0]: f()', 2], ['x = y = 1', 1], ['f(1); g(2)', 2], ['global G', 0]);
const { statements } = fc.letrec<{ statements: Made; statement: Made }>((tie) => ({
  statements: fc.array(tie('statement'), { minLength: 1, maxLength: 4 }).map((all) => [all.map(([text]) => text).join('\n'), all.reduce((sum, [, count]) => sum + count, 0)]),
  statement: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    simple,
    fc.tuple(fc.constantFrom('if x:', 'while x:', 'for x in y:', 'with x as y:', 'async for x in y:', 'def g(x):', 'class_'), tie('statements')).map(([head, [text, count]]): Made => (head === 'class_' ? [text, count] : [`${head}\n${indent(text)}`, count + 1])),
    fc.tuple(tie('statements'), tie('statements')).map(([[a, n], [b, m]]): Made => [`if x:\n${indent(a)}\nelif y:\n${indent(b)}\nelse:\n${indent(a)}`, n + m + n + 2]),
    fc.tuple(tie('statements'), tie('statements')).map(([[a, n], [b, m]]): Made => [`try:\n${indent(a)}\nexcept E as e:\n${indent(b)}\nfinally:\n${indent(a)}`, n + m + n + 1]),
    fc.tuple(tie('statements'), tie('statements')).map(([[a, n], [b, m]]): Made => [`match x:\n  case 1:\n${indent(indent(a))}\n  case _:\n${indent(indent(b))}`, n + m + 1]),
  ),
}));

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function countStatements(program: Program): number {
  let count = 0;
  const visit: NodeVisitor = {
    expression: () => undefined,
    target: () => undefined,
    pattern: () => undefined,
    statement: (node: Statement) => {
      count += 1;
      forEachChildOfStatement(node, visit);
    },
  };
  for (const fn of program.functions.values()) fn.body.forEach(visit.statement);
  return count;
}

describe('nothing is skipped', () => {
  it('of generated functions: every statement is there', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async ([text, count]) => {
        const program = await check(`async def f(x, y, a, b, c, G_):\n${indent(text)}\n`);
        expect(program.syntaxErrors.map((error) => error.detail)).toEqual(program.syntaxErrors.length === 0 ? [] : [expect.stringMatching(/async/)]);
        if (program.syntaxErrors.length === 0) expect(countStatements(program)).toBe(count);
      }),
      { numRuns: 200, seed: 20_261_203 },
    );
  });
  it('of generated modules: every statement is a binding or an effect', async () => {
    const top = fc.array(fc.constantFrom<Made>(['def f(): pass', 1], ['x = 1', 1], ['class K: pass', 1], ['f(1)', 1], ['import a', 1], ['if f: y = 1', 1], ['z = w = 2', 1], ['x += 1', 1], ['for i in f: g(i)', 1], ['del x', 1], ['try: import q\nexcept E: q = 1', 1], ['with f as h: pass', 1]), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(top, async (all) => {
        const program = await check(all.map(([text]) => text).join('\n'));
        const module = program.modules.get('m');
        const bound = [...(module?.bindings.values() ?? [])].filter((one) => one.kind !== 'unsupported').length;
        const imports = all.filter(([text]) => text === 'import a').length;
        expect(bound + (module?.effects.length ?? 0)).toBe(all.length - Math.max(0, imports - 1));
      }),
      { numRuns: 200, seed: 20_261_204 },
    );
  });
});
