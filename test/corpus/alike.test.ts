/**
 * Pairs that look alike and are not, and pairs that look different and are the same: values and their equality, order of
 * evaluation, loops, exits, worlds, contexts. Each was written to find the kernel wrong.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/canonical-json.js';
import { decide, expectEqual, told, type ServerParts } from './harness.js';

type Row = readonly [title: string, source: ServerParts | string, target: ServerParts | string, call: JsonObject];

describe('not contained', () => {
  const rows: readonly Row[] = [
    ['aug-double', { top: 'def k():\n    files.write("k")\n    return 0', body: 'xs = [1]\nxs[k()] += 1' }, 'files.write("k")\nfiles.write("k")', {}],
    ['spread-order', 'd = {"p": "/a", **arguments}\nfiles.write(d["p"])', 'd = {**arguments, "p": "/a"}\nfiles.write(d["p"])', { p: 'x' }],
    [
      'arg-alias-append',
      'fs = arguments["files"]\nfs.append("evil")\nfor f in arguments["files"]:\n    files.delete(f)',
      'for f in arguments["files"]:\n    files.delete(f)',
      { files: ['a'] },
    ],
    ['arg-set', 'arguments["path"] = "/etc"\nfiles.write(arguments["path"], "x")', 'files.write(arguments["path"], "x")', { path: 'a' }],
    ['arg-pop', 'p = arguments.pop("path")\nfiles.write(arguments.get("path", "d"), "x")', 'files.write(arguments["path"], "x")', { path: 'a' }],
    [
      'arg-nested-alias',
      'o = arguments["data"]\no["p"] = "evil"\nfiles.write(arguments["data"]["p"])',
      'files.write(arguments["data"]["p"])',
      { data: { p: 'a' } },
    ],
    [
      'arg-elem-alias',
      'for o in arguments["files"]:\n    o["p"] = "evil"\nfor o in arguments["files"]:\n    files.write(o["p"])',
      'for o in arguments["files"]:\n    files.write(o["p"])',
      { files: [{ p: 'a' }] },
    ],
    [
      'bool-eq-int',
      'if arguments["n"] == 1:\n    files.write("a")',
      'if arguments["n"] is True:\n    raise ValueError()\nif arguments["n"] == 1:\n    files.write("a")\nelse:\n    files.write("b")',
      { n: 2 },
    ],
    ['nul-vs-missing', 'files.write(arguments.get("path", "d"))', 'files.write("d")', { path: null }],
    ['twice', 'files.write(arguments["path"], "x")', 'files.write(arguments["path"], "x")\nfiles.write(arguments["path"], "x")', { path: 'a' }],
    ['order', 'files.write("a")\nfiles.write("b")', 'files.write("b")\nfiles.write("a")', {}],
    [
      'loop-twice',
      'for f in arguments["files"]:\n    files.write(f)',
      'for f in arguments["files"]:\n    files.write(f)\n    files.write(f)',
      { files: ['a'] },
    ],
    [
      'loop-list-twice',
      'for f in arguments["files"]:\n    files.write(f)',
      'for f in arguments["files"] + arguments["files"]:\n    files.write(f)',
      { files: ['a'] },
    ],
    ['loop-reversed', 'for f in arguments["files"]:\n    files.write(f)', 'for f in reversed(arguments["files"]):\n    files.write(f)', { files: ['a', 'b'] }],
    ['loop-sorted', 'for f in arguments["files"]:\n    files.write(f)', 'for f in sorted(arguments["files"]):\n    files.write(f)', { files: ['b', 'a'] }],
    ['loop-set', 'for f in arguments["files"]:\n    files.write(f)', 'for f in set(arguments["files"]):\n    files.write(f)', { files: ['b', 'a', 'b'] }],
    ['loop-world-sorted', 'for f in files.entries("d"):\n    files.delete(f)', 'for f in sorted(files.entries("d")):\n    files.delete(f)', {}],
    ['loop-world-slice', 'for f in files.entries("d"):\n    files.delete(f)', 'for f in files.entries("d")[1:]:\n    files.delete(f)\nfiles.delete("k")', {}],
    [
      'loop-world-cond',
      'for f in files.entries("d"):\n    if f.startswith("x"):\n        files.delete(f)',
      'for f in files.entries("d"):\n    files.delete(f)',
      {},
    ],
    ['loop-world-break', 'for f in files.entries("d"):\n    files.delete(f)\n    break', 'for f in files.entries("d"):\n    files.delete(f)', {}],
    [
      'loop-world-raise-continue',
      'for f in files.entries("d"):\n    if f.startswith("-"):\n        raise ValueError(f)\n    files.delete(f)',
      'for f in files.entries("d"):\n    if f.startswith("-"):\n        continue\n    files.delete(f)',
      {},
    ],
    [
      'loop-world-preraise',
      'for f in files.entries("d"):\n    if f.startswith("-"):\n        raise ValueError(f)\nfor f in files.entries("d"):\n    files.delete(f)',
      'for f in files.entries("d"):\n    if f.startswith("-"):\n        continue\nfor f in files.entries("d"):\n    files.delete(f)',
      {},
    ],
    ['loop-else', 'for f in arguments["files"]:\n    if f == "x":\n        break\nelse:\n    files.write("a")', 'files.write("a")', { files: ['x'] }],
    [
      'loop-world-mutate',
      'fs = files.entries("d")\nfor f in fs:\n    files.delete(f)',
      'fs = files.entries("d")\nfor f in fs:\n    files.delete(f)\n    fs.remove(f)',
      {},
    ],
    [
      'loop-carried',
      'prev = "a"\nfor f in files.entries("d"):\n    files.write(prev)\n    prev = f',
      'prev = "b"\nfor f in files.entries("d"):\n    files.write(prev)\n    prev = f',
      {},
    ],
    [
      'loop-after-world',
      'r = files.realpath("p")\nfor f in files.entries("d"):\n    files.delete(f)\nfiles.write(r)',
      'for f in files.entries("d"):\n    files.delete(f)\nr = files.realpath("p")\nfiles.write(r)',
      {},
    ],
    [
      'loop-in-world',
      'r = files.realpath("p")\nfor f in files.entries("d"):\n    files.write(f, r)',
      'for f in files.entries("d"):\n    files.write(f, files.realpath("p"))',
      {},
    ],
    ['while', 'n = 0\nwhile n < 3:\n    files.write("a")\n    n += 1', 'n = 0\nwhile n < 4:\n    files.write("a")\n    n += 1', {}],
    [
      'finally-effect',
      'try:\n    files.check(arguments["path"])\nfinally:\n    pass',
      'try:\n    files.check(arguments["path"])\nfinally:\n    files.write("a")',
      { path: 'a' },
    ],
    [
      'except-order',
      'try:\n    files.check(arguments["path"])\nexcept DepotError:\n    raise\nexcept Refused:\n    files.write("a")',
      'try:\n    files.check(arguments["path"])\nexcept Refused:\n    files.write("a")\nexcept DepotError:\n    raise',
      { path: 'a' },
    ],
    ['except-write', 'try:\n    files.check(arguments["path"])\nexcept Refused:\n    files.write("a")', 'files.write("a")', { path: 'a' }],
    ['except-unbinds', 'e = "k"\ntry:\n    raise ValueError("x")\nexcept ValueError as e:\n    pass\nfiles.write(e)', 'files.write("k")', {}],
    ['else-not-caught', 'try:\n    pass\nexcept ValueError:\n    files.write("b")\nelse:\n    raise ValueError()', 'files.write("b")', {}],
    [
      'toctou',
      'r = files.realpath(arguments["path"])\nfiles.write("k")\nfiles.write(r)',
      'files.write("k")\nr = files.realpath(arguments["path"])\nfiles.write(r)',
      { path: 'a' },
    ],
    ['fresh', 't = clock.now()\nfiles.write(t)\nfiles.write(t)', 'files.write(clock.now())\nfiles.write(clock.now())', {}],
    ['str-list-spread', 'cli.git("add", arguments["files"])', 'cli.git("add", *arguments["files"])', { files: 'ab' }],
    ['sliced-argv', 'cli.run(["git", "add", "--", *arguments["files"]])', 'cli.run(["git", "add", *arguments["files"]])', { files: ['-x'] }],
    ['ctx-dropped', 'd = db.connect("x")\nwith d.snapshot():\n    d.execute("q")', 'd = db.connect("x")\nd.execute("q")', {}],
    ['ctx-early', 'd = db.connect("x")\nwith d.snapshot():\n    d.execute("q")', 'd = db.connect("x")\nwith d.snapshot():\n    pass\nd.execute("q")', {}],
    [
      'ctx-other-db',
      'd = db.connect("x")\ne = db.connect("y")\nwith d.snapshot():\n    d.execute("q")',
      'd = db.connect("x")\ne = db.connect("y")\nwith e.snapshot():\n    d.execute("q")',
      {},
    ],
    ['prot-dropped', 'vault.require_encryption()\nfiles.write("a")', 'files.write("a")', {}],
    ['prot-later', 'vault.require_encryption()\nfiles.write("a")', 'files.write("a")\nvault.require_encryption()', {}],
    ['prot-cond', 'vault.require_encryption()\nfiles.write("a")', 'if arguments.get("n"):\n    vault.require_encryption()\nfiles.write("a")', {}],
    ['disclose-env', 'return "ok"', 'return env.setting("DEPOT_TOKEN")', {}],
    ['disclose-env-raise', 'raise ValueError("x")', 'raise ValueError(env.setting("DEPOT_TOKEN"))', {}],
    ['disclose-branch', 'return "ok"', 'if env.setting("DEPOT_TOKEN") == arguments.get("n"):\n    return "ok"\nreturn "no"', {}],
    ['disclose-file', 'return "ok"', 'return files.read("/etc/passwd")', {}],
    ['disclose-len', 'return "ok"', 'return len(files.read("/etc/passwd"))', {}],
    [
      'field-unset',
      { top: 'class G:\n    def __init__(self, n):\n        if n:\n            self.p = "a"', body: 'files.write(G(arguments.get("n")).p)' },
      'files.write("a")',
      { n: 0 },
    ],
    [
      'fresh-loop',
      'clock.now()\nt = clock.now()\nfor f in files.entries("d"):\n    files.write(f, t)',
      'for f in files.entries("d"):\n    files.write(f, clock.now())',
      {},
    ],
    [
      'fresh-loop2',
      't = clock.now()\nfor f in files.entries("d"):\n    files.write(f, t)',
      'for f in files.entries("d"):\n    files.write(f, clock.now())',
      {},
    ],
    ['fresh-loop-after', 't = ""\nfor f in files.entries("d"):\n    t = clock.now()\nfiles.write(t)\n', 't = clock.now()\nfiles.write(t)', {}],
    ['exc-cause-order', 'try:\n    files.flaky_write("a")\nexcept DepotError:\n    files.delete("a")', 'files.flaky_write("a")\nfiles.delete("a")', {}],
    [
      'with-exit-swallow2',
      'raise ValueError()',
      {
        top: 'class S:\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        return True',
        body: 'with S():\n    raise ValueError()\nfiles.write("a")',
      },
      {},
    ],
    [
      'suppress',
      'files.check(arguments["path"])\nfiles.write("a")',
      { top: 'import contextlib', body: 'with contextlib.suppress(Refused):\n    files.check(arguments["path"])\nfiles.write("a")' },
      { path: 'a' },
    ],
    [
      'ctxmgr-throw',
      { top: 'import contextlib\n@contextlib.contextmanager\ndef c():\n    yield 1\n    files.write("z")', body: 'with c():\n    raise ValueError()' },
      'files.write("z")',
      {},
    ],
    ['kwargs-order', 'web.create("r", private=arguments.get("private", True))', 'web.create("r", private=arguments.get("private", False))', {}],
    ['private-null', 'web.create("r", private=True)', 'web.create("r", private=arguments.get("private"))', {}],
    ['missing-typeerr', 'files.write()', 'files.write("a")', {}],
    ['int-str-float', 'files.write(f"{arguments["n"]}")', 'files.write("1")', { n: 1.5 }],
    ['percent', 'files.write("%s" % arguments["path"])', 'files.write(arguments["path"])', { path: ['a'] }],
    [
      'strip-bom',
      'if arguments["path"].strip().startswith("-"):\n    raise ValueError()\nfiles.write(arguments["path"])',
      'files.write(arguments["path"] + "")\nfiles.write("b")',
      { path: '﻿-a' },
    ],
    ['del-arg', 'del arguments["path"]\nfiles.write(arguments["path"])', 'files.write(arguments["path"])', { path: 'a' }],
    ['dup-kw', 'files.write(path="a", **arguments)', 'files.write("a")', { path: 'b' }],
    [
      'guard-world',
      'files.check(arguments["path"])\nfiles.write("k")',
      'files.check(arguments["path"])\nfiles.write("k")\ntry:\n    files.check(arguments["path"])\nexcept Refused:\n    files.delete("evil")',
      { path: 'a' },
    ],
    [
      'guard-world-s',
      'files.write("k")\nfiles.check(arguments["path"])\nfiles.write("z")',
      'files.check(arguments["path"])\nfiles.write("k")\nfiles.write("z")',
      { path: 'a' },
    ],
  ];
  test.each(rows)('%s', async (_title, source, target, call) => {
    const decision = await decide(source, target, call);
    expect(['changed', 'escalated'], told(decision)).toContain(decision.verdict);
    expect(
      decision.reasons.some(({ span }) => span?.file === 'depot_server/server.py'),
      told(decision),
    ).toBe(true);
  });
});

describe('equal', () => {
  const rows: readonly Row[] = [
    ['aug-single', { top: 'def k():\n    files.write("k")\n    return 0', body: 'xs = [1]\nxs[k()] += 1\nreturn 1' }, 'files.write("k")\nreturn 1', {}],
    [
      'chain-compare',
      { top: 'def k():\n    files.write("k")\n    return 5', body: 'if 1 < k() < 9:\n    files.write("z")' },
      'files.write("k")\nfiles.write("z")',
      {},
    ],
    ['true-eq-1', 'if arguments["n"] == 1:\n    files.write("a")', 'files.write("a")', { n: true }],
    ['float-eq-1', 'if arguments["n"] == 1:\n    files.write("a")', 'files.write("a")', { n: 1 }],
    ['in-true', 'if arguments["n"] in [1]:\n    files.write("a")', 'files.write("a")', { n: true }],
    ['dict-key-true', 'd = {1: "a"}\nfiles.write(d[arguments["n"]])', 'files.write("a")', { n: true }],
    ['match-true', 'match arguments["n"]:\n    case 1:\n        files.write("a")\n    case _:\n        files.write("b")', 'files.write("a")', { n: true }],
    [
      'match-literal-true',
      'match arguments["n"]:\n    case True:\n        files.write("a")\n    case _:\n        files.write("b")',
      'files.write("b")',
      { n: 1 },
    ],
    ['is-true-int', 'if arguments["n"] is True:\n    files.write("a")', 'pass', { n: 1 }],
    ['isinstance-bool-int', 'if isinstance(arguments["n"], int):\n    files.write("a")', 'files.write("a")', { n: true }],
    ['astral-slice', 'files.write(arguments["path"][:1])', 'files.write(arguments["data"])', { path: '😀b', data: '😀' }],
    ['astral-len', 'if len(arguments["path"]) == 1:\n    files.write("a")', 'files.write("a")', { path: '😀' }],
    ['neg-index', 'files.write(arguments["path"][-1])', 'files.write("c")', { path: 'abc' }],
    ['or-empty', 'files.write(arguments.get("path") or "d")', 'files.write("d")', { path: '' }],
    ['or-zero', 'files.write(arguments.get("path") or "d")', 'files.write("d")', { path: 0 }],
    ['loop-else2', 'for f in arguments["files"]:\n    if f == "x":\n        break\nelse:\n    files.write("a")', 'files.write("a")', { files: ['y'] }],
    ['loop-var-after', 'for f in arguments["files"]:\n    pass\nfiles.write(f)', 'files.write("b")', { files: ['a', 'b'] }],
    ['finally-swallow', 'def g():\n    try:\n        raise ValueError()\n    finally:\n        return 1\ng()\nfiles.write("a")', 'files.write("a")', {}],
    ['except-local', 'e = "k"\ntry:\n    raise ValueError("x")\nexcept ValueError as e:\n    pass\nfiles.write("a")', 'files.write("a")', {}],
    ['try-else', 'try:\n    pass\nexcept ValueError:\n    files.write("b")\nelse:\n    files.write("a")', 'files.write("a")', {}],
    [
      'field-set',
      { top: 'class G:\n    def __init__(self, n):\n        if n:\n            self.p = "a"', body: 'files.write(G(arguments.get("n")).p)\nreturn 1' },
      'files.write("a")\nreturn 1',
      { n: 1 },
    ],
    [
      'field-class-default',
      { top: 'class G:\n    p = "b"\n    def __init__(self, n):\n        if n:\n            self.p = "a"', body: 'files.write(G(arguments.get("n")).p)' },
      'files.write("b")',
      { n: 0 },
    ],
    ['exc-args', 'try:\n    raise ValueError("a")\nexcept ValueError as e:\n    files.write(e.args[0])', 'files.write("a")', {}],
    ['args-method', { top: 'class G:\n    def args(self):\n        files.write("a")', body: 'G().args()' }, 'files.write("a")', {}],
    [
      'dataclass',
      { top: 'from dataclasses import dataclass\n@dataclass\nclass G:\n    p: str\n    q: str = "x"', body: 'g = G(arguments["path"])\nfiles.write(g.p, g.q)' },
      'files.write(arguments["path"], "x")',
      { path: 'a' },
    ],
    [
      'enum',
      { top: 'from enum import Enum\nclass E(str, Enum):\n    A = "a"\n    B = "b"', body: 'files.write(E(arguments["path"]).value)' },
      'files.write(arguments["path"])',
      { path: 'a' },
    ],
    [
      'fresh-loop-same',
      'for f in files.entries("d"):\n    files.write(f, clock.now())',
      'for g in files.entries("d"):\n    t = clock.now()\n    files.write(g, t)',
      {},
    ],
    ['local-dict', 'd = {}\nd["p"] = arguments["path"]\nfiles.write(d["p"])', 'files.write(arguments["path"])', { path: 'a' }],
    [
      'helper-append',
      { top: 'def add(l, x):\n    l.append(x)', body: 'l = []\nadd(l, arguments["path"])\nfiles.write(l[0])\nreturn 1' },
      'files.write(arguments["path"])\nreturn 1',
      { path: 'a' },
    ],
    [
      'ctxmgr-finally',
      {
        top: 'import contextlib\n@contextlib.contextmanager\ndef c():\n    try:\n        yield 1\n    finally:\n        files.write("z")',
        body: 'with c():\n    files.write("a")',
      },
      'files.write("a")\nfiles.write("z")',
      {},
    ],
    ['private-default', 'web.create("r", private=arguments.get("private", True))', 'web.create("r")', {}],
    ['big', 'files.write(str(arguments["n"] + 1))', 'files.write("9007199254740993")', { n: 9007199254740992 }],
    ['sub-list-in', 'if "a" in arguments["files"]:\n    files.write("x")\nreturn 1', 'files.write("x")\nreturn 1', { files: 'cab' }],
    ['startswith-tuple', 'if arguments["path"].startswith(("-", "+")):\n    raise ValueError()\nfiles.write("x")', 'raise ValueError()', { path: '+a' }],
    [
      'strip-dash',
      'if arguments["path"].strip().startswith("-"):\n    raise ValueError()\nfiles.write(arguments["path"])',
      'raise ValueError()',
      { path: ' -a' },
    ],
    ['exists-walrus-ternary', 'x = arguments["path"] if (k := arguments.get("n")) else "d"\nfiles.write(x)', 'files.write("d")', { path: 'a' }],
    ['star-kw', 'files.write(**{"path": "a"})', 'files.write("a")', {}],
  ];
  test.each(rows)('%s', async (_title, source, target, call) => {
    expectEqual(await decide(source, target, call));
  });
});

describe('narrower', () => {
  const rows: readonly Row[] = [
    ['ctx-added', 'd = db.connect("x")\nd.execute("q")', 'd = db.connect("x")\nwith d.snapshot():\n    d.execute("q")', {}],
    ['prot-added', 'files.write("a")', 'vault.require_encryption()\nfiles.write("a")', {}],
  ];
  test.each(rows)('%s', async (_title, source, target, call) => {
    const decision = await decide(source, target, call);
    expect(decision.verdict, told(decision)).toBe('narrower');
  });
});
