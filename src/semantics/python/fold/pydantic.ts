/** What pydantic makes of texts and of lists of known elements, and the JSON in texts that the MCP SDK looks for. */
import { listOf, plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import { literalTerm, parseLiteral } from '../../../analysis/literal.js';
import type { Store } from '../../../analysis/store.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import { constantOf, floatTerm } from '../terms.js';
import { constantDataEqual } from './data.js';
import { parseFloatText } from './parse-number.js';
import { isAscii, text, type FoldFunction } from './values.js';

type TestFold = (store: Store, args: readonly TermId[]) => Guard | undefined;
const asGuard = (known: boolean | undefined): Guard | undefined => (known === undefined ? undefined : known ? TRUE : FALSE);

/** White space is trimmed; underscores stand between digits; a fraction of zeros is dropped. Longer texts are not decided. */
export function pydanticInt(value: string): bigint | 'rejected' | undefined {
  if (!isAscii(value) || value.length > 300) return undefined;
  const trimmed = value.trim();
  const match = /^([+-]?)(\d+(?:_\d+)*)(?:\.0*)?$/.exec(trimmed);
  if (match === null) return 'rejected';
  if (trimmed.includes('_') && /\.|^[+-]?0/.test(trimmed)) return undefined;
  if (trimmed.endsWith('.')) return undefined;
  const digits = BigInt(match[2]!.replaceAll('_', ''));
  return match[1] === '-' ? -digits : digits;
}

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 'on', 't', 'true', 'y', 'yes']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'off', 'f', 'false', 'n', 'no']);

export function pydanticBool(value: string): boolean | 'rejected' | undefined {
  if (!isAscii(value)) return undefined;
  const lower = value.toLowerCase();
  return TRUE_TEXTS.has(lower) ? true : FALSE_TEXTS.has(lower) ? false : 'rejected';
}

export function pydanticFloat(value: string): number | 'rejected' | undefined {
  const parsed = parseFloatText(value);
  return parsed === 'invalid' ? 'rejected' : parsed;
}

/** A coerced element; 'rejected', or undefined where it is not known. */
function coerce(store: Store, type: TermId, value: TermId): TermId | 'rejected' | undefined {
  const node = plainItems(store.term(type));
  const name = text(store, node?.[0]);
  const known = constantOf(store, value);
  const term = store.term(value);
  if (known === undefined && term.kind !== 'list' && term.kind !== 'record') return undefined;
  switch (name ?? '') {
    case 'any':
      return value;
    case 'str':
      return known?.type === 'string' ? value : 'rejected';
    case 'none':
      return known?.type === 'null' ? value : 'rejected';
    case 'int': {
      if (known?.type === 'int') return value;
      if (known?.type === 'boolean') return store.int(known.value ? 1 : 0);
      if (known?.type === 'float') return Number.isInteger(known.value) ? store.int(BigInt(known.value)) : 'rejected';
      const parsed = known?.type === 'string' ? pydanticInt(known.value) : 'rejected';
      return typeof parsed === 'bigint' ? store.int(parsed) : parsed;
    }
    case 'float': {
      if (known?.type === 'float') return value;
      if (known?.type === 'int' || known?.type === 'boolean') return floatTerm(store, Number(known.value));
      const parsed = known?.type === 'string' ? pydanticFloat(known.value) : 'rejected';
      return typeof parsed === 'number' ? floatTerm(store, parsed) : parsed;
    }
    case 'bool': {
      if (known?.type === 'boolean') return value;
      if (known?.type === 'int' || known?.type === 'float')
        return Number(known.value) === 1 ? store.true : Number(known.value) === 0 ? store.false : 'rejected';
      const parsed = known?.type === 'string' ? pydanticBool(known.value) : 'rejected';
      return typeof parsed === 'boolean' ? store.boolean(parsed) : parsed;
    }
    case 'list':
      return term.kind === 'list' ? coerceItems(store, node![1]!, value) : 'rejected';
    case 'literal': {
      const match = node!.slice(1).find((option) => constantDataEqual(store, option, value) === true);
      return match ?? 'rejected';
    }
    default:
      return undefined;
  }
}

function coerceItems(store: Store, type: TermId, list: TermId): TermId | 'rejected' | undefined {
  const items = plainItems(store.term(list));
  const results = items?.map((item) => coerce(store, type, item));
  if (results === undefined) return undefined;
  if (results.includes('rejected')) return 'rejected';
  const known = results.filter((result): result is TermId => typeof result === 'number');
  return known.length === results.length ? listOf(store, 'list', known) : undefined;
}

const items: FoldFunction = (store, [list, type]) => {
  const result = list === undefined || type === undefined ? undefined : coerceItems(store, type, list);
  return result === 'rejected' ? undefined : result;
};

const itemsAccepted: TestFold = (store, [list, type]) => {
  const result = list === undefined || type === undefined ? undefined : coerceItems(store, type, list);
  return result === undefined ? undefined : asGuard(result !== 'rejected');
};

function onText<Result>(
  parse: (value: string) => Result | 'rejected' | undefined,
  make: (store: Store, value: Result) => TermId,
): { readonly term: FoldFunction; readonly test: TestFold } {
  const read = (store: Store, id: TermId | undefined): Result | 'rejected' | undefined => {
    const value = text(store, id);
    return value === undefined ? undefined : parse(value);
  };
  return {
    term: (store, [subject]) => {
      const parsed = read(store, subject);
      return parsed === undefined || parsed === 'rejected' ? undefined : make(store, parsed);
    },
    test: (store, [subject]) => {
      const parsed = read(store, subject);
      return parsed === undefined ? undefined : asGuard(parsed !== 'rejected');
    },
  };
}
const ints = onText(pydanticInt, (store, value) => store.int(value));
const floats = onText(pydanticFloat, (store, value) => floatTerm(store, value));
const bools = onText(pydanticBool, (store, value) => store.boolean(value));

/** Whether text is a JSON list, object or null for Python's `json.loads`, which also takes NaN and infinities. */
export function isJsonStructure(value: string): boolean | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return /NaN|Infinity/.test(value) ? undefined : false;
  }
  return parsed === null || typeof parsed === 'object';
}

const jsonStructure: TestFold = (store, [subject]) => {
  const value = text(store, subject);
  return value === undefined ? undefined : asGuard(isJsonStructure(value));
};

const jsonValue: FoldFunction = (store, [subject]) => {
  const value = text(store, subject);
  if (value === undefined || isJsonStructure(value) !== true) return undefined;
  try {
    return literalTerm(store, parseLiteral(value));
  } catch {
    // Repeated keys and numbers out of range are read by Python and refused here: not decided.
    return undefined;
  }
};

/** Plain web addresses, which every parser takes as they are. */
const PLAIN_URL = /^https?:\/\/[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*\.[a-z]+(?:\/[A-Za-z0-9._~/-]*)?(?:\?[A-Za-z0-9._~=&-]*)?$/;

const urlAccepted: TestFold = (store, [subject]) => {
  const value = text(store, subject);
  return value !== undefined && value.length < 2000 && PLAIN_URL.test(value) ? TRUE : undefined;
};

export const PYDANTIC_FOLDS: readonly (readonly [string, FoldFunction])[] = [
  ['py.pydantic.int', ints.term],
  ['py.pydantic.float', floats.term],
  ['py.pydantic.bool', bools.term],
  ['py.pydantic.items', items],
  ['py.jsonValue', jsonValue],
];

export const PYDANTIC_TESTS: readonly (readonly [string, TestFold])[] = [
  ['py.pydantic.intText', ints.test],
  ['py.pydantic.floatText', floats.test],
  ['py.pydantic.boolText', bools.test],
  ['py.pydantic.itemsAccepted', itemsAccepted],
  ['py.pydantic.urlAccepted', urlAccepted],
  ['py.jsonStructure', jsonStructure],
];
