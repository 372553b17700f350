/**
 * CEL of profiles and inventories read over terms: a condition becomes a guard, a value a term. The functions are those of
 * profile/cel-functions.ts. What cannot be said exactly stops the path.
 */
import type { CelNode } from '../profile/cel.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { conditional, equal, guardOverLeaves, hasType, list, listOf, plainItems, termOverLeaves, typeOf } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import { flatten, optionWords } from './cel-lists.js';
import type { Machine } from './machine.js';
import { concat } from './text-tests.js';
import type { Guard, JsonType, RecordField, Segment, TermId } from './terms.js';

export type CelScope = ReadonlyMap<string, TermId>;

export function celGuard(m: Machine, node: CelNode, scope: CelScope, span: Span): Guard {
  const { guards } = m.store;
  const again = (inner: CelNode): Guard => celGuard(m, inner, scope, span);
  const term = (inner: CelNode): TermId => celTerm(m, inner, scope, span);
  switch (node.kind) {
    case 'and': {
      const left = again(node.left);
      return left === FALSE ? FALSE : guards.and(left, again(node.right));
    }
    case 'or': {
      const left = again(node.left);
      return left === TRUE ? TRUE : guards.or(left, again(node.right));
    }
    case 'conditional':
      return guards.ite(again(node.test), again(node.then), again(node.otherwise));
    case 'has':
      return presence(m, term(node.operand), node.field, span);
    case 'macro':
      if (node.macro === 'exists' || node.macro === 'all') {
        const hit = (item: TermId): Guard => {
          const inner = celGuard(m, node.body, new Map([...scope, [node.variable, item]]), span);
          return node.macro === 'exists' ? inner : guards.not(inner);
        };
        const found = anyElement(m, term(node.range), hit, span);
        return node.macro === 'exists' ? found : guards.not(found);
      }
      return truth(m, term(node), span);
    case 'call':
      return callGuard(m, node, scope, span);
    case 'literal':
    case 'identifier':
    case 'select':
    case 'index':
    case 'list':
    case 'map':
      return truth(m, term(node), span);
    default:
      return unreachable(node);
  }
}

/** Nothing but true and false is a condition: what else a library would take it for is not said by the expression. */
function truth(m: Machine, value: TermId, span: Span): Guard {
  const isCondition = hasType(m.store, value, 'boolean');
  m.stopWhen(
    m.store.guards.not(isCondition),
    'no-modelled-form',
    'a condition of an inventory is asked of something that is neither true nor false',
    span,
    'compare it with a value in the inventory, or add a form for it',
  );
  return equal(m.store, value, m.store.true);
}

function callGuard(m: Machine, node: Extract<CelNode, { kind: 'call' }>, scope: CelScope, span: Span): Guard {
  const { guards } = m.store;
  const operands = [...(node.target === undefined ? [] : [node.target]), ...node.arguments];
  const term = (at: number): TermId => celTerm(m, operands[at]!, scope, span);
  switch (node.function) {
    case '!':
      return guards.not(celGuard(m, operands[0]!, scope, span));
    case '==':
    case '!=': {
      const same = sizeEquality(m, operands[0]!, operands[1]!, scope, span) ?? equal(m.store, m.content(term(0)), m.content(term(1)));
      return node.function === '==' ? same : guards.not(same);
    }
    case 'startsWith':
      return m.textTest('text.startsWith', [term(0), term(1)]);
    case 'endsWith':
      return m.textTest('text.endsWith', [term(0), term(1)]);
    case 'contains':
      return m.textTest('text.contains', [term(0), term(1)]);
    case 'isHex':
      return m.textTest('text.isHex', [term(0), term(1)]);
    case 'only':
      return m.textTest('text.only', [term(0), term(1)]);
    case 'in': {
      const needle = term(0);
      const collection = m.content(term(1));
      const record = m.store.term(collection);
      if (record.kind === 'record' || record.kind === 'argument') return presenceOf(m, collection, needle, span);
      return anyElement(m, collection, (item) => equal(m.store, needle, item), span);
    }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(m, node.function, term(0), term(1));
    default:
      return truth(m, celTerm(m, node, scope, span), span);
  }
}

function compare(m: Machine, operator: string, left: TermId, right: TermId): Guard {
  const number = (id: TermId): number | undefined => {
    const t = m.store.term(id);
    return t.kind === 'constant' && (t.value.type === 'int' || t.value.type === 'float') ? Number(t.value.value) : undefined;
  };
  return guardOverLeaves(m.store, left, (a) =>
    guardOverLeaves(m.store, right, (b) => {
      const [x, y] = [number(a), number(b)];
      if (x !== undefined && y !== undefined) return (operator === '<' ? x < y : operator === '<=' ? x <= y : operator === '>' ? x > y : x >= y) ? TRUE : FALSE;
      return m.store.propositionGuard({ kind: 'test', fn: `number.${operator}`, args: [a, b] });
    }),
  );
}

/** `size(list) == n`, exactly, for lists with guarded segments. */
function sizeEquality(m: Machine, left: CelNode, right: CelNode, scope: CelScope, span: Span): Guard | undefined {
  const [sizeNode, numberNode] = isSize(left) ? [left, right] : isSize(right) ? [right, left] : [undefined, undefined];
  if (sizeNode === undefined || numberNode.kind !== 'literal') return undefined;
  const subject = m.content(celTerm(m, sizeNode.target ?? sizeNode.arguments[0]!, scope, span));
  const wanted = Number(numberNode.value);
  return guardOverLeaves(m.store, subject, (leaf) => {
    const term = m.store.term(leaf);
    if (term.kind !== 'list') return equal(m.store, sizeTerm(m, leaf), m.store.int(wanted));
    // counts[k]: exactly k elements so far.
    let counts: Guard[] = [TRUE];
    const { guards } = m.store;
    let open = false;
    for (const segment of term.segments) {
      if (segment.kind === 'spread') {
        open = true;
        break;
      }
      for (let repeat = 0; repeat < segment.items.length; repeat += 1) {
        const nextCounts: Guard[] = [];
        for (let k = 0; k <= counts.length; k += 1)
          nextCounts.push(guards.or(guards.and(counts[k] ?? FALSE, guards.not(segment.when)), guards.and(counts[k - 1] ?? FALSE, segment.when)));
        counts = nextCounts;
      }
    }
    return open ? equal(m.store, sizeTerm(m, leaf), m.store.int(wanted)) : (counts[wanted] ?? FALSE);
  });
}
function isSize(node: CelNode): node is Extract<CelNode, { kind: 'call' }> {
  return node.kind === 'call' && node.function === 'size';
}

function sizeTerm(m: Machine, value: TermId): TermId {
  return termOverLeaves(m.store, value, (leaf) => {
    const term = m.store.term(leaf);
    const items = plainItems(term);
    if (items !== undefined && term.kind === 'list' && term.as !== 'set') return m.store.int(items.length);
    if (term.kind === 'constant' && term.value.type === 'string') return m.store.int([...term.value.value].length);
    return m.store.intern({ kind: 'apply', fn: 'size', args: [leaf], type: 'int' });
  });
}

/** Whether some element satisfies a condition. Elements of an unknown collection become one proposition about it. */
export function anyElement(m: Machine, collection: TermId, hit: (item: TermId) => Guard, span: Span): Guard {
  const { store } = m;
  return guardOverLeaves(store, m.content(collection), (leaf) => {
    const term = store.term(leaf);
    if (term.kind === 'list') {
      return store.guards.any(
        term.segments.map((segment) => {
          if (segment.kind === 'items') return store.guards.and(segment.when, store.guards.any(segment.items.map(hit)));
          return store.guards.and(segment.when, anyOf(m, segment.of, hit));
        }),
      );
    }
    const type = typeOf(store, leaf);
    if (type === undefined || type === 'list' || type === 'tuple' || type.startsWith('list<')) return anyOf(m, leaf, hit);
    m.stop('no-modelled-form', 'a condition of an inventory asks for the elements of something that is not a list', span, 'restrict the form with kind(x)');
    return FALSE;
  });
}

function anyOf(m: Machine, over: TermId, hit: (item: TermId) => Guard): Guard {
  const { store } = m;
  const depth = m.loopDepth;
  const element = elementOf(m, over);
  m.loopDepth += 1;
  const when = hit(element);
  m.loopDepth -= 1;
  if (when === FALSE) return FALSE;
  const loop = store.internLoop({ over, depth, exits: [{ name: 'hit', when }], carried: [], effects: [] });
  return store.propositionGuard({ kind: 'exists', loop, exit: 'hit' });
}

function elementOf(m: Machine, over: TermId): TermId {
  const inner = /^list<(.*)>$/.exec(typeOf(m.store, over) ?? '')?.[1];
  return m.store.intern({ kind: 'element', depth: m.loopDepth, of: over, ...(inner === undefined ? {} : { type: inner }) });
}

/** A list built element by element; an unknown collection becomes a named image of itself. */
function mapElements(m: Machine, collection: TermId, macro: 'map' | 'filter', body: (item: TermId) => number): TermId {
  const { store } = m;
  return termOverLeaves(store, m.content(collection), (leaf) => {
    const term = store.term(leaf);
    const segments: readonly Segment[] = term.kind === 'list' ? term.segments : [{ kind: 'spread', when: TRUE, of: leaf }];
    const out: Segment[] = [];
    for (const segment of segments) {
      if (segment.kind === 'items') {
        for (const item of segment.items)
          out.push(
            macro === 'map'
              ? { kind: 'items', when: segment.when, items: [body(item)] }
              : { kind: 'items', when: store.guards.and(segment.when, body(item)), items: [item] },
          );
        continue;
      }
      const depth = m.loopDepth;
      const element = elementOf(m, segment.of);
      m.loopDepth += 1;
      const image = body(element);
      m.loopDepth -= 1;
      if (macro === 'map' && image === element) {
        out.push(segment);
        continue;
      }
      const loop = store.internLoop(
        macro === 'map'
          ? { over: segment.of, depth, exits: [], carried: [{ name: 'map', initial: store.null, next: image }], effects: [] }
          : { over: segment.of, depth, exits: [{ name: 'keep', when: image }], carried: [], effects: [] },
      );
      out.push({ kind: 'spread', when: segment.when, of: store.intern({ kind: 'loop', loop, name: macro, type: 'list' }) });
    }
    return list(store, 'list', out);
  });
}

export function celTerm(m: Machine, node: CelNode, scope: CelScope, span: Span): TermId {
  const { store } = m;
  const again = (inner: CelNode): TermId => celTerm(m, inner, scope, span);
  switch (node.kind) {
    case 'literal':
      if (node.value === null) return store.null;
      if (typeof node.value === 'boolean') return store.boolean(node.value);
      if (typeof node.value === 'string') return store.string(node.value);
      if (typeof node.value === 'bigint') return store.int(node.value);
      return Number.isInteger(node.value) ? store.int(node.value) : store.constant({ type: 'float', value: node.value });
    case 'identifier': {
      const value = scope.get(node.name);
      return value ?? m.stop('no-modelled-form', `an inventory expression names ${node.name}, which is not in scope`, span, 'run fcd profile lint');
    }
    case 'select':
      return select(m, again(node.operand), store.string(node.field), span);
    case 'index':
      return select(m, again(node.operand), again(node.index), span);
    case 'list':
      return listOf(store, 'list', node.elements.map(again));
    case 'map': {
      const fields: RecordField[] = node.entries.map((entry) => ({ when: TRUE, key: again(entry.key), value: again(entry.value) }));
      return store.intern({ kind: 'record', fields });
    }
    case 'conditional':
      return conditional(store, celGuard(m, node.test, scope, span), again(node.then), again(node.otherwise));
    case 'macro': {
      if (node.macro === 'exists' || node.macro === 'all') return asBoolean(m, celGuard(m, node, scope, span));
      const inner = (item: TermId): CelScope => new Map([...scope, [node.variable, item]]);
      const { macro } = node;
      return mapElements(m, again(node.range), macro, (item) =>
        macro === 'map' ? celTerm(m, node.body, inner(item), span) : celGuard(m, node.body, inner(item), span),
      );
    }
    case 'and':
    case 'or':
    case 'has':
      return asBoolean(m, celGuard(m, node, scope, span));
    case 'call':
      return callTerm(m, node, scope, span);
    default:
      return unreachable(node);
  }
}

function asBoolean(m: Machine, guard: Guard): TermId {
  return conditional(m.store, guard, m.store.true, m.store.false);
}

function callTerm(m: Machine, node: Extract<CelNode, { kind: 'call' }>, scope: CelScope, span: Span): TermId {
  const { store } = m;
  const operands = [...(node.target === undefined ? [] : [node.target]), ...node.arguments].map((operand) => (): TermId => celTerm(m, operand, scope, span));
  const first = (): TermId => operands[0]!();
  switch (node.function) {
    case 'size':
      return sizeTerm(m, m.content(first()));
    case 'kind':
      return kindTerm(m, first());
    case 'text':
      return m.semantics.convert(m, 'str', first(), undefined, span);
    case 'flatten':
      return flatOnly(m, flatten(m, first()), span);
    case 'dropNull':
      return mapElements(m, first(), 'filter', (item) => store.guards.not(m.isNull(item)));
    case 'optionWords':
      return optionWords(m, m.content(first()), span);
    case '+': {
      const [left, right] = [m.content(first()), m.content(operands[1]!())];
      if (typeOf(store, left) === 'str' || typeOf(store, right) === 'str') return concat(store, [left, right]);
      return list(store, 'list', [
        { kind: 'spread', when: TRUE, of: left },
        { kind: 'spread', when: TRUE, of: right },
      ]);
    }
    case '-':
    case '*':
    case '/':
    case '%':
    case 'neg':
      return m.stop('no-modelled-form', `an inventory expression uses ${node.function}`, span, 'use list and text functions only');
    default:
      return asBoolean(m, celGuard(m, node, scope, span));
  }
}

const KINDS: readonly [JsonType, string][] = [
  ['string', 'string'],
  ['null', 'null'],
  ['boolean', 'bool'],
  ['integer', 'int'],
  ['float', 'float'],
  ['array', 'list'],
  ['object', 'record'],
];
/** A collection of unknown elements is flat only where none of them is a list itself. */
function flatOnly(m: Machine, flat: TermId, span: Span): TermId {
  const term = m.store.term(flat);
  for (const segment of term.kind === 'list' ? term.segments : []) {
    if (segment.kind !== 'spread') continue;
    const nested = m.store.guards.and(
      segment.when,
      anyOf(m, segment.of, (item) => hasType(m.store, item, 'array')),
    );
    m.stopWhen(nested, 'no-modelled-form', 'lists inside a list of unknown elements', span, 'pass one list of words');
  }
  return flat;
}

function kindTerm(m: Machine, value: TermId): TermId {
  const { store } = m;
  const content = m.content(value);
  return termOverLeaves(store, content, (leaf) => {
    const type = m.typeOf(leaf);
    if (type === 'tuple') return store.string('list');
    let result = store.string('object');
    for (const [json, kind] of [...KINDS].reverse()) result = conditional(store, hasType(store, m.content(leaf), json), store.string(kind), result);
    return result;
  });
}

function presence(m: Machine, of: TermId, field: string, span: Span): Guard {
  return presenceOf(m, of, m.store.string(field), span);
}
function presenceOf(m: Machine, of: TermId, key: TermId, span: Span): Guard {
  const { store } = m;
  const content = m.content(of);
  const term = store.term(content);
  const name = store.term(key);
  const text = name.kind === 'constant' && name.value.type === 'string' ? name.value.value : undefined;
  if (term.kind === 'argument' && text !== undefined) return m.has([...term.path, text]);
  if (term.kind === 'record') {
    const inRest = term.rest === undefined ? FALSE : presenceOf(m, term.rest, key, span);
    return store.guards.or(store.guards.any(term.fields.map((field) => store.guards.and(field.when, equal(store, field.key, key)))), inRest);
  }
  m.stop('no-modelled-form', 'a condition of an inventory asks for a key of something that is not a mapping', span, 'restrict the form with kind(x)');
  return FALSE;
}

function select(m: Machine, of: TermId, key: TermId, span: Span): TermId {
  const { store } = m;
  return termOverLeaves(store, m.content(of), (leaf) => {
    const term = store.term(leaf);
    const constant = store.term(key);
    if (constant.kind === 'constant' && constant.value.type === 'string' && term.kind === 'argument')
      return store.intern({ kind: 'argument', path: [...term.path, constant.value.value] });
    if (term.kind === 'record') {
      let result = term.rest === undefined ? store.null : select(m, term.rest, key, span);
      for (const field of term.fields) result = conditional(store, store.guards.and(field.when, equal(store, field.key, key)), field.value, result);
      return result;
    }
    if (term.kind === 'list' && constant.kind === 'constant' && constant.value.type === 'int')
      return nthElement(m, term.segments, Number(constant.value.value), span);
    const passed = callArgument(m, leaf, key);
    if (passed !== undefined) return passed;
    return m.stop('no-modelled-form', 'an inventory expression selects from something that is neither a list nor a mapping', span, 'run fcd profile lint');
  });
}

/** What a call was given for a parameter, by the parameter's name in the inventory; `self` is its receiver. */
function callArgument(m: Machine, leaf: TermId, key: TermId): TermId | undefined {
  const term = m.store.term(leaf);
  const name = m.store.term(key);
  if (term.kind !== 'observe' || name.kind !== 'constant' || name.value.type !== 'string') return undefined;
  const parameters = m.library.entry(term.behaviour.callee, 'call')?.parameters ?? m.library.entry(term.behaviour.callee, 'attribute')?.parameters;
  const at = ['self', ...(parameters ?? []).map((parameter) => parameter.name)].indexOf(name.value.value);
  return at < 0 ? undefined : term.args[at];
}

/** The n-th element of a list with guarded segments; null where there is none. */
function nthElement(m: Machine, segments: readonly Segment[], wanted: number, span: Span): TermId {
  const { store } = m;
  const { guards } = store;
  let result = store.null;
  let before: Guard[] = [TRUE];
  for (const segment of segments) {
    if (segment.kind === 'spread') {
      const reachable = guards.any(before.slice(0, wanted + 1));
      return reachable === FALSE ? result : m.stop('no-modelled-form', 'an element behind an unknown number of others', span, 'restrict the form');
    }
    for (const item of segment.items) {
      const here = guards.and(segment.when, before[wanted] ?? FALSE);
      result = conditional(store, here, item, result);
      const next: Guard[] = [];
      for (let k = 0; k <= before.length; k += 1)
        next.push(guards.or(guards.and(before[k] ?? FALSE, guards.not(segment.when)), guards.and(before[k - 1] ?? FALSE, segment.when)));
      before = next;
    }
  }
  return result;
}
