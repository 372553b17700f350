/** Every form of expression, statement and pattern, generated expressions, and modules of the standard library, compared with CPython. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareWithReference, hasReference } from './reference.js';

/** One function for each group of forms; names that nothing binds are unsupported and would agree with anything, so all are bound. */
const FORMS: Readonly<Record<string, string>> = {
  strings: `
def f(): return r'\\\\', rb'\\\\', '\\\\', r'\\n', r'\\'', f'\\\\', rf'\\\\', b'\\\\', 'a' 'b', 'a' "b" r'\\c', b'a' b'\\xff', u'x', '\\x41\\u0041\\101\\0\\7', '\\d', b'\\d', 'é', '😀', """a
b""", 'a\\
b', r'a\\
b'
`,
  formatted: `
def f(a, b):
    return f'{a!r:>{b}}', f'{a = }', f'{a=:>5}', f'{a=!s}', f'{{}}', f'{a:%H:%M}', f'{a:{b}{a}}', f'{a["x"]}', f'{a,}', f"{a!r:^{b}.{a}}", f'{(a:=1)}', 'x' f'{a}' 'y' f'z{b}', f'{a:{b!r}}', f'{a:\\n}'
`,
  numbers: `
def f(): return 1_000, 0xff, 0b1_0, 0o17, 1e5, 1_0.0_1, .5, 5., 1E-3, 0, 00, 10000000000000000000000, 5e-324, 0.1, True, None, ...
`,
  grouping: `
async def f(a, b, c):
    return (a & b ^ c, a ^ b & c, a | b & c ^ a, a & b & c ^ a, ~a ^ b & c | b & c ^ -a, (a & b) ^ c, a ^ b ^ c & a, a << b ^ c & a + b, a & b < c ^ a,
            await a ** b, -await a ** b, await a & b ^ c, await a.b[0](c), not await a, a ** -b ** c, -a ** b, a ** b ** c, a if b else c if a else b, a or b and not c,
            not a in b, a not in b, a is not b, not a == b, a - b - c, a // b % c @ a, a if b else (lambda: c), lambda: a if b else c, a < (b < c), (a < b) < c)
`,
  chains: `
def f(a, b):
    x = a.x == b.x(1) == b.y(2) == \\
        a.y(3) != 1 < b in a is not b
    return x < 3 <= a
`,
  assigned: `
def f(a, b, c):
    if (x := a if b else c): pass
    while (y := a or b) and (z := not c): pass
    [w := a if b else v for v in c if (u := v)]
    a(t := b if c else a, k=(s := 1))
    return a[r := b], x, y, z, w, u, t, s, r, (q := lambda: a if b else c), q
`,
  stars: `
def f(a, k):
    z = *a, *k.values()
    z = *a.b, *k["c"], *k(1)
    z = [*(a or k), *a, *a.b, *[a]], {*a}, {**a, 'b': 1}, (*a, 1)
    f(*a or k, **a or k)
    f(*a if k else k)
    f(a, *k, z=1, *a, **k, y=2, **a)
    return *a, *k.values()
`,
  displays: `
def f(a, b): return (), (a,), (a), [], [a,], {}, {a}, {a: b}, {**a}, {a: b, **b, 'c': 1}, (a, b), ((a, b), c_), c_
c_ = 1
`,
  subscripts: `
def f(x): return x[1:2], x[::], x[1:], x[:1], x[::2], x[1,], x[()], x[1:2:3], x[a:=1], x[...], x[None:1], x[1, 2], a
`,
  withs: `
async def f(m, n):
    with m as (x): pass
    with m() as (x): x
    with (m) as x: x
    with (m() as x): x
    with (m, n): pass
    with (m): pass
    with (m, n) as x: pass
    with m as (a, b), n: a
    with m as [a, *b]: b
    with m as x.y, m as x[0]: pass
    with (m as x, n as y,): y
    with (m,): pass
    with (m), (n): pass
    async with m as x, n() as y: pass
`,
  matches: `
def f(x, A):
    match x,:
        case 1,: return 1
    match x, A:
        case _: pass
    match (x):
        case 1 | 'a' | None | True | -1 | 1.5 | -0.5 | b'x' | 'a' 'b': pass
        case A.b | A.b.c: pass
        case [a, b, *_]: a
        case (a, b): b
        case (a) if x: pass
        case a if (g := x): g
        case (a,): pass
        case a, *b: pass
        case [*a, b] if a: pass
        case {'a': 1, A.b: c, -1: d, None: e, **r}: c, d, e, r
        case {} | [] | () | A(): pass
        case A(1, a=2, b=A(h)) as y: y, h
        case A.m(z): z
        case [1, [2, w]] | [2, [1, w]]: w
        case (1 | 2) as z: pass
        case [(1 | 2) as z, 3]: pass
        case _: pass
    match = case = type = x
    match[case], match(type)
    return match
`,
  statements: `
def f(x, A, E):
    try: pass
    except (A, E): raise
    except A.b as e: raise x from e
    except: raise
    else: pass
    finally: pass
    for i, *j in x: break
    else: i, j
    for i in 1, *x: continue
    while x: continue
    else: pass
    assert x, 'y'
    assert (x, 'y')
    del (x), (i, j), [A, E], (f_, (g_, [h_]))
    del x.a, x[0], (x.b, x[1])
    if x: pass
    elif A: x
    elif E: A
    else: E
    x; A
    return
f_ = g_ = h_ = 1
`,
  assignments: `
def f(x):
    a = b = c = x
    a, (b, *c) = x
    [a, b] = x
    a, = x
    (a) = x
    ((a)) = (x.a) = x
    for (a) in x: pass
    for ((a), (b)), (c) in x: pass
    (a, b), c = x
    a: int = 1
    (a): int = 1
    x.a: int = 1
    a += 1; a @= 2; a //= 3; a **= 4; a >>= 5; a |= 6; a &= 7; a ^= 8; x.a += 1; x[0] -= 1
    x.a, x[0] = 1, 2
    a = *x, 1
    return a, b, c
`,
  generators: `
def f(x):
    a = yield
    b = yield 1, 2
    c = yield from f(x)
    a += yield x
    [(yield)]
    (yield)
    return (yield x), a, b, c
def g(x): return [y for y in [(yield x)]]
def h(x): return lambda: (yield x)
async def k(x):
    async for a in x: pass
    else: b = 1
    yield a, b
    return
async def l(x): return [a async for a in x if await a], {a: b async for a, b in x}, (await a for a in x), (c for c in await x), {d for d in await x}
`,
  functions: `
def f(a, /, b, *c, d, e=1, **g): return a, b, c, d, e, g
def h(*, a): return a
def i(a=1, /, b=f): return lambda x=lambda y: 1, *z, k=b, **w: (x, z, k, w, a)
async def j(): return lambda: 1, lambda *_: _
def k():
    @f(1)
    @f.x
    def l(): return l
    class C(f, *h, k=1): pass
    return l, C
`,
  scopes: `
x = 1
def f(a):
    x = a
    def g():
        nonlocal x
        global y
        x, y = 2, 3
        class Q:
            x = 3
            def m(self): return x, y, z, Q, open, self
            def x_(self): return [x for _ in self if x]
        return Q
    def z(): return g
    for i in a: pass
    import os, os.path as p, a.b
    from q import r as s, t
    try: pass
    except g as e: e
    return [x for x in x if x for y in x], {k: v for k, v in x}, (x for _ in z), [[y for y in x] for x in x], [(q := w) for w in x], q, i, os, p, s, t, y
def h(len): return len, print, [print for print in len], x
class D:
    def m(self, print=print): return print, D, __name__
    def n(self): return self.__p, D.__q__, self.__r.__s(__t=1)
`,
};

describe.skipIf(!hasReference)('every form', () => {
  it.each(Object.keys(FORMS))('%s', async (form) => {
    const [comparison] = await compareWithReference([{ text: FORMS[form]! }]);
    expect(comparison).toMatchObject({ refused: undefined, missing: [], differences: [] });
    expect(comparison!.agreed).toBeGreaterThan(0);
    expect(comparison!.unsupported.filter((reason) => !ALLOWED.test(reason))).toEqual([]);
  });
});

/** A class made with keywords is refused as a whole. */
const ALLOWED = /^metaclass|^unresolved-name: __name__/;

const NAMES = ['a', 'b', 'c', 'd'] as const;
const OPERATORS = ['+', '-', '*', '@', '/', '//', '%', '**', '<<', '>>', '&', '|', '^', 'and', 'or', '<', '<=', '==', '!=', 'in', 'is', 'not in', 'is not'];
const PREFIXES = ['', 'not '];

/** Expressions with few parentheses, where grouping shows. Not all are Python: the reference says which. */
const { expression } = fc.letrec<{ expression: string; operand: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 12, arbitrary: fc.constantFrom(...NAMES) },
    fc.constantFrom('1', '2.5', '"s"', 'None', '...', "f'{a!r:>{b}}{c}'", 'b"x"'),
    tie('expression').map((e) => `(${e})`),
    fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `(${x}, *${y})`),
    fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `a(${x}, *${y}, k=${x}, **${y})`),
    fc.tuple(tie('atom'), tie('expression')).map(([x, y]) => `${x}.m[${y}]`),
    fc.tuple(tie('expression'), tie('operand'), tie('operand')).map(([x, y, z]) => `[${x} for a, b in ${y} if ${z}]`),
    tie('expression').map((e) => `(w := ${e})`),
    tie('expression').map((e) => `(yield ${e})`),
    tie('expression').map((e) => `{${e}: ${e}, **a}`),
  ),
  operand: fc.tuple(fc.constantFrom('', '', '', '', '-', '~', 'await '), tie('atom')).map((words) => words.join('')),
  expression: fc
    .tuple(tie('operand'), fc.array(fc.tuple(fc.constantFrom(...OPERATORS), fc.constantFrom(...PREFIXES), tie('operand')), { maxLength: 4 }), fc.option(fc.tuple(tie('operand'), tie('operand')), { freq: 6 }), fc.boolean())
    .map(([first, more, condition, isLambda]) => {
      const flat = [first, ...more.map(([operator, prefix, operand]) => `${operator} ${/^(?:and|or)$/.test(operator) ? prefix : ''}${operand}`)].join(' ');
      const whole = condition === null ? flat : `${flat} if ${condition[0]} else ${condition[1]}`;
      return isLambda && more.length === 4 ? `lambda p, *q: ${whole}` : whole;
    }),
}));

describe.skipIf(!hasReference)('generated expressions', () => {
  it('are grouped as CPython groups them', async () => {
    const texts = fc.sample(expression, { numRuns: 1500, seed: 7 }).filter((text) => text.length < 300);
    const comparisons = await compareWithReference(texts.map((text) => ({ text: `async def f(a, b, c, d):\n    x = ${text}\n` })));
    const python = comparisons.filter(({ refused }) => refused === undefined);
    expect(python.length).toBeGreaterThan(200);
    expect(python.flatMap(({ differences }) => differences)).toEqual([]);
    expect(python.flatMap(({ unsupported }) => unsupported)).toEqual([]);
  });
});

const STANDARD_MODULES = ['argparse', 'ast', 'asyncio.base_events', 'contextlib', 'dataclasses', 'functools', 'inspect', 'json.decoder', 'pathlib', 'shutil', 'subprocess', 'urllib.parse'];

describe.skipIf(!hasReference)('the standard library', () => {
  it('is lowered as CPython reads it', async () => {
    const comparisons = await compareWithReference(STANDARD_MODULES.map((module) => ({ module })));
    expect(comparisons.length).toBeGreaterThan(STANDARD_MODULES.length / 2);
    expect(comparisons.flatMap(({ differences }) => differences)).toEqual([]);
    const agreed = comparisons.reduce((sum, comparison) => sum + comparison.agreed, 0);
    const missing = comparisons.reduce((sum, comparison) => sum + comparison.missing.length, 0);
    expect(agreed).toBeGreaterThan(500);
    // Definitions inside of conditions in class bodies, and classes in classes, are not lowered.
    expect(missing).toBeLessThan(agreed / 20);
  }, 60_000);
});
