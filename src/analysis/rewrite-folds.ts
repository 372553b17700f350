/** Facts about known values that substitution decides itself: kinds, sizes and comparisons of numbers. */
import { plainItems } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import type { Store } from './store.js';
import type { Guard, TermId } from './terms.js';
export function isText(store: Store, id: TermId): boolean {
  const term = store.term(id);
  return term.kind === 'constant' ? term.value.type === 'string' : term.kind !== 'conditional';
}

/** Number of elements or characters (code points) where known. */
export function sizeOf(store: Store, id: TermId): number | undefined {
  const term = store.term(id);
  const items = plainItems(term);
  if (items !== undefined && term.kind === 'list' && term.as !== 'set') return items.length;
  return term.kind === 'constant' && term.value.type === 'string' ? [...term.value.value].length : undefined;
}

const NUMBER_TESTS: ReadonlyMap<string, (left: number, right: number) => boolean> = new Map([
  ['number.<', (left, right) => left < right],
  ['number.<=', (left, right) => left <= right],
  ['number.>', (left, right) => left > right],
  ['number.>=', (left, right) => left >= right],
]);

export function compareNumbers(store: Store, fn: string, args: readonly TermId[]): Guard | undefined {
  const decide = NUMBER_TESTS.get(fn);
  if (decide === undefined) return undefined;
  const numbers = args.map((arg) => {
    const term = store.term(arg);
    return term.kind === 'constant' && (term.value.type === 'int' || term.value.type === 'float') ? Number(term.value.value) : undefined;
  });
  const [left, right] = numbers;
  return left === undefined || right === undefined ? undefined : decide(left, right) ? TRUE : FALSE;
}
