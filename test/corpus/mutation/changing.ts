/** Operators that change what a handler does, for some call in some world; each gives every mutant that it can make. */
import { indented, substitutions, type Source } from './source.js';

export interface Operator {
  readonly name: string;
  readonly mutants: (source: Source) => readonly Source[];
}

const EFFECT = /\b(files\.(write|delete|flaky_write)|web\.(get|post|create)|cli\.git|cli\.run|database\.execute|aio\.write)\(/;
const COMPARISONS: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '>=': '>',
  '<': '<=',
  in: 'not in',
  'not in': 'in',
  and: 'or',
  or: 'and',
  is: 'is not',
  'is not': 'is',
};
const CALLEES: Readonly<Record<string, string>> = {
  'files.write': 'files.delete',
  'files.delete': 'files.write',
  'files.flaky_write': 'files.write',
  'web.get': 'web.post',
  'web.post': 'files.write',
  'files.check': 'files.exists',
  'super().save': 'self.place',
  startswith: 'endswith',
  endswith: 'startswith',
  'files.realpath': 'str',
  lower: 'upper',
  append: 'remove',
};

const escape = (text: string): string => text.replaceAll(/[.()]/g, String.raw`\$&`);
const blocks = (source: Source, head: RegExp): { at: number; end: number }[] => source.matching(head).map((at) => ({ at, end: source.endOf(at) }));

export const CHANGING: readonly Operator[] = [
  {
    name: 'flip a default',
    mutants: (s) => [
      ...substitutions(s, /(\.get\("\w+", |=)(True|False)\b/, (m) => m[1]! + (m[2] === 'True' ? 'False' : 'True')),
      ...substitutions(s, /(\.get\("\w+", )(""|\[\]|LIMIT)/, (m) => m[1]! + (m[2] === '[]' ? '["x", "y"]' : m[2] === '""' ? '"other"' : '9')),
    ],
  },
  { name: 'move a default', mutants: (s) => substitutions(s, /\.get\(("\w+"), [^()]+?\)/, (m) => `.get(${m[1]!})`) },
  {
    name: 'take a default out of a signature',
    mutants: (s) => substitutions(s, /(?<=def .*)(\w+)=(True|None|LIMIT)/, (m) => `${m[1]!}=${m[2] === 'True' ? 'False' : '"other"'}`),
  },
  {
    name: 'drop a guard',
    mutants: (s) =>
      blocks(s, /^ +if .*:$/).flatMap(({ at, end }) =>
        end === at + 2 && /^ *(raise|return|continue|break)/.test(s.lines[at + 1]!) ? [s.replace(at, end, [])] : [],
      ),
  },
  { name: 'negate a condition', mutants: (s) => substitutions(s, /(?<=^ *)(if|elif) (.+):$/, (m) => `${m[1]!} not (${m[2]!}):`) },
  { name: 'make a condition constant', mutants: (s) => substitutions(s, /(?<=^ *)if (.+):$/, () => 'if True:') },
  {
    name: 'swap a callee',
    mutants: (s) =>
      Object.entries(CALLEES).flatMap(([from, to]) =>
        substitutions(s, new RegExp(String.raw`(?<![\w.])${escape(from)}(?=\()|\.${escape(from)}(?=\()`), (m) => (m[0].startsWith('.') ? `.${to}` : to)),
      ),
  },
  {
    name: 'widen a destination',
    mutants: (s) =>
      substitutions(
        s,
        /(files\.(?:write|delete|flaky_write)|aio\.write|web\.get)\((\w[\w.]*(?:\([\w", ]*\))?|f"[^"]*"|"[^"]*")/,
        (m) => `${m[1]!}("/etc/" + str(${m[2]!})`,
      ),
  },
  {
    name: 'shadow a name',
    mutants: (s) =>
      s.matching(/^ +(\w+) = .*\S$/).map((at) => s.replace(at + 1, at + 1, [`${' '.repeat(s.indentOf(at))}${/^ +(\w+)/.exec(s.lines[at]!)![1]!} = "shadow"`])),
  },
  {
    name: 'shadow a module',
    mutants: (s) =>
      s
        .matching(/^ *(async )?def \w+/)
        .flatMap((at) =>
          ['files', 'cli', 'web']
            .filter((name) => s.lines.slice(at + 1, s.endOf(at)).some((line) => line.includes(`${name}.`)))
            .map((name) =>
              s
                .replace(at + 1, at + 1, [`${' '.repeat(s.indentOf(at) + 4)}${name} = Shadow()`])
                .replace(0, 0, [
                  'class Shadow:',
                  ...['write', 'delete', 'flaky_write', 'git', 'get', 'post', 'create', 'check', 'entries', 'exists', 'realpath'].flatMap((method) => [
                    `    def ${method}(self, *words, **options):`,
                    '        vault.set_readonly("x")',
                    '        db.connect("shadow").execute(str(words))',
                    '        return []',
                  ]),
                  '',
                  '',
                ]),
            ),
        ),
  },
  {
    name: 'wrap a function',
    mutants: (s) =>
      s
        .matching(/^def \w+\(/)
        .map((at) =>
          s.replace(at, at, [
            'def noisy(inner):',
            '    def outer(*args, **kwargs):',
            '        files.write("noise", "x")',
            '        return inner(*args, **kwargs)',
            '    return outer',
            '',
            '',
            '@noisy',
          ]),
        ),
  },
  {
    name: 'duplicate an effect',
    mutants: (s) =>
      s
        .simple()
        .filter((at) => EFFECT.test(s.lines[at]!))
        .map((at) => s.replace(at, at, [s.lines[at]!])),
  },
  {
    name: 'drop a statement',
    mutants: (s) =>
      s
        .simple()
        .filter((at) => !/^ *(return|from|import)/.test(s.lines[at]!))
        .map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}pass`)),
  },
  {
    name: 'reorder two statements',
    mutants: (s) =>
      s
        .simple()
        .filter((at) => s.simple().includes(at + 1) && s.indentOf(at) === s.indentOf(at + 1))
        .map((at) => s.replace(at, at + 2, [s.lines[at + 1]!, s.lines[at]!])),
  },
  { name: 'drop a protection', mutants: (s) => s.matching(/^ +vault\./).map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}pass`)) },
  { name: 'drop a context', mutants: (s) => blocks(s, /^ +with .*:$/).map(({ at, end }) => s.replace(at, end, indented(s.lines.slice(at + 1, end), -4))) },
  {
    name: 'swallow a throw',
    mutants: (s) =>
      s
        .simple()
        .filter((at) => !/^ *(return|break|continue|from|import)/.test(s.lines[at]!))
        .map((at) => {
          const pad = ' '.repeat(s.indentOf(at));
          return s.replace(at, at + 1, [`${pad}try:`, `    ${s.lines[at]!}`, `${pad}except Exception:`, `${pad}    pass`]);
        }),
  },
  { name: 'raise becomes pass', mutants: (s) => s.matching(/^ +raise\b/).map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}pass`)) },
  {
    name: 'raise becomes continue',
    mutants: (s) =>
      s
        .matching(/^ +raise\b/)
        .filter((at) => s.lines.slice(s.functionOf(at), at).some((line, k) => /^ +for /.test(line) && s.indentOf(s.functionOf(at) + k) < s.indentOf(at)))
        .map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}continue`)),
  },
  { name: 'continue and break', mutants: (s) => substitutions(s, /\b(continue|break)$/, (m) => (m[1] === 'break' ? 'continue' : 'break')) },
  {
    name: 'change an argument',
    mutants: (s) =>
      substitutions(s, /(?<=(?:write|delete|git|post|get|create|execute)\()("[^"]*"|\w+)(?=[,)])/, (m) =>
        m[1]!.startsWith('"') ? '"changed"' : `str(${m[1]!}) + "!"`,
      ),
  },
  { name: 'swap two arguments', mutants: (s) => substitutions(s, /\((\w+|"[^"]*"), (\w+|"[^"]*")\)/, (m) => `(${m[2]!}, ${m[1]!})`) },
  { name: 'drop an await', mutants: (s) => substitutions(s, /\bawait /, () => '') },
  {
    name: 'replace a constant',
    mutants: (s) => [
      ...substitutions(s, /(?<![\w."])(\d+)(?![\w."])/, (m) => String(Number(m[1]!) + 1)),
      ...substitutions(s, /"([\w./-]+)"/, (m) => `"${m[1]!}x"`),
    ],
  },
  { name: 'take the end of options away', mutants: (s) => substitutions(s, /"--", /, () => '') },
  {
    name: 'return the environment',
    mutants: (s) => s.matching(/^ +return .*$/).map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}return env.setting("DEPOT_TOKEN")`)),
  },
  {
    name: 'return what a file holds',
    mutants: (s) => s.matching(/^ +return .*$/).map((at) => s.edit(at, `${' '.repeat(s.indentOf(at))}return files.read("/etc/passwd")`)),
  },
  {
    name: 'change a comparison',
    mutants: (s) =>
      substitutions(s, /(?<= )(==|!=|>=|<|not in|in|and|or|is not|is)(?= )/, (m) => (/^ *(for|from|import)/.test(m.input) ? undefined : COMPARISONS[m[1]!])),
  },
  {
    name: 'slice off by one',
    mutants: (s) => [
      ...substitutions(s, /\[(\d*):(\d*)\]/, (m) => `[${m[1] === '' ? '1' : String(Number(m[1]) - 1)}:${m[2]!}]`),
      ...substitutions(s, /\[0\]/, () => '[-1]'),
    ],
  },
  { name: 'catch more', mutants: (s) => substitutions(s, /except (Refused|DepotError):/, () => 'except Exception:') },
  {
    name: 'catch less',
    mutants: (s) => substitutions(s, /except (Refused|DepotError):/, (m) => (m[1] === 'DepotError' ? 'except Refused:' : 'except Missing:')),
  },
  { name: 'add an effect', mutants: (s) => s.simple().map((at) => s.replace(at, at, [`${' '.repeat(s.indentOf(at))}files.write("added", "x")`])) },
  { name: 'finally becomes else', mutants: (s) => substitutions(s, /\bfinally:/, () => 'else:') },
  {
    name: 'read twice',
    mutants: (s) =>
      s.matching(/^ +(\w+) = files\.realpath\(.*\)$/).flatMap((at) => {
        const [, name, value] = /^ +(\w+) = (.*)$/.exec(s.lines[at]!)!;
        return s
          .matching(new RegExp(String.raw`files\.write\(${name!},`))
          .filter((use) => use > at)
          .map((use) => s.edit(use, s.lines[use]!.replace(`(${name!},`, `(${value!},`)));
      }),
  },
  {
    name: 'take an override away',
    mutants: (s) =>
      blocks(s, /^ {4}def \w+/)
        .filter(({ at }) => s.functionOf(at) < 0 || s.indentOf(at) === 4)
        .map(({ at, end }) => s.replace(at, end, ['    pass'])),
  },
];
