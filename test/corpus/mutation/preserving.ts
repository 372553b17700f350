/**
 * Operators that change the text of a handler and not what it does. `digest` says that the design promises equal semantic
 * digests; the others must be found equal for every call.
 */
import { indented, Source } from './source.js';
import { substitutions } from './source.js';
import type { Files } from '../harness.js';

export interface Rewritten {
  readonly module: string;
  readonly files?: Files;
  /** Left to differ where the values are no text. */
  readonly textOnly?: boolean;
}
export interface PreservingOperator {
  readonly name: string;
  readonly digest: boolean;
  readonly rewrites: (module: string) => readonly Rewritten[];
}

const of = (sources: readonly Source[]): Rewritten[] => sources.map(({ text }) => ({ module: text }));
const word = (name: string): RegExp => new RegExp(String.raw`(?<![\w."'])${name}(?![\w"'])`, 'g');
/** Also in the expressions of f-strings, never in other text. */
const renamed = (text: string, from: string, to: string): string =>
  text.replaceAll(/f"[^"]*"|"[^"]*"|(?:(?!f")[^"])+/g, (part) =>
    part.startsWith('"')
      ? part
      : part.startsWith('f"')
        ? part.replaceAll(/\{([^}]*)\}/g, (_all, inner: string) => `{${inner.replaceAll(word(from), to)}}`)
        : part.replaceAll(word(from), to),
  );
const unique = (names: readonly string[]): string[] => [...new Set(names)];
const capture = (text: string, pattern: RegExp): string[] => unique([...text.matchAll(pattern)].map((match) => match[1]!));

/** Bodies of if and else swapped under the negated condition. */
function swapped(source: Source): Source[] {
  return source.matching(/^ +if .*:$/).flatMap((at) => {
    const end = source.endOf(at);
    if (source.lines[end]?.trim() !== 'else:' || source.indentOf(end) !== source.indentOf(at)) return [];
    const last = source.endOf(end);
    const pad = ' '.repeat(source.indentOf(at));
    const condition = /if (.*):$/.exec(source.lines[at]!)![1]!;
    return [
      source.replace(at, last, [`${pad}if not (${condition}):`, ...source.lines.slice(end + 1, last), `${pad}else:`, ...source.lines.slice(at + 1, end)]),
    ];
  });
}

/** What follows an early exit goes into an else branch. */
function intoElse(source: Source): Source[] {
  return source.matching(/^ +if .*:$/).flatMap((at) => {
    const end = source.endOf(at);
    if (!/^ *(return|raise)\b/.test(source.lines[end - 1]!) || /^ *(else|elif)\b/.test(source.lines[end] ?? '')) return [];
    let last = end;
    while (last < source.lines.length && source.lines[last]!.trim() !== '' && source.indentOf(last) >= source.indentOf(at)) last += 1;
    if (last === end) return [];
    const pad = ' '.repeat(source.indentOf(at));
    return [source.replace(end, last, [`${pad}else:`, ...indented(source.lines.slice(end, last), 4)])];
  });
}

/** One statement moved into a function of its own, with the local names that it reads as parameters. */
function extracted(source: Source): Source[] {
  const statements = source.matching(/^ +(files|web|cli|database)\.\w+\(.*\)$/);
  return statements.flatMap((at) => {
    const head = source.functionOf(at);
    if (head < 0 || source.indentOf(head) > 0) return [];
    const line = source.lines[at]!.trim();
    const inside = source.lines.slice(head, at).join('\n');
    const locals = unique([
      ...capture(inside, /(?:^|\n) +(\w+) = /g),
      ...capture(inside, /for (\w+) in/g),
      ...inside
        .split('\n')[0]!
        .replace(/^.*\(|\).*$/g, '')
        .split(',')
        .map((part) => part.split('=')[0]!.trim()),
    ]).filter((name) => name !== '' && renamed(line, name, '\u0000') !== line);
    const call = source.edit(at, `${' '.repeat(source.indentOf(at))}extracted_step(${locals.join(', ')})`);
    return [call.replace(head, head, [`def extracted_step(${locals.join(', ')}):`, `    ${line}`, '', ''])];
  });
}

function ternary(source: Source): Source[] {
  return source.matching(/^ +\w+ = .+ if .+ else .+$/).map((at) => {
    const [, pad, name, then, test, otherwise] = /^( +)(\w+) = (.+) if (.+) else (.+)$/.exec(source.lines[at]!)!;
    return source.replace(at, at + 1, [`${pad!}if ${test!}:`, `${pad!}    ${name!} = ${then!}`, `${pad!}else:`, `${pad!}    ${name!} = ${otherwise!}`]);
  });
}

/** Two adjacent assignments that do nothing but look at arguments. */
function reordered(source: Source): Source[] {
  const pure = /^ +(\w+) = (?:bool\()?arguments\.get\("\w+", (True|False|LIMIT)\)+$/;
  const isPure = (line: string | undefined): boolean =>
    line !== undefined && (pure.test(line) || /^ +(\w+) = (""|\[\]|0)$/.test(line) || /^ +owner = arguments\.get\("owner"\) or "team"$/.test(line));
  return source.lines.flatMap((line, at) => (isPure(line) && isPure(source.lines[at + 1]) ? [source.replace(at, at + 2, [source.lines[at + 1]!, line])] : []));
}

export const PRESERVING: readonly PreservingOperator[] = [
  {
    name: 'rename a local',
    digest: true,
    rewrites: (m) =>
      capture(m, /\n +(\w+) = /g)
        .filter((name) => name !== 'prefix' && !/^[A-Z]/.test(name) && !new RegExp(String.raw`\b${name}=`).test(m))
        .map((name) => ({ module: renamed(m, name, `${name}_renamed`) })),
  },
  {
    name: 'rename a loop variable',
    digest: true,
    rewrites: (m) =>
      capture(m, /for (\w+) in/g)
        .filter((name) => !new RegExp(String.raw`[(,] ?${name}[,)=:]`).test(m.replaceAll(/\w+\(name\)|delete\(name\)|append\(\w+\)/g, '')))
        .map((name) => ({ module: renamed(m, name, `${name}_renamed`) })),
  },
  {
    name: 'rename a helper',
    digest: true,
    rewrites: (m) =>
      capture(m, /(?:^|\n)(?:async )?def (\w+)/g)
        .filter((name) => name !== 'act')
        .map((name) => ({ module: renamed(m, name, `${name}_renamed`) })),
  },
  {
    name: 'rename a class',
    digest: false,
    rewrites: (m) => capture(m, /(?:^|\n)class (\w+)/g).map((name) => ({ module: renamed(m, name, `${name}Renamed`) })),
  },
  { name: 'rename a parameter of act', digest: true, rewrites: (m) => (m.includes('act(arguments)') ? [{ module: renamed(m, 'arguments', 'given') }] : []) },
  { name: 'extract a helper', digest: true, rewrites: (m) => of(extracted(Source.of(m))) },
  {
    name: 'extract everything',
    digest: true,
    rewrites: (m) => [
      {
        module:
          m.replace(/(async )?def act\(arguments\):/, (head) => head.replace('act', 'inner_act')) +
          (m.includes('async def act')
            ? '\n\nasync def act(arguments):\n    return await inner_act(arguments)\n'
            : '\n\ndef act(arguments):\n    result = inner_act(arguments)\n    return result\n'),
      },
    ],
  },
  {
    name: 'inline a constant',
    digest: true,
    rewrites: (m) => (m.includes('LIMIT = 3') ? [{ module: renamed(m.replace('LIMIT = 3\n', ''), 'LIMIT', '3') }] : []),
  },
  {
    name: 'extract a constant',
    digest: true,
    rewrites: (m) =>
      capture(m, /^ {4,}.*[(, ]("[\w/:.]+")[,)]/gm).map((text) => ({
        module: `EXTRACTED = ${text}\n\n\n${m.replaceAll(new RegExp(String.raw`(?<=\n {4,}[^\n]*[(, ])${text.replaceAll(/[./]/g, String.raw`\$&`)}(?=[,)])`, 'g'), 'EXTRACTED')}`,
      })),
  },
  { name: 'swap branches', digest: true, rewrites: (m) => of(swapped(Source.of(m))) },
  { name: 'early exit into else', digest: true, rewrites: (m) => of(intoElse(Source.of(m))) },
  {
    name: 'reformat',
    digest: true,
    rewrites: (m) => [
      { module: m.replaceAll(/\n( +)(return|raise|for|files)/g, '\n$1# because\n\n$1$2').replaceAll(', ', ',  ') },
      { module: m.replaceAll(/(?<=\n {4,}[\w.]+\()([^()\n"]+)(?=\)\n)/g, '\n            $1,\n    ') },
    ],
  },
  { name: 'docstrings', digest: true, rewrites: (m) => [{ module: m.replaceAll(/(\n( *)(?:async )?def \w+\([^)]*\):)/g, '$1\n$2    """What it does."""') }] },
  {
    name: 'annotations',
    digest: true,
    rewrites: (m) => [
      {
        module: m
          .replaceAll(/def (\w+)\((\w+)(?=[,)])/g, 'def $1($2: "Any"')
          .replaceAll(/\):\n/g, (end, at: number) => (/def [^\n]*$/.test(m.slice(0, at)) ? end : end)),
      },
      { module: m.replaceAll(/\n( +)(removed|kept|lines|words) = /g, '\n$1$2: "Any" = ') },
    ],
  },
  { name: 'ternary into branches', digest: true, rewrites: (m) => of(ternary(Source.of(m))) },
  { name: 'reorder pure statements', digest: true, rewrites: (m) => of(reordered(Source.of(m))) },
  { name: 'add an unused local', digest: true, rewrites: (m) => [{ module: m.replace(/(def act\(arguments\):)/, '$1\n    unused = len("text")') }] },
  { name: 'split a module', digest: true, rewrites: (m) => split(m) },
  {
    name: 'f-string into concatenation',
    digest: false,
    rewrites: (m) =>
      of(substitutions(Source.of(m), /f"\{(\w+)\}\/(\w+)"/, (match) => `${match[1]!} + "/${match[2]!}"`)).map((one) => ({ ...one, textOnly: true })),
  },
  {
    name: 'concatenation into f-string',
    digest: false,
    rewrites: (m) =>
      of(substitutions(Source.of(m), /(\w+) \+ "\/" \+ (\w+)/, (match) => `f"{${match[1]!}}/{${match[2]!}}"`)).map((one) => ({ ...one, textOnly: true })),
  },
  { name: 'double negation', digest: true, rewrites: (m) => of(substitutions(Source.of(m), /(?<=^ +)if (.+):$/, (match) => `if not not (${match[1]!}):`)) },
  {
    name: 'or into not and',
    digest: true,
    rewrites: (m) =>
      of(
        substitutions(Source.of(m), /(?<=^ +)if (\S.*) (or|and) (\S.*):$/, (match) =>
          / (or|and) /.test(match[1]! + match[3]!) ? undefined : `if not (not (${match[1]!}) ${match[2] === 'or' ? 'and' : 'or'} not (${match[3]!})):`,
        ),
      ),
  },
  {
    name: 'elif into nested if',
    digest: true,
    rewrites: (m) =>
      m.includes('    if names == ["."]:') ? [{ module: m.replace('    if names == ["."]:', '    all_of_them = ["."]\n    if names == all_of_them:') }] : [],
  },
  {
    name: 'a lambda for a helper',
    digest: true,
    rewrites: (m) => [
      { module: m.replace(/def act\(arguments\):\n/, 'def act(arguments):\n    same = lambda value: value\n    arguments = same(arguments)\n') },
    ],
  },
];

/** Everything before `act` in another module. */
function split(module: string): Rewritten[] {
  const at = module.search(/(?:async )?def act\(/);
  const before = module.slice(0, at).trim();
  if (before === '') return [];
  const names = unique([
    ...capture(`\n${before}`, /\n(?:async )?def (\w+)/g),
    ...capture(`\n${before}`, /\nclass (\w+)/g),
    ...capture(`\n${before}`, /\n([A-Z]+) = /g),
  ]);
  return [
    {
      module: `from depot_server.parts import ${names.join(', ')}\n\n\n${module.slice(at)}`,
      files: { 'depot_server/parts.py': `from depot import DepotError, Refused, Missing, files, web, db, vault, cli, net, clock, env, aio\n\n\n${before}\n` },
    },
  ];
}
