/**
 * The numbered counterexamples that a naive kernel certifies. Each pair must not be contained for the call that it harms,
 * with a code and a source position; its innocent twin, which looks as suspicious, must be found equal.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { literalOf } from '../../src/analysis/literal.js';
import type { JsonObject } from '../../src/base/canonical-json.js';
import { evaluatePredicate } from '../../src/compatibility/evaluate-predicate.js';
import type { CallDecision } from '../../src/compatibility/verdict.js';
import { Pairs } from '../../src/pipeline/pair.js';
import { Session } from '../../src/pipeline/session.js';
import { decide, expectEqual, expectRefused, FOLDER, pair, server, told, type Release } from './harness.js';

const PATH = { path: 'a.txt' };
const WRITE = 'files.write(arguments["path"], "x")';

describe('count, order and context', () => {
  test('1. the same effect performed twice', async () => {
    expectRefused(await decide(WRITE, `${WRITE}\n${WRITE}`, PATH), 'changed', 'count-or-order', 'effect-added');
    expectEqual(await decide(WRITE, `path = arguments["path"]\nif path or not path:\n    files.write(path, "x")`, PATH));
  });

  test('2. two effects in another order', async () => {
    const both = (first: string, second: string): string => `files.${first}(arguments["path"])\nfiles.${second}(arguments["path"])`;
    expectRefused(await decide(both('delete', 'write'), both('write', 'delete'), PATH), 'changed', 'count-or-order');
    expectEqual(
      await decide(both('delete', 'write'), `def second(path):\n    files.write(path)\nfiles.delete(arguments["path"])\nsecond(arguments["path"])`, PATH),
    );
  });

  test('3. a read-only transaction dropped', async () => {
    const plain = 'database = db.connect("main")\ndatabase.execute(arguments["path"])';
    const covered = 'database = db.connect("main")\nwith database.snapshot():\n    database.execute(arguments["path"])';
    expectRefused(await decide(covered, plain, PATH), 'changed', 'protection-dropped', 'context-changed');
    expectRefused(
      await decide(covered, 'database = db.connect("main")\nwith database.snapshot():\n    pass\ndatabase.execute(arguments["path"])', PATH),
      'changed',
      'protection-dropped',
      'context-changed',
    );
    expectRefused(
      await decide(covered, 'database = db.connect("main")\nwith db.connect("other").snapshot():\n    database.execute(arguments["path"])', PATH),
      'changed',
      'protection-dropped',
      'context-changed',
    );
    expectEqual(
      await decide(
        covered,
        'database = db.connect("main")\nsnapshot = database.snapshot()\nwith snapshot as inside:\n    return database.execute(arguments["path"])',
        PATH,
      ),
    );
    const widened = await decide(plain, covered, PATH);
    expect(widened.verdict, told(widened)).toBe('narrower');
  });

  test('4. encryption no longer required, a read-only lock no longer set', async () => {
    for (const protection of ['vault.require_encryption()', 'vault.set_readonly("store")']) {
      expectRefused(await decide(`${protection}\n${WRITE}`, WRITE, PATH), 'changed', 'protection-dropped');
      expectRefused(await decide(`${protection}\n${WRITE}`, `${WRITE}\n${protection}`, PATH), 'changed', 'protection-dropped');
      expectRefused(await decide(`${protection}\n${WRITE}`, `if arguments.get("n"):\n    ${protection}\n${WRITE}`, PATH), 'changed', 'protection-dropped');
      expectEqual(await decide(`${protection}\n${WRITE}`, `def protect():\n    ${protection}\nprotect()\n${WRITE}`, PATH));
    }
  });
});

describe('refusals', () => {
  test('5. a write only where a check fails becomes a write always', async () => {
    const source = 'try:\n    files.check(arguments["path"])\nexcept Refused:\n    files.write(arguments["path"], "x")';
    expectRefused(await decide(source, WRITE, PATH), 'either', 'condition-widened', 'world-fact');
    expectRefused(await decide(source, WRITE, PATH, { 'path-is-refused': false }), 'changed', 'condition-widened', 'effect-added');
    expectEqual(
      await decide(
        source,
        'refused = False\ntry:\n    files.check(arguments["path"])\nexcept Refused:\n    refused = True\nif refused:\n    files.write(arguments["path"], "x")',
        PATH,
      ),
    );
  });

  test('6. a raise in a loop over a list turned into continue', async () => {
    const loop = (over: string, refusal: string): string => `for name in ${over}:\n    if name.startswith("-"):\n        ${refusal}\n    files.delete(name)`;
    const given = 'arguments["files"]';
    expectRefused(
      await decide(loop(given, 'raise ValueError(name)'), loop(given, 'continue'), { files: ['-x', 'b'] }),
      'changed',
      'effect-added',
      'condition-widened',
      'context-changed',
    );
    expectRefused(
      await decide(loop('files.entries("d")', 'raise ValueError(name)'), loop('files.entries("d")', 'continue'), {}),
      'either',
      'effect-added',
      'condition-widened',
      'context-changed',
      'world-fact',
    );
    expectEqual(await decide(loop(given, 'raise ValueError(name)'), loop(given, 'continue'), { files: ['a', 'b'] }));
    expectEqual(
      await decide(
        loop('files.entries("d")', 'continue'),
        'for entry in files.entries("d"):\n    if not entry.startswith("-"):\n        files.delete(entry)',
        {},
      ),
    );
  });

  test('10. a throw after the effect, a throw caught by its own try, locals of the wrong activation', async () => {
    expectRefused(
      await decide(
        'if arguments.get("n"):\n    raise ValueError("no")\nfiles.write("a")',
        'files.write("a")\nif arguments.get("n"):\n    raise ValueError("no")',
        { n: 1 },
      ),
      'changed',
      'effect-added',
      'condition-widened',
    );
    const caught =
      'try:\n    if arguments["path"].startswith("-"):\n        raise ValueError("no")\nexcept ValueError:\n    pass\nfiles.write(arguments["path"], "x")';
    expectRefused(
      await decide(`if arguments["path"].startswith("-"):\n    raise ValueError("no")\n${WRITE}`, caught, { path: '-a' }),
      'changed',
      'effect-added',
      'condition-widened',
    );
    const activation = (inner: string): { top: string; body: string } => ({
      top: `def helper(path):\n    path = ${inner}\n    raise ValueError(path)`,
      body: 'path = arguments["path"]\ntry:\n    helper(path)\nexcept ValueError:\n    files.write(path, "x")',
    });
    expectEqual(await decide(activation('"/etc"'), activation('"/tmp"'), PATH));
    expectRefused(
      await decide(
        activation('"/etc"'),
        { ...activation('"/etc"'), body: 'path = arguments["path"]\ntry:\n    helper(path)\nexcept ValueError as error:\n    files.write(error.args[0], "x")' },
        PATH,
      ),
      'changed',
      'dimension-changed',
      'effect-added',
    );
  });

  test('16. a change in exception text that a caller inspects', async () => {
    const inspecting = (text: string): { top: string; body: string } => ({
      top: `def check(path):\n    raise ValueError("${text}")`,
      body: 'try:\n    check(arguments["path"])\nexcept ValueError as error:\n    if "outside" in str(error):\n        raise\n    files.write(arguments["path"], "x")',
    });
    expectRefused(await decide(inspecting('path is outside'), inspecting('path is not inside'), PATH), 'changed', 'effect-added', 'condition-widened');
    expectEqual(await decide(inspecting('path is outside'), inspecting('path lies outside'), PATH));
  });
});

describe('worlds, versions and inputs', () => {
  test('7. a path resolved before and after a write taken for one value', async () => {
    expectRefused(
      await decide(
        'real = files.realpath(arguments["path"])\nfiles.write("other")\nfiles.write(real)',
        'files.write("other")\nfiles.write(files.realpath(arguments["path"]))',
        PATH,
      ),
      'changed',
      'dimension-changed',
      'effect-added',
    );
    expectRefused(
      await decide(
        'real = files.realpath(arguments["path"])\nfor name in files.entries("d"):\n    files.write(name, real)',
        'for name in files.entries("d"):\n    files.write(name, files.realpath(arguments["path"]))',
        PATH,
      ),
      'changed',
      'dimension-changed',
      'effect-added',
      'context-changed',
    );
    expectEqual(
      await decide(
        'real = files.realpath(arguments["path"])\nfiles.write(real)\nfiles.write(real)',
        'real = files.realpath(arguments["path"])\nfiles.write(files.realpath(arguments["path"]))\nfiles.write(real)',
        PATH,
      ),
    );
  });

  test('8. the same callee under two dependency versions', async () => {
    const release = (body: string, version: string): Release => ({ ...server(body), dependencies: { depot: version } });
    const resolved = 'files.write(net.resolve(arguments["path"]), "x")';
    for (const body of ['net.send(arguments["path"])', resolved]) {
      expectRefused(await decide(release(body, '1.0'), release(body, '2.0'), PATH), 'changed', 'dimension-changed', 'effect-added');
      expectEqual(await decide(release(body, '1.0'), release(body, '1.9'), PATH));
    }
  });

  test('9. the same release with a setting bound on one side only', async () => {
    const release = (inputs: Record<string, string | null>): Release => ({
      ...server('if env.setting("DEPOT_MODE") == "open":\n    files.write(arguments["path"], "x")'),
      inputs,
    });
    expectRefused(await decide(release({ 'env:DEPOT_MODE': 'closed' }), release({}), PATH), 'either', 'condition-widened', 'effect-added', 'world-fact');
    expectRefused(await decide(release({}), release({ 'env:DEPOT_MODE': 'open' }), PATH), 'either', 'condition-widened', 'effect-added', 'world-fact');
    expectEqual(await decide(release({}), release({}), PATH));
    expectEqual(await decide(release({ 'env:DEPOT_MODE': 'closed' }), release({ 'env:DEPOT_MODE': null }), PATH));
  });

  test('18. only a lock file changed', async () => {
    const folders = mkdtempSync(join(tmpdir(), 'fcd-corpus-'));
    try {
      const release = (name: string, version: string): string => {
        const files = {
          ...server('net.send(arguments["path"])').files,
          'pyproject.toml': '[project]\nname = "depot-server"\nversion = "1.0.0"\ndependencies = ["depot>=1", "mcp>=1"]\n',
          'requirements.txt': `depot==${version}\nmcp==1.2.0\n`,
        };
        for (const [path, text] of Object.entries(files)) {
          mkdirSync(dirname(join(folders, name, path)), { recursive: true });
          writeFileSync(join(folders, name, path), text);
        }
        return join(folders, name);
      };
      const session = new Session({ profilesFolder: FOLDER, cacheDir: join(folders, 'cache'), offline: true });
      const decided = async (source: string, target: string): Promise<CallDecision> => {
        const [from, to] = [await session.open(source), await session.open(target)];
        const profile = session.profiles.applicable(to.packages, to.label)[0]!;
        return (
          await new Pairs(session).decide(
            { source: from, target: to, profile, inputs: { source: new Map(), target: new Map() }, shortcut: true },
            literalOf(PATH),
            new Map(),
          )
        ).decision;
      };
      const old = release('old', '1.0');
      expectRefused(await decided(old, release('new', '2.0')), 'changed', 'dimension-changed', 'effect-added');
      expectEqual(await decided(old, release('same', '1.0')));
    } finally {
      rmSync(folders, { recursive: true, force: true });
    }
  });

  test('19. only an input changed', async () => {
    const release = (mode: string): Release => ({ ...server('files.write(arguments["path"], env.setting("DEPOT_MODE"))'), inputs: { 'env:DEPOT_MODE': mode } });
    expectRefused(await decide(release('one'), release('two'), PATH), 'changed', 'dimension-changed', 'effect-added');
    expectEqual(await decide(release('one'), release('one'), PATH));
  });
});

describe('names, sources and shapes', () => {
  test('11. a function rebound at the end, a library attribute replaced, a decorator', async () => {
    const commit = 'def commit(path):\n    files.write(path, "x")\ndef reset(path):\n    files.delete(path)';
    const body = 'commit(arguments["path"])';
    expectRefused(await decide({ top: commit, body }, { top: commit, body, bottom: 'commit = reset' }, PATH), 'escalated', 'rebound-name');
    expectRefused(await decide({ top: commit, body }, { top: commit, body, bottom: 'files.write = files.delete' }, PATH), 'escalated', 'monkey-patched');
    expectRefused(
      await decide({ top: commit, body }, { top: `import plug\n${commit.replace('def commit', '@plug.wrap\ndef commit')}`, body }, PATH),
      'escalated',
      'unreviewed-callee',
    );
    expectEqual(
      await decide(
        { top: commit, body },
        {
          top: `import functools\ndef wrap(inner):\n    @functools.wraps(inner)\n    def outer(path):\n        return inner(path)\n    return outer\n${commit.replace('def commit', '@wrap\ndef commit')}`,
          body,
        },
        PATH,
      ),
    );
    expectEqual(await decide({ top: commit, body }, { top: commit, body, bottom: 'other_name = reset' }, PATH));
  });

  test('12. the environment returned in the result', async () => {
    expectRefused(await decide('return "done"', 'return env.setting("DEPOT_TOKEN")', {}), 'changed', 'disclosure-added');
    expectRefused(await decide('raise ValueError("no")', 'raise ValueError(f"no {env.setting(\'DEPOT_TOKEN\')}")', {}), 'changed', 'disclosure-added');
    expectRefused(
      await decide('return "done"', 'return "done" if env.setting("DEPOT_TOKEN") == arguments.get("n") else "no"', {}),
      'changed',
      'disclosure-added',
    );
    expectEqual(await decide('return "done"', 'return f"done with {arguments}"', {}));
  });

  test('13. what a handler reads is changed by another handler', async () => {
    const variable = (change: string): { top: string; body: string; handlers: string } => ({
      top: 'LOCKED = True\ndef unlock():\n    global LOCKED\n    LOCKED = False',
      body: `if LOCKED:\n    raise ValueError("locked")\n${WRITE}`,
      handlers: `@server.list_prompts()\nasync def list_prompts():\n    ${change}\n    return []`,
    });
    expectRefused(await decide('raise ValueError("locked")', variable('unlock()'), PATH), 'escalated', 'module-state', 'shared-state');
    const object = (change: string): { setup: string; top: string; body: string; handlers: string } => ({
      top: 'STATE = {"locked": True}',
      setup: '',
      body: `if STATE["locked"]:\n    raise ValueError("locked")\n${WRITE}`,
      handlers: `@server.list_prompts()\nasync def list_prompts():\n    ${change}\n    return []`,
    });
    for (const change of ['STATE["locked"] = False', 'STATE.update(locked=False)', 'STATE.clear()', 'other = STATE\n    other["locked"] = False']) {
      expectRefused(await decide('raise ValueError("locked")', object(change), PATH), 'escalated', 'module-state', 'shared-state');
    }
    expectEqual(await decide('raise ValueError("locked")', object('len(STATE)'), PATH));
  });

  test('14. a list where a model assumed text', async () => {
    const guarded = (guard: string): string => `target = arguments["target"]\nif ${guard}:\n    raise ValueError("no options")\ncli.git("diff", target)`;
    const [source, target] = [guarded('target.startswith("-")'), guarded('isinstance(target, str) and target.startswith("-")')];
    expectRefused(await decide(source, target, { target: ['--output=x'] }), 'changed', 'effect-added', 'condition-widened');
    expectRefused(await decide(source, guarded('str(target).startswith("-")'), { target: ['--output=x'] }), 'changed', 'effect-added', 'condition-widened');
    expectEqual(await decide(source, target, { target: 'main' }));
    expectEqual(await decide(source, target, { target: '-x' }));
  });

  test('15. conditions over what is not there: forms, and predicates over calls', async () => {
    const tidy = 'files.tidy(arguments.get("path"))';
    expectRefused(await decide('pass', tidy, {}), 'changed', 'effect-added');
    expectEqual(await decide(tidy, 'files.delete(arguments.get("path"))', {}));
    const together = await pair(
      server(`if str(arguments.get("path")).startswith("-"):\n    raise ValueError("no")\nfiles.write("a")`),
      server('path = arguments.get("path")\nif isinstance(path, str) and path.startswith("-"):\n    raise ValueError("no")\nfiles.write("a")'),
    );
    const report = together.report();
    const calls: JsonObject[] = [{}, { path: null }, { path: '-a' }, { path: 'a' }, { path: ['-a'] }, { path: -1 }, { path: 1 }];
    for (const call of calls) {
      const decision = together.decide(call);
      for (const [predicate, holds] of [
        [report.equalWhen, decision.verdict === 'equal'],
        [report.containedWhen, decision.verdict === 'equal' || decision.verdict === 'narrower'],
      ] as const) {
        if (predicate.kind !== 'predicate') throw new Error(predicate.reason);
        const { kind } = evaluatePredicate(predicate.text, { args: call, source: new Map(), target: new Map() });
        const message = `${predicate.text} for ${JSON.stringify(call)}`;
        if (!holds) expect(kind, message).toBe('not-captured');
        else if (predicate.exact) expect(kind, message).toBe('captured');
      }
    }
    expectRefused(together.decide({ path: -1 }), 'changed', 'effect-added', 'condition-widened');
    expectEqual(together.decide({}));
  });

  test('17. a pure helper edited in another file', async () => {
    const release = (helper: string): Release =>
      server({ top: 'from depot_server.paths import place', body: 'files.write(place(arguments["path"]), "x")', files: { 'depot_server/paths.py': helper } });
    const source = release('def place(path):\n    return "/srv/" + path\n');
    expectRefused(await decide(source, release('def place(path):\n    return "/" + path\n'), PATH), 'changed', 'dimension-changed', 'effect-added');
    expectEqual(
      await decide(source, release('ROOT = "/srv"\n\n\ndef place(name: str) -> str:\n    """Where it lies."""\n    return f"{ROOT}/{name}"\n'), PATH),
    );
  });

  test('20. an effect-free looking task that writes', async () => {
    const coroutine = 'import asyncio\nasync def later(path):\n    files.write(path, "x")';
    for (const start of [
      'asyncio.create_task(later(arguments["path"]))',
      'asyncio.ensure_future(later(arguments["path"]))',
      'asyncio.get_event_loop().call_soon(files.write, "a", "x")',
    ]) {
      expectRefused(await decide('return "done"', { top: coroutine, body: `${start}\nreturn "done"` }, PATH), 'escalated', 'unreviewed-callee', 'spawned');
    }
    // A coroutine that nobody awaits does not run.
    expectEqual(await decide('return "done"', { top: coroutine, body: 'later(arguments["path"])\nreturn "done"' }, PATH));
    expectRefused(await decide({ top: coroutine, body: 'later(arguments["path"])' }, WRITE, PATH), 'changed', 'effect-added');
  });
});
