/** `json.dumps` and `json.loads` with default options, on constants. */
import { listOf, plainItems } from '../../../analysis/construct.js';
import { TRUE } from '../../../analysis/guards.js';
import type { Store } from '../../../analysis/store.js';
import type { TermId } from '../../../analysis/terms.js';
import { reprFloat } from '../repr.js';
import { isNone, text, type FoldFunction } from './values.js';

/** Only where every option is left at its default (None or False). */
export const dumpJson: FoldFunction = (store, [, value, ...options]) => {
  const [subject, rest] = value === undefined ? [undefined, []] : [value, options];
  if (subject === undefined || !rest.every((option) => isNone(store, option) || isEmptyRecord(store, option))) return undefined;
  const out = write(store, subject);
  return out === undefined ? undefined : store.string(out);
};

function isEmptyRecord(store: Store, id: TermId): boolean {
  const term = store.term(id);
  return term.kind === 'record' && term.fields.length === 0 && term.rest === undefined;
}

function write(store: Store, id: TermId): string | undefined {
  const term = store.term(id);
  if (term.kind === 'constant') {
    const { value } = term;
    switch (value.type) {
      case 'null':
        return 'null';
      case 'boolean':
        return String(value.value);
      case 'int':
        return value.value;
      case 'float':
        return Number.isFinite(value.value) ? reprFloat(value.value) : undefined;
      case 'string':
        return writeText(value.value);
      case 'undefined':
      case 'bytes':
      case 'special':
        return undefined;
    }
  }
  if (term.kind === 'list' && term.as !== 'set') {
    const items = plainItems(term)?.map((item) => write(store, item));
    return items === undefined || items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (term.kind !== 'record' || term.rest !== undefined || term.fields.some((field) => field.when !== TRUE)) return undefined;
  const fields = new Map<string, string>();
  for (const field of term.fields) {
    const key = text(store, field.key);
    const value = write(store, field.value);
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    fields.set(key, value);
  }
  return `{${[...fields].map(([key, value]) => `${writeText(key)}: ${value}`).join(', ')}}`;
}

function writeText(value: string): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (letter) =>
    letter === '\u007f' ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const loadJson: FoldFunction = (store, args) => {
  const [subject, ...options] = args[0] === store.null ? args.slice(1) : args;
  const source = text(store, subject);
  if (source === undefined || !options.every((option) => isNone(store, option) || isEmptyRecord(store, option))) return undefined;
  try {
    return read(store, JSON.parse(source), source);
  } catch {
    // Text that is no JSON throws in both languages; which text Python takes beyond JSON is not decided here.
    return undefined;
  }
};

function read(store: Store, value: unknown, source: string): TermId | undefined {
  if (value === null) return store.null;
  if (typeof value === 'boolean') return store.boolean(value);
  if (typeof value === 'string') return store.string(value);
  // A number's spelling decides its type in Python: only documents in which every number is a plain small integer are read.
  if (typeof value === 'number') return Number.isSafeInteger(value) && !/[0-9][.eE]|-0(?![0-9.])/.test(source) ? store.int(value) : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => read(store, item, source));
    return items.every((item): item is TermId => item !== undefined) ? listOf(store, 'list', items) : undefined;
  }
  const fields = Object.entries(value as Record<string, unknown>).map(([key, field]) => ({
    when: TRUE,
    key: store.string(key),
    value: read(store, field, source),
  }));
  return fields.every((field): field is { when: number; key: TermId; value: TermId } => field.value !== undefined)
    ? store.intern({ kind: 'record', fields })
    : undefined;
}
