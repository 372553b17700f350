/** `sorted`, `list.sort`, `reversed`, `min`, `max`: decided on constants, a named pure operation on texts and numbers of one kind. */
import { list, listOf } from '../../../analysis/construct.js';
import { TRUE } from '../../../analysis/guards.js';
import type { Intrinsic, IntrinsicCall } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import { raise, unsupported } from '../failures.js';
import { iterate, lazyItems } from '../iterate.js';
import { positional } from '../methods.js';
import { compareConstants } from '../ordering.js';
import { constantElements } from '../sets.js';
import { constantOf, itemsOf } from '../terms.js';
import { truthy } from '../truth.js';
import { collectElements } from './collections.js';
import { keywordArguments, parameter } from './parameters.js';

/** Sorted content; stops where the order is not known. */
export function sortedItems(machine: Machine, iterable: TermId, call: IntrinsicCall): TermId {
  const { store } = machine;
  const elements = machine.typeOf(iterable) === 'set' ? constantElements(machine, iterable) : undefined;
  const content = elements === undefined ? collectElements(machine, iterable, 'list', call.span) : listOf(store, 'list', elements);
  if (machine.dead) return store.null;
  const key = parameter(machine, call, 'key');
  const reverse = truthy(machine, parameter(machine, call, 'reverse'), call.span);
  if (reverse > TRUE) return unsupported(machine, 'a sort whose direction is not constant', call.span);
  const items = itemsOf(machine, content);
  if (items !== undefined && items.length <= 1) return content;
  const keyed = items?.map((item) => ({ item, key: key === store.null ? item : machine.call(key, positional(item), call.span) }));
  if (machine.dead) return store.null;
  const order = keyed === undefined ? undefined : stableSort(machine, keyed, reverse === TRUE);
  if (order !== undefined) return listOf(store, 'list', order);
  const elementType = uniformType(machine, content, items);
  if (key !== store.null || elementType === undefined)
    return unsupported(machine, 'a sort of values whose order is not known', call.span, 'sort constants, or texts without a key');
  const sorted = machine.apply(reverse === TRUE ? 'py.sorted_reverse' : 'py.sorted', [machine.freeze(content)], `list<${elementType}>`);
  return list(store, 'list', [{ kind: 'spread', when: TRUE, of: sorted }]);
}

function uniformType(machine: Machine, content: TermId, items: readonly TermId[] | undefined): string | undefined {
  const types = new Set<string | undefined>();
  if (items !== undefined) for (const item of items) types.add(machine.typeOf(item));
  else {
    const term = machine.store.term(content);
    if (term.kind !== 'list') return undefined;
    for (const segment of term.segments) {
      if (segment.kind === 'items') for (const item of segment.items) types.add(machine.typeOf(item));
      else types.add(/^list<(.*)>$/.exec(machine.typeOf(segment.of) ?? '')?.[1]);
    }
  }
  const [only] = [...types];
  return types.size === 1 && (only === 'str' || only === 'int') ? only : undefined;
}

function stableSort(machine: Machine, keyed: readonly { item: TermId; key: TermId }[], reverse: boolean): TermId[] | undefined {
  let known = true;
  const sign = (a: TermId, b: TermId): number => {
    const x = constantOf(machine.store, a);
    const y = constantOf(machine.store, b);
    const result = x === undefined || y === undefined ? undefined : compareConstants(x, y);
    if (result === undefined || Number.isNaN(result)) known = false;
    return result ?? 0;
  };
  const sorted = [...keyed].sort((a, b) => (reverse ? sign(b.key, a.key) : sign(a.key, b.key)));
  return known ? sorted.map((entry) => entry.item) : undefined;
}

const sorted: Intrinsic = (machine, call) => {
  const content = sortedItems(machine, parameter(machine, call, 'iterable'), call);
  return machine.dead ? machine.store.null : machine.newList(content);
};

const reversed: Intrinsic = (machine, call) =>
  lazyItems(
    machine,
    () => {
      const parts = iterate(machine, parameter(machine, call, 'sequence'), call.span);
      if (parts?.some((part) => part.kind === 'collection') === true) {
        unsupported(machine, 'reversed of a collection of unknown length', call.span);
        return undefined;
      }
      return parts === undefined ? undefined : [...parts].reverse();
    },
    call.span,
  );

function extreme(name: 'min' | 'max'): Intrinsic {
  return (machine, call) => {
    const { store } = machine;
    const keywords = keywordArguments(call);
    const values = call.arguments.positional.map((argument) => (argument.kind === 'value' ? argument.value : undefined));
    if (keywords === undefined || values.includes(undefined)) return unsupported(machine, `${name} with spread arguments`, call.span);
    if (keywords.has('key')) return unsupported(machine, `${name} with a key`, call.span);
    const only = values.length === 1 ? values[0] : undefined;
    const elements = only !== undefined && machine.typeOf(only) === 'set' ? constantElements(machine, only) : undefined;
    const items =
      elements ??
      (values.length === 1 ? itemsOf(machine, collectElements(machine, values[0]!, 'list', call.span)) : values.filter((value) => value !== undefined));
    if (machine.dead) return store.null;
    if (items === undefined) return unsupported(machine, `${name} of a collection of unknown length`, call.span);
    if (items.length === 0) return keywords.get('default') ?? raise(machine, 'value', `${name}() iterable argument is empty`);
    const order = stableSort(
      machine,
      items.map((item) => ({ item, key: item })),
      name === 'max',
    );
    if (order !== undefined) return order[0]!;
    const types = new Set(items.map((item) => machine.typeOf(item)));
    const [type] = [...types];
    if (types.size !== 1 || (type !== 'int' && type !== 'str'))
      return unsupported(machine, `${name} of values whose order is not known`, call.span, 'compare them with an if');
    return machine.apply(`py.${name}`, [...items], type);
  };
}

export const ORDERING_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['sorted', sorted],
  ['reversed', reversed],
  ['min', extreme('min')],
  ['max', extreme('max')],
];
