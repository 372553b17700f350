/** Data for renderers, made by hand. */
import type { Deed, Doings } from '../../../src/compatibility/doings.js';
import { ALWAYS, type Condition, type Fact, type Value } from '../../../src/compatibility/facts.js';
import type { PairTable, TableRow } from '../../../src/compatibility/table.js';
import type { Quotes } from '../../../src/pipeline/quotes.js';
import type { Vocabulary } from '../../../src/pipeline/vocabulary.js';
import type { Style } from '../../../src/review/style.js';

export const PLAIN: Style = { color: false, width: 100 };

export const VOCABULARY: Vocabulary = {
  operations: new Map([
    ['git.read', { description: 'Reads the repository.', words: 'reads the repository' }],
    ['file.write', { description: 'Writes a file.' }],
  ]),
  callees: new Map([
    ['py:git#Repo', { parameters: [{ name: 'path', kind: 'positional' }], words: { value: 'the repository at {path}', fails: 'there is no repository at {path}' } }],
    ['py:git#Repo.rev_parse', { parameters: [{ name: 'rev', kind: 'positional' }], words: { succeeds: '{rev} names something in {self}' } }],
    ['py.pathlib.relative_to', { parameters: [{ name: 'other', kind: 'positional' }], words: { fails: '{self} is not inside {other}' } }],
    ['py.pathlib.Path', { parameters: [{ name: 'parts', kind: 'rest' }], words: { value: '{parts}' } }],
  ]),
  facts: new Map([['py:git#Repo.rev_parse', { id: 'target-is-a-revision' }]]),
};

export const argument = (...path: (string | number)[]): Value => ({ kind: 'argument', path });
export const text = (value: string): Value => ({ kind: 'constant', value: { type: 'string', value } });
export const NULL: Value = { kind: 'constant', value: { type: 'null' } };
export const call = (callee: string, args: readonly Value[], receiver?: Value): Value => ({ kind: 'call', callee, args, ...(receiver === undefined ? {} : { receiver }) });
export const list = (...items: Value[]): Value => ({ kind: 'list', items: items.map((value) => ({ value, spread: false, sometimes: false })) });
export const repository = call('py:git#Repo', [call('py.pathlib.Path', [argument('repo_path')]), NULL]);

export const fact = (claim: Fact['claim'], holds = true, world = false): Fact => ({ claim, holds, world });
export const startsWith = (subject: Value, start: string, holds = true): Fact => fact({ kind: 'test', fn: 'text.startsWith', args: [subject, text(start)] }, holds);
export const anyOf = (...alternatives: (readonly Fact[])[]): Condition => ({ anyOf: alternatives, more: 0, always: [] });

export const deed = (operation: string, dimensions: Readonly<Record<string, Value>> = {}, more: Partial<Deed> = {}): Deed => ({
  operation,
  dimensions: Object.entries(dimensions).map(([name, value]) => ({ name, value, exact: true })),
  contexts: [],
  protective: false,
  baseline: false,
  when: ALWAYS,
  ...more,
});
export const doings = (deeds: readonly Deed[], more: Partial<Doings> = {}): Doings => ({ deeds, told: [], served: true, refuses: 'never', refusedAt: [], ...more });
export const row = (verdict: TableRow['verdict'], calls: Condition, source: Doings, target: Doings, more: Partial<TableRow> = {}): TableRow => ({ verdict, calls, source, target, reasons: [], ...more });
export const table = (rows: readonly TableRow[], more: Partial<PairTable> = {}): PairTable => ({ verdict: 'conditional', common: [], rows, more: 0, equalInputs: [], ...more });

export const span = (line: number, file = 'server.py') => ({ file, line, column: 1, endLine: line, endColumn: 9 });
/** `source line 3 of server.py`, and so on. */
export const QUOTES: Quotes = { line: (side, file, line) => (line > 20 ? undefined : `    ${side} line ${String(line)} of ${file}`) };
