/** Every operation on constants gives what CPython gives, or stays undecided; it never gives anything else. */
import { describe, expect, it } from 'vitest';
import { fromJson, newMachine, runFunction, toPlain } from './run-python.js';
import { askReference, hasReference, type ReferenceCase } from './reference.js';

const TEXTS = [
  '""',
  '"a"',
  '"-x"',
  '"abcabc"',
  '" a b  c "',
  '"a,b,,c"',
  '"Ab1"',
  '"12"',
  '"-7"',
  '" 1_0 "',
  '"0x1f"',
  '"1.5"',
  '"1e3"',
  '"x\\ny\\r\\nz"',
  '"\\t"',
  '"é"',
  '"aXbXc"',
  '"aaa"',
  '"007"',
  '"+5"',
  '"_"',
  '"{}"',
  '"%s"',
  '"\\u2028z"',
  '"😀b"',
  '"it\'s \\"q\\""',
  '"."',
  '"/a/../b"',
];
const NUMBERS = ['0', '1', '-1', '2', '3', '7', '-3', '10', '1.0', '0.5', '-2.5', '1e20', '9007199254740991', '0.0', '1e-7', '123456789.125'];
const OTHERS = [
  'null',
  'true',
  'false',
  '[]',
  '[1, 2, 3]',
  '["a", "b"]',
  '["."]',
  '[[1], [1.0]]',
  '{}',
  '{"a": 1}',
  '{"b": [1], "a": null}',
  '["b", "a", "c"]',
  '[3, 1, 2]',
  '[null]',
  '[true, 1]',
  '[0, "", []]',
];
const ALL = [...TEXTS, ...NUMBERS, ...OTHERS];
const SMALL = ['0', '1', '2', '-1', '-2', '5', 'true', '"a"', 'null', '1.0'];

interface Operation {
  readonly body: string;
  readonly pools: readonly (readonly string[])[];
  /** Fewest results that must be decided. */
  readonly decided: number;
}
const op = (body: string, pools: readonly (readonly string[])[], decided = 1): Operation => ({ body, pools, decided });

const OPERATIONS: readonly Operation[] = [
  op('a == b', [ALL, ALL]),
  op('a != b', [ALL, ALL]),
  op('a in b', [ALL, ALL], 0.99),
  op('a not in b', [ALL, ALL], 0.99),
  op('a + b', [ALL, ALL], 0.95),
  op('a - b', [ALL, ALL], 0.95),
  op('a * b', [ALL, SMALL], 0.9),
  op('a / b', [ALL, NUMBERS], 0.9),
  op('a // b', [NUMBERS, NUMBERS], 0.3),
  op('a % b', [NUMBERS, NUMBERS], 0.3),
  op('a < b', [ALL, ALL], 0.95),
  op('a <= b', [ALL, ALL], 0.95),
  op('a > b', [ALL, ALL], 0.95),
  op('a & b', [SMALL, SMALL]),
  op('a | b', [OTHERS, OTHERS]),
  op('a is b', [
    ['null', 'true', 'false'],
    ['null', 'true', 'false', '[]', '"a"', '1'],
  ]),
  op('not a', [ALL]),
  op('bool(a)', [ALL]),
  op('a and b', [ALL, SMALL]),
  op('a or b', [ALL, SMALL]),
  op('-a', [ALL], 0.9),
  op('+a', [NUMBERS]),
  op('~a', [SMALL]),
  op('len(a)', [ALL]),
  op('str(a)', [ALL], 0.75),
  op('f"<{a}>"', [ALL], 0.7),
  op('f"{a!r}"', [ALL], 0.6),
  op('repr(a)', [[...TEXTS, ...NUMBERS]], 0.7),
  op('f"{a:>6}|{a:<4}|{a:^5}"', [[...TEXTS, '1', '-12', '7']], 0.9),
  op('f"{a:05d} {a:,} {a:x} {a:+d}"', [['0', '1', '-1', '1234567', '-45', '255']]),
  op('"%s-%s" % (a, b)', [SMALL, SMALL]),
  op('"{} {x!r}".format(a, x=b)', [SMALL, SMALL]),
  op('int(a)', [ALL], 0.95),
  op('int(a, 16)', [TEXTS], 0.85),
  op('int(a, 0)', [TEXTS], 0.85),
  op('float(a)', [ALL], 0.95),
  op('a[b]', [ALL, SMALL], 0.95),
  op('a[0]', [ALL]),
  op('a["a"]', [ALL]),
  op('a[1:]', [ALL]),
  op('a[:-1]', [ALL]),
  op('a[::-1]', [ALL]),
  op('a[-2:5:2]', [ALL]),
  op('list(a)', [ALL]),
  op('tuple(a)', [OTHERS]),
  op('sorted(a)', [OTHERS], 0.8),
  op('sorted(a, reverse=True)', [['[3, 1, 2]', '["b", "a"]', '[]', '[2, 1.5, true]']]),
  op('sorted(a, key=lambda v: -v)', [['[3, 1, 2]', '[]']]),
  op('list(reversed(a))', [['[1, 2]', '[]', '"ab"']]),
  op('list(enumerate(a, 1))', [OTHERS]),
  op('list(zip(a, b))', [
    ['[1, 2]', '"ab"', '[]'],
    ['[1, 2, 3]', '"x"'],
  ]),
  op('[x for x in a if x]', [OTHERS]),
  op('{x: 1 for x in a}', [['["a", "b", "a"]', '"aba"', '[1, true]', '[[]]']]),
  op('{x for x in a}', [['["a", "b", "a"]', '"ab"']]),
  op('any(a)', [OTHERS]),
  op('all(a)', [OTHERS]),
  op('any(x == 1 for x in a)', [OTHERS]),
  op('next((x for x in a if x), None)', [OTHERS]),
  op('sum(a)', [['[1, 2]', '[]', '[1.5, 2]']]),
  op('min(a)', [['[2, 1]', '["b", "a"]', '[]']]),
  op('max(a, b)', [NUMBERS, NUMBERS], 0.9),
  op('isinstance(a, str)', [ALL]),
  op('isinstance(a, (int, list))', [ALL]),
  op('isinstance(a, bool) or isinstance(a, dict)', [ALL]),
  op('a.get("a", b)', [['{}', '{"a": 1}', '[]', 'null', '"x"'], SMALL]),
  op('[a.startswith(b), a.endswith(b)]', [TEXTS, TEXTS]),
  op('a.startswith(("-", "a"))', [TEXTS]),
  op('[a.strip(), a.lstrip(), a.rstrip()]', [TEXTS]),
  op('[a.strip(b), a.lstrip(b), a.rstrip(b)]', [TEXTS, TEXTS]),
  op('[a.split(), a.rsplit()]', [TEXTS]),
  op('[a.split(b), a.rsplit(b)]', [TEXTS, TEXTS.filter((t) => t !== '""')]),
  op('[a.split(b, 1), a.rsplit(b, 1), a.split(None, 1), a.rsplit(None, 1)]', [TEXTS, ['","', '"a"', '"X"', '" "']]),
  op('[a.splitlines(), a.splitlines(True)]', [TEXTS]),
  op('[a.partition(b), a.rpartition(b)]', [TEXTS, ['","', '"a"', '"aa"', '"X"']]),
  op('[a.replace(b, "zz"), a.replace("a", b, 1)]', [TEXTS, TEXTS]),
  op('[a.find(b), a.rfind(b), a.count(b)]', [TEXTS, TEXTS], 0.85),
  op('[a.removeprefix(b), a.removesuffix(b)]', [TEXTS, TEXTS]),
  op('[a.lower(), a.upper(), a.title(), a.swapcase(), a.capitalize(), a.casefold()]', [TEXTS], 0.85),
  op('[a.isdigit(), a.isalpha(), a.isalnum(), a.isspace(), a.islower(), a.isupper(), a.isidentifier()]', [TEXTS], 0.85),
  op('[a.zfill(b), a.ljust(b), a.rjust(b), a.center(b)]', [TEXTS, ['0', '3', '4', '9']]),
  op('a.join(b)', [TEXTS, OTHERS]),
  op('a.nothing', [ALL]),
];

const HELPERS = `
def list_methods(a, b):
    c = list(a)
    d = c
    c.append(b)
    c += [1]
    c.extend("xy")
    c.insert(1, b)
    e = c.pop()
    c.remove(1)
    f = c.copy()
    c.reverse()
    return [c, d, e, f, c.index(b), c.count(b), c is d]
def dict_methods(a, b):
    c = dict(a)
    c["k"] = b
    c.setdefault("a", 9)
    d = c.pop("zz", None)
    e = {**c, "q": 1}
    e.update({"a": b}, r=2)
    del e["k"]
    c |= {"new": 0}
    return [c, d, e, list(c.keys()), list(c.values()), list(c.items()), c == e, "k" in e]
def set_methods(a, b):
    s = set(a)
    s.add("n")
    s.discard("zz")
    t = s | {"q"}
    return [len(s), "n" in s, sorted(t & {"a", "b", "n", "q"}), s <= s if False else 1, sorted(t - {"n", "a"})]
def unpacking(a, b):
    x, *y = a
    return [x, y]
def aliasing(a, b):
    c = [[]] * 2
    c[0].append(b)
    d = (1,)
    e = d
    d += (2,)
    return [c, d, e]
def nested(a, b):
    r = []
    for i, x in enumerate(a):
        if x == b:
            break
        r.append((i, x))
    else:
        r.append("none")
    return r
def closures(a, b):
    def add(x, *rest, k=b, **more):
        return [x, rest, k, more]
    return [add(1), add(*a), add(1, k=2, z=3)]
`;
const HELPER_CASES: readonly [string, readonly string[], readonly string[]][] = [
  ['list_methods', ['[]', '[1, 2]', '"ab"', '[null]', '[[1]]'], ['null', '"b"', '1', '[1]']],
  ['dict_methods', ['{}', '{"a": 1}', '{"k": 1, "b": 2}'], ['null', '"b"', '[1]']],
  ['set_methods', ['[]', '["a", "b"]', '"aab"'], ['1']],
  ['unpacking', ['[]', '[1]', '[1, 2, 3]', '"ab"', '1', 'null'], ['1']],
  ['aliasing', ['1'], ['1', '"x"']],
  ['nested', ['[]', '[1, 2, 3]', '"abc"'], ['1', '2', '"c"']],
  ['closures', ['[1]', '[1, 2, 3]', '[]', '"ab"'], ['1', 'null']],
];

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (key === 'float') return [key, Number.isNaN(Number(inner)) ? hexFloat(String(inner)) : String(Number(inner))];
    if (key === 'set' && Array.isArray(inner))
      return [
        key,
        inner
          .map((item) => (typeof item === 'string' && item.startsWith('{') ? item : JSON.stringify(canonical(item))))
          .map((item) => (item.startsWith('"\\"') ? (JSON.parse(item) as string) : item))
          .sort(),
      ];
    return [key, canonical(inner)];
  });
  return Object.fromEntries(entries);
}

/** `float.hex()` text as a number's decimal text. */
function hexFloat(text: string): string {
  const match = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, whole, fraction, exponent] = match;
  const value = (Number.parseInt(`${whole}${fraction}`, 16) / 16 ** fraction!.length) * 2 ** Number(exponent);
  return String(sign === '-' ? -value : value);
}

function combinations(pools: readonly (readonly string[])[], limit: number): string[][] {
  let out: string[][] = [[]];
  for (const pool of pools) out = out.flatMap((head) => pool.map((value) => [...head, value]));
  if (out.length <= limit) return out;
  // A stride that is coprime to the size spreads the sample over all pairs.
  return Array.from({ length: limit }, (_, at) => out[(at * 7919) % out.length]!);
}

describe.skipIf(!hasReference)('against CPython', () => {
  const programs = [...OPERATIONS.map((operation) => `def f(a, b=None):\n    return ${operation.body}\n`), HELPERS];
  const jobs = [
    ...OPERATIONS.map((operation, program) => ({
      program,
      function: 'f',
      name: operation.body,
      decided: operation.decided,
      cases: combinations(operation.pools, 500),
    })),
    ...HELPER_CASES.map(([name, first, second]) => ({
      program: OPERATIONS.length,
      function: name,
      name,
      decided: 1,
      cases: combinations([first, second], 500),
    })),
  ];
  const cases: ReferenceCase[] = jobs.flatMap((job) => job.cases.map((args) => ({ program: job.program, function: job.function, arguments: args })));
  const expected = hasReference ? askReference(programs, cases) : [];
  let offset = 0;
  for (const job of jobs) {
    const from = offset;
    offset += job.cases.length;
    it(job.name, async () => {
      let decided = 0;
      const undecided: string[] = [];
      const machine = await newMachine(programs[job.program]!);
      for (const [at, args] of job.cases.entries()) {
        const reference = expected[from + at]!;
        const ran = runFunction(machine, job.function, (m) => args.map((arg) => fromJson(m, arg)));
        const label = `${job.name} with ${args.join(' and ')}`;
        if (ran.stops.length > 0) {
          undecided.push(`${label}: ${ran.stops[0]!.message}`);
          continue;
        }
        if (ran.returnsWhen === 1) {
          const value = toPlain(ran.store, ran.returned!);
          if (value === undefined) {
            undecided.push(label);
            continue;
          }
          expect('value' in reference ? { [label]: canonical(reference.value) } : reference).toEqual({ [label]: canonical(value) });
        } else if (ran.throwsWhen === 1) {
          const thrown = ran.machine.object(ran.thrown!);
          const type = thrown?.kind === 'instance' ? ran.store.term(thrown.class) : undefined;
          const name = type?.kind === 'external' ? type.identity.replace('py:builtins#', '') : JSON.stringify(ran.store.term(ran.thrown!));
          expect({ [label]: 'error' in reference ? reference.error : reference }).toEqual({ [label]: name });
        } else {
          undecided.push(`${label}: open condition`);
          continue;
        }
        decided += 1;
      }
      expect(decided / job.cases.length, undecided.slice(0, 8).join('\n')).toBeGreaterThanOrEqual(job.decided);
    });
  }
});
