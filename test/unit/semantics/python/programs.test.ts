/** Classes, enums, dataclasses and symbolic arguments through frontend and evaluator. */
import { describe, expect, it } from 'vitest';
import { askReference, hasReference } from './reference.js';
import { argumentsOf, fromJson, newMachine, runFunction, runPython, toPlain } from './run-python.js';

const CLASSES = `
import contextlib
import enum
import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum, auto
class Tool(str, Enum):
    STATUS = "git_status"
    LOG = "git_log"
    ALIAS = "git_log"
class Plain(Enum):
    A = auto()
    B = auto()
class Text(StrEnum):
    ONE_TWO = auto()
class Level(IntEnum):
    LOW = 1
    HIGH = 2
@dataclass
class Point:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
    def shifted(self, by=1):
        return Point(self.x + by, self.y)
class Base(ABC):
    kind = "base"
    def __init__(self, name, *rest):
        self.name = name
        self.rest = rest
    @property
    def title(self):
        return self.name.upper()
    @staticmethod
    def twice(v):
        return v * 2
    @classmethod
    def make(cls, v):
        return cls(v)
    @abstractmethod
    def run(self): ...
class Child(Base):
    kind = "child"
    def __init__(self, name):
        super().__init__(name, 1)
        self.extra = [name]
    def run(self):
        return [self.kind, self.title, self.twice(2), self.rest, self.extra]
    def __len__(self):
        return len(self.name)
class Problem(ValueError):
    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code
def enums(a, b):
    return [Tool.STATUS == a, a == Tool.LOG, Tool(a).name if a in [t.value for t in Tool] else "none", f"{Tool.LOG}", str(Tool.LOG), Tool.LOG.value, f"{Text.ONE_TWO}", Text.ONE_TWO.value, Plain.B.value, Plain.A == 1, Level.LOW < Level.HIGH, Level.HIGH + 1, f"{Level.LOW}", Tool.ALIAS is Tool.LOG, Tool["LOG"] is Tool.LOG, len(Tool), isinstance(Tool.LOG, str), Tool.LOG.startswith("git"), a in {t.value for t in Tool}, Tool.LOG in (a, b), Tool.LOG.name, "-".join([Tool.LOG, "x"]), Tool.LOG + "!", bool(Plain.A), {"git_log": 1}.get(Tool.LOG)]
def lookup(a, b):
    return Tool(a).name
def data(a, b):
    p = Point(a)
    q = p.shifted(by=b)
    p.tags.append(a)
    return [p.x, p.y, p.tags, q.x, q.tags, p == Point(a, 2, [a]), p == q, p != a, Point(1, 2) == Point(1, y=2)]
def classes(a, b):
    c = Child(a)
    d = Child.make(b)
    return [c.run(), d.name, len(c), bool(c), isinstance(c, Base), isinstance(a, Base), hasattr(c, "extra"), hasattr(c, "nope"), getattr(c, "nope", 5), issubclass(Child, Base), Child.kind, c == c, c == d]
def errors(a, b):
    try:
        if a:
            raise Problem(a, b)
        return "fine"
    except ValueError as e:
        return [str(e), e.code, isinstance(e, Problem), f"{e}", isinstance(e, KeyError)]
def caught(a, b):
    out = []
    for f in (lambda: a["x"], lambda: a[5], lambda: int(a), lambda: a.nope, lambda: a + 1):
        try:
            out.append(f())
        except (KeyError, IndexError):
            out.append("lookup")
        except TypeError:
            out.append("type")
        except Exception as e:
            out.append("other")
    return out
def logged(f):
    @functools.wraps(f)
    def inner(*args, **kw):
        return [f(*args, **kw)]
    return inner
@logged
def decorated(a, b=3):
    return [a, b]
def wrapped(a, b):
    return [decorated(a), decorated(a, b=b), functools.partial(decorated, a)(b), functools.partial(decorated, b=1)(a)]
def suppressed(a, b):
    out = []
    with contextlib.suppress(KeyError, IndexError):
        out.append("before")
        out.append(a["x"])
        out.append("after")
    return out
def generators(a, b):
    def gen(xs):
        for x in xs:
            if x == b:
                return
            yield x
            yield [x]
    return [list(gen(a)), next(gen(a), None), sum(1 for _ in gen(a)), any(x == b for x in gen(a)), list(map(lambda v: [v], a)), list(filter(None, a)), dict(zip(a, a)), max((len(str(x)) for x in a), default=0)]
`;
const CASES: readonly [string, readonly [string, string][]][] = [
  [
    'enums',
    [
      ['"git_status"', '"git_log"'],
      ['"git_log"', '1'],
      ['"x"', 'null'],
      ['1', '2'],
    ],
  ],
  [
    'lookup',
    [
      ['"git_status"', '1'],
      ['"nope"', '1'],
      ['1', '1'],
    ],
  ],
  [
    'data',
    [
      ['1', '2'],
      ['5', '-1'],
    ],
  ],
  [
    'classes',
    [
      ['"ab"', '"c"'],
      ['""', '"x"'],
    ],
  ],
  [
    'errors',
    [
      ['"x"', '1'],
      ['""', '2'],
      ['3', '"y"'],
    ],
  ],
  [
    'caught',
    [
      ['{"x": 1}', '0'],
      ['[1]', '0'],
      ['"12"', '0'],
      ['null', '0'],
      ['3', '0'],
    ],
  ],
  ['wrapped', [['1', '2']]],
  [
    'suppressed',
    [
      ['{"x": 1}', '0'],
      ['{}', '0'],
      ['[]', '0'],
    ],
  ],
  [
    'generators',
    [
      ['["a", "b", "c"]', '"c"'],
      ['[]', '1'],
      ['["q"]', '"q"'],
    ],
  ],
];

describe.skipIf(!hasReference)('programs against CPython', () => {
  for (const [name, cases] of CASES) {
    it(name, async () => {
      const expected = askReference(
        [CLASSES],
        cases.map((args) => ({ program: 0, function: name, arguments: args })),
      );
      for (const [at, args] of cases.entries()) {
        const ran = runFunction(await newMachine(CLASSES), name, (m) => args.map((arg) => fromJson(m, arg)));
        expect(ran.stops, args.join()).toEqual([]);
        const result = expected[at]!;
        if ('error' in result) {
          expect(ran.throwsWhen).toBe(1);
          expect(JSON.stringify(ran.store.term((ran.machine.object(ran.thrown!) as { class: number }).class))).toContain(result.error);
        } else expect({ args, value: toPlain(ran.store, ran.returned!) }).toEqual({ args, value: result.value });
      }
    });
  }
});

describe('open arguments', () => {
  it('split by presence and type, exactly', async () => {
    const ran = await runPython(
      'def f(arguments):\n    t = arguments.get("target", "HEAD")\n    if t.startswith("-"):\n        raise ValueError("bad")\n    return t\n',
      'f',
      (m) => [argumentsOf(m)],
    );
    const { store, machine } = ran;
    const { guards } = store;
    const t = store.intern({ kind: 'argument', path: ['target'] });
    const has = machine.has(['target']);
    const isText = machine.hasType(t, 'string');
    const dash = machine.textTest('text.startsWith', [t, store.string('-')]);
    expect(ran.stops).toEqual([]);
    expect(ran.returnsWhen).toBe(guards.or(guards.not(has), guards.and(isText, guards.not(dash))));
    expect(ran.throwsWhen).toBe(guards.not(ran.returnsWhen));
  });

  it('say of a missing key that it throws', async () => {
    const ran = await runPython('def f(arguments):\n    return arguments["a"]\n', 'f', (m) => [argumentsOf(m)]);
    expect(ran.returnsWhen).toBe(ran.machine.has(['a']));
    expect(ran.throwsWhen).toBe(ran.store.guards.not(ran.machine.has(['a'])));
  });

  it('are true by their type', async () => {
    const ran = await runPython('def f(arguments):\n    return bool(arguments["a"])\n', 'f', (m) => [argumentsOf(m)]);
    const { store, machine } = ran;
    const term = store.term(ran.returned!);
    const a = store.intern({ kind: 'argument', path: ['a'] });
    expect(term.kind).toBe('conditional');
    const truth = term.kind === 'conditional' ? (term.then === store.true ? term.when : store.guards.not(term.when)) : 0;
    const under = store.guards.and(machine.has(['a']), machine.hasType(a, 'string'));
    const onlyText = store.guards.all(
      ['null', 'boolean', 'integer', 'float', 'array', 'object'].map((type) => store.guards.not(machine.hasType(a, type as 'null'))),
    );
    const care = store.guards.and(under, onlyText);
    // Among texts that equal neither true nor a number, truth is not being empty.
    const plain = store.guards.and(care, store.guards.not(machine.equal(a, store.true)));
    expect(store.guards.and(plain, truth)).toBe(store.guards.and(plain, store.guards.not(machine.textTest('text.isEmpty', [a]))));
  });

  it('keep a comparison with a list of texts as one equality', async () => {
    const ran = await runPython('def f(arguments):\n    return arguments["files"] == ["."]\n', 'f', (m) => [argumentsOf(m)]);
    const { store, machine } = ran;
    const files = store.intern({ kind: 'argument', path: ['files'] });
    const term = store.term(ran.returned!);
    const list = machine.freeze(fromJson(machine, '["."]'));
    const equal = machine.equal(files, list);
    expect(term).toEqual({ kind: 'conditional', when: expect.any(Number), then: expect.any(Number), otherwise: expect.any(Number) });
    if (term.kind === 'conditional')
      expect([store.guards.implies(machine.has(['files']), store.guards.xor(term.when, term.then === store.true ? equal : store.guards.not(equal)))]).toEqual([
        store.guards.not(machine.has(['files'])),
      ]);
  });

  it('stop rather than guess', async () => {
    const stopsOf = async (body: string): Promise<string[]> => [
      ...new Set((await runPython(`def f(arguments):\n    ${body}\n`, 'f', (m) => [argumentsOf(m)])).stops.map((stop) => stop.code)),
    ];
    expect(await stopsOf('return arguments["a"] is arguments["b"]')).toEqual(['unsupported-operation']);
    expect(await stopsOf('arguments["a"].append(1)')).toEqual(['unsupported-operation']);
    expect(await stopsOf('return getattr(arguments, arguments["a"])')).toEqual(['dynamic-name']);
    expect(await stopsOf('return sorted(arguments["a"], key=len)')).toEqual(['unsupported-operation']);
    expect(await stopsOf('return "%d" % arguments["a"]')).toEqual(['unsupported-operation']);
  });
});
