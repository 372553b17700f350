/**
 * Handlers for mutation, in the forms that real servers have: options guarded by their dash, defaults in three places, loops
 * that refuse, cleanups, transactions, classes, coroutines. Each comes with the calls that tell its branches apart.
 */
import type { JsonObject } from '../../../src/base/canonical-json.js';

export interface Handler {
  readonly name: string;
  /** Top-level code with `act` in it, four spaces an indentation. */
  readonly module: string;
  readonly calls: readonly JsonObject[];
}

export const HANDLERS: readonly Handler[] = [
  {
    name: 'git',
    module: `from enum import Enum


class Commands(str, Enum):
    DIFF = "diff"
    ADD = "add"


LIMIT = 3


def git_diff(target, context_lines=LIMIT):
    if target.startswith("-"):
        raise ValueError("no options")
    words = [f"--unified={context_lines}", target]
    return cli.git(Commands.DIFF.value, *words)


def git_add(names):
    if names == ["."]:
        cli.git("add", ".")
    else:
        cli.git("add", "--", *names)
    return "added"


def act(arguments):
    match arguments["command"]:
        case Commands.DIFF:
            return git_diff(arguments["target"], arguments.get("context_lines", LIMIT))
        case Commands.ADD:
            return git_add(arguments["names"])
        case _:
            raise ValueError("unknown command")
`,
    calls: [
      { command: 'diff', target: 'main' },
      { command: 'diff', target: '-x' },
      { command: 'diff', target: '--output=x' },
      { command: 'diff', target: 'main', context_lines: 5 },
      { command: 'add', names: ['a', '-b'] },
      { command: 'add', names: ['.'] },
      { command: 'other' },
      {},
    ],
  },
  {
    name: 'create',
    module: `def create(name, private=True, description=None):
    if not name:
        raise ValueError("a name is needed")
    web.create(name, private=private)
    if description is not None:
        files.write(f"{name}/README", description)
    return name


def act(arguments):
    name = arguments["name"].strip()
    private = bool(arguments.get("private", True))
    owner = arguments.get("owner") or "team"
    full = owner + "/" + name if owner != "me" else name
    return create(full, private=private, description=arguments.get("description"))
`,
    calls: [
      { name: 'one' },
      { name: 'one', private: false },
      { name: 'one', private: null },
      { name: 'one', private: 'no' },
      { name: ' one ', owner: 'me' },
      { name: '', owner: 'me' },
      { name: 'one', description: 'text' },
      { name: 'one', owner: '' },
    ],
  },
  {
    name: 'remove',
    module: `def check_all(names):
    for name in names:
        if name.startswith("/") or ".." in name:
            raise ValueError(name)


def act(arguments):
    names = arguments["names"]
    check_all(names)
    removed = []
    for name in names:
        if name in removed:
            continue
        files.delete(name)
        removed.append(name)
        if len(removed) >= 2:
            break
    if arguments.get("log", False):
        files.write("log", ",".join(removed))
    return len(removed)
`,
    calls: [
      { names: ['a', 'b', 'c'] },
      { names: ['a', 'a', 'b'], log: true },
      { names: ['a', '/b'] },
      { names: ['a', '../b'] },
      { names: [] },
      { names: ['a'], log: true },
    ],
  },
  {
    name: 'sweep',
    module: `def act(arguments):
    folder = arguments["folder"]
    kept = 0
    try:
        files.check(folder)
        for entry in files.entries(folder):
            if entry.startswith("."):
                raise ValueError(entry)
            if entry.endswith(".keep"):
                kept += 1
                continue
            files.delete(f"{folder}/{entry}")
    except Refused:
        files.write("refusals", folder)
        raise
    finally:
        files.write("last", folder)
    return kept
`,
    calls: [{ folder: 'tmp' }, { folder: 'secret' }, {}],
  },
  {
    name: 'query',
    module: `def run(database, sql, readonly):
    if readonly:
        with database.snapshot():
            database.execute(sql)
    else:
        vault.require_encryption()
        database.execute(sql)


def act(arguments):
    sql = arguments["sql"].strip()
    words = sql.lower().split()
    readonly = len(words) == 0 or words[0] in ("select", "explain")
    database = db.connect("main")
    if env.setting("DEPOT_MODE") == "closed" and not readonly:
        raise ValueError("read-only")
    run(database, sql, readonly)
    return "done"
`,
    calls: [{ sql: 'SELECT 1' }, { sql: ' delete from t' }, { sql: 'explain x' }, { sql: '' }],
  },
  {
    name: 'store',
    module: `class Base:
    prefix = "data"

    def place(self, name):
        return f"{self.prefix}/{name}"

    def save(self, name, data):
        files.flaky_write(self.place(name), data)


class Locked(Base):
    prefix = "locked"

    def __init__(self, lock):
        self.lock = lock

    def save(self, name, data):
        if self.lock:
            vault.set_readonly(self.prefix)
        super().save(name, data)


def act(arguments):
    store = Locked(arguments.get("lock", True)) if arguments.get("locked") else Base()
    name = arguments["name"][:8]
    try:
        store.save(name, arguments.get("data", ""))
    except DepotError:
        files.delete(store.place(name))
        return "failed"
    return "saved"
`,
    calls: [{ name: 'one' }, { name: 'a-long-name', data: 'x' }, { name: 'one', locked: true }, { name: 'one', locked: true, lock: false }],
  },
  {
    name: 'fetch',
    module: `async def keep(path, body):
    await aio.write(path, body)
    return path


async def act(arguments):
    url = arguments["url"]
    if not url.startswith("https://"):
        raise ValueError("only https")
    follow = bool(arguments.get("follow"))
    text = web.get(url, follow=follow)
    target = arguments.get("target")
    if target is None:
        return "fetched"
    if files.exists(target) and not arguments.get("force", False):
        return "there is one"
    await keep(target, url)
    web.post("https://log", {"url": url, "target": target})
    return "kept"
`,
    calls: [
      { url: 'https://a' },
      { url: 'http://a' },
      { url: 'https://a', follow: true },
      { url: 'https://a', target: 't' },
      { url: 'https://a', target: 't', force: true },
    ],
  },
  {
    name: 'stamp',
    module: `def act(arguments):
    path = arguments["path"]
    real = files.realpath(path)
    stamp = clock.now()
    lines = [f"{stamp} {real}"]
    for tag in arguments.get("tags", [])[1:]:
        if tag != "skip":
            lines.append(tag)
    files.write(real, "; ".join(lines))
    after = files.realpath(path)
    if arguments.get("both", True) and after != real:
        files.write(after, stamp)
    return len(lines)
`,
    calls: [{ path: 'a' }, { path: 'a', tags: ['x', 'y', 'skip'] }, { path: 'a', both: false }],
  },
];

/** What the world may be like. */
export const WORLDS: readonly JsonObject[] = [
  {},
  { refused: ['secret', 'tmp'], exists: true, flaky: true },
  { entries: ['a', 'b.keep', 'c'], env: { DEPOT_MODE: 'open', DEPOT_TOKEN: 'SECRET' } },
  { entries: ['a', '.git', 'c'], env: { DEPOT_MODE: 'closed', DEPOT_TOKEN: 'SECRET' } },
  { entries: ['.git'], missing: ['a', 'tmp'], exists: true },
];
