/** `str`, `repr`, `format`, `int`, `float`, `bool`, `str.join`, `str.format`. */
import { list } from '../../../analysis/construct.js';
import { FALSE } from '../../../analysis/guards.js';
import type { Intrinsic } from '../../../analysis/language.js';
import type { Machine } from '../../../analysis/machine.js';
import type { TermId } from '../../../analysis/terms.js';
import { concat } from '../../../analysis/text-tests.js';
import type { Span } from '../../../ir/span.js';
import { convert } from '../convert.js';
import { raise, unsupported } from '../failures.js';
import { isType, overSettled, typeName } from '../kinds.js';
import { callSpecial } from '../methods.js';
import { boolTerm, constantOf, floatTerm, intOf, itemsOf, smallIntOf, stringOf } from '../terms.js';
import { truthy } from '../truth.js';
import { collectElements } from './collections.js';
import { keywordArguments, parameter, receiver } from './parameters.js';

const text: Intrinsic = (machine, call) => {
  if (call.arguments.positional.length === 0 && call.arguments.keywords.length === 0) return machine.store.string('');
  if (call.arguments.positional.length > 1 || call.arguments.keywords.length > 0) return unsupported(machine, 'str with an encoding', call.span, 'use decode');
  return convert(machine, 'str', parameter(machine, call, 'obj'), undefined, call.span);
};

const repr: Intrinsic = (machine, call) => convert(machine, 'repr', parameter(machine, call, 'obj'), undefined, call.span);

const format: Intrinsic = (machine, call) => convert(machine, 'format', parameter(machine, call, 'value'), parameter(machine, call, 'spec'), call.span);

const toBool: Intrinsic = (machine, call) => boolTerm(machine.store, truthy(machine, parameter(machine, call, 'x'), call.span));

const toInt: Intrinsic = (machine, call) => {
  const { store } = machine;
  const base = smallIntOf(store, parameter(machine, call, 'base')) ?? 10;
  const hasBase = call.arguments.positional.length > 1 || call.arguments.keywords.length > 0;
  return overSettled(machine, parameter(machine, call, 'x'), ['int', 'str', 'float', 'bool'], (leaf, kind) => {
    if (kind.kind === 'enum' && kind.member.mixin !== undefined && !hasBase)
      return kind.member.mixin === 'int' ? kind.member.value : unsupported(machine, 'int of an enum member', call.span);
    if (hasBase && !isType(kind, 'str')) return raise(machine, 'type', `int() can't convert non-string with explicit base`);
    if (isType(kind, 'int')) return leaf;
    if (isType(kind, 'bool')) {
      const value = intOf(store, leaf);
      return value === undefined ? machine.apply('py.int', [leaf], 'int') : store.int(value);
    }
    if (isType(kind, 'float')) return floatToInt(machine, leaf);
    if (isType(kind, 'str')) return textToNumber(machine, 'py.int', [leaf, store.int(base)], 'int');
    return otherNumber(machine, leaf, kind, '__int__', 'int', call.span);
  });
};

function otherNumber(machine: Machine, leaf: TermId, kind: Parameters<typeof callSpecial>[2], name: string, fn: string, span: Span): TermId {
  if (kind.kind === 'library' || kind.kind === 'instance') {
    const special = callSpecial(machine, leaf, kind, name, [], span);
    if (special !== undefined && special !== 'absent') return special;
    if (special === undefined) return unsupported(machine, `${fn} of a library value`, span, `add an inventory entry for its ${name}`);
  }
  if (kind.kind === 'unknown' || kind.kind === 'external' || isType(kind, 'bytes'))
    return unsupported(machine, `${fn} of a value of unknown type`, span, 'declare the type of the callee that returned it in its inventory');
  return raise(machine, 'type', `${fn}() argument must be a string or a real number, not '${typeName(kind)}'`);
}

function floatToInt(machine: Machine, leaf: TermId): TermId {
  const value = constantOf(machine.store, leaf);
  if (value?.type === 'float')
    return Number.isFinite(value.value) ? machine.store.int(BigInt(Math.trunc(value.value))) : raise(machine, 'value', 'cannot convert float to integer');
  // Only infinities and NaN are refused; JSON has neither.
  if (machine.store.term(leaf).kind !== 'argument') raise(machine, 'value', 'cannot convert float to integer', machine.test('py.notFinite', [leaf]));
  return machine.dead ? machine.store.null : machine.apply('py.int', [leaf], 'int');
}

/** Text to a number; the named test says for which texts it throws ValueError. */
function textToNumber(machine: Machine, fn: 'py.int' | 'py.float', args: readonly TermId[], type: string): TermId {
  raise(machine, 'value', 'invalid literal', machine.test(`${fn}Invalid`, args));
  return machine.dead ? machine.store.null : machine.apply(fn, args, type);
}

const toFloat: Intrinsic = (machine, call) => {
  const { store } = machine;
  return overSettled(machine, parameter(machine, call, 'x'), ['float', 'int', 'str', 'bool'], (leaf, kind) => {
    if (isType(kind, 'float')) return leaf;
    if (isType(kind, 'int', 'bool')) {
      const value = intOf(store, leaf);
      const float = value === undefined ? undefined : Number(value);
      if (float !== undefined && Number.isFinite(float)) return floatTerm(store, float);
      return value === undefined ? machine.apply('py.float', [leaf], 'float') : unsupported(machine, 'float of an integer out of range', call.span);
    }
    if (isType(kind, 'str')) return textToNumber(machine, 'py.float', [leaf], 'float');
    return otherNumber(machine, leaf, kind, '__float__', 'float', call.span);
  });
};

/** `sep.join(items)`: literal where every element is known to be there; elements that are not text throw. */
const join: Intrinsic = (machine, call) => {
  const { store } = machine;
  const separator = receiver(machine, call);
  const content = collectElements(machine, parameter(machine, call, 'items'), 'list', call.span);
  if (machine.dead) return store.null;
  return machine.overLeaves(content, (leaf) => {
    const items = itemsOf(machine, leaf);
    if (items !== undefined) {
      const parts: TermId[] = [];
      for (const [at, item] of items.entries()) {
        if (at > 0) parts.push(separator);
        parts.push(requireText(machine, item, call.span));
        if (machine.dead) return store.null;
      }
      return concat(store, parts);
    }
    return joinSymbolic(machine, separator, leaf, call.span);
  });
};

function requireText(machine: Machine, item: TermId, span: Span): TermId {
  return overSettled(machine, item, ['str'], (leaf, kind) => {
    if (isType(kind, 'str')) return leaf;
    if (kind.kind === 'enum' && kind.member.mixin === 'str') return kind.member.value;
    if (kind.kind === 'unknown' || kind.kind === 'external')
      return unsupported(machine, 'a value of unknown type is joined', span, 'declare the type of the callee that returned it in its inventory');
    return raise(machine, 'type', `sequence item: expected str instance, ${typeName(kind)} found`);
  });
}

function joinSymbolic(machine: Machine, separator: TermId, leaf: TermId, span: Span): TermId {
  const { store } = machine;
  const term = store.term(leaf);
  if (term.kind !== 'list') return unsupported(machine, 'a collection of unknown shape is joined', span);
  const segments: (typeof term.segments)[number][] = [];
  let bad = FALSE;
  for (const segment of term.segments) {
    if (segment.kind === 'items') {
      const items: TermId[] = [];
      machine.branchDo(segment.when, () => {
        for (const item of segment.items) items.push(requireText(machine, item, span));
      });
      if (machine.dead) return store.null;
      segments.push({ ...segment, items });
      continue;
    }
    const type = machine.typeOf(segment.of);
    if (type !== 'list<str>' && type !== 'str') {
      if (type !== undefined && type !== 'json' && !type.startsWith('list')) return unsupported(machine, 'a collection of unknown elements is joined', span);
      bad = store.guards.or(bad, store.guards.and(segment.when, store.guards.not(machine.test('py.allText', [machine.freeze(segment.of)]))));
    }
    segments.push(segment);
  }
  raise(machine, 'type', 'sequence item: expected str instance', bad);
  if (machine.dead) return store.null;
  return machine.apply('py.join', [separator, machine.freeze(list(store, 'list', segments))], 'str');
}

/** `template.format(…)` with a constant template of plain fields. */
const formatMethod: Intrinsic = (machine, call) => {
  const { store } = machine;
  const template = stringOf(store, receiver(machine, call));
  const keywords = keywordArguments(call);
  const values = call.arguments.positional.map((argument) => (argument.kind === 'value' ? argument.value : undefined));
  if (template === undefined || keywords === undefined || values.includes(undefined))
    return unsupported(machine, 'format with a computed template or spread arguments', call.span, 'use an f-string');
  const parts: TermId[] = [];
  let automatic = 0;
  const pattern = /\{\{|\}\}|\{([A-Za-z_][A-Za-z_0-9]*|\d*)(?:!([rsa]))?(?::([^{}]*))?\}|[{}]|[^{}]+/g;
  for (const match of template.matchAll(pattern)) {
    const [piece, field, conversion, spec] = match;
    if (piece === '{{' || piece === '}}') parts.push(store.string(piece[0]!));
    else if (piece === '{' || piece === '}') return unsupported(machine, `the format template ${JSON.stringify(template)}`, call.span, 'use an f-string');
    else if (field === undefined) parts.push(store.string(piece));
    else {
      const value = field === '' ? values[automatic++] : /^\d+$/.test(field) ? values[Number(field)] : keywords.get(field);
      if (value === undefined)
        return field === '' || /^\d+$/.test(field) ? raise(machine, 'index', 'Replacement index out of range') : raise(machine, 'key', field);
      const kind = conversion === 'r' ? 'repr' : conversion === 'a' ? 'ascii' : conversion === 's' ? 'str' : 'format';
      parts.push(convert(machine, kind, value, spec === undefined ? undefined : store.string(spec), call.span));
    }
    if (machine.dead) return store.null;
  }
  return concat(store, parts);
};

/** `startswith` and `endswith`: one text or a tuple of texts. */
function affix(test: 'text.startsWith' | 'text.endsWith'): Intrinsic {
  return (machine, call) => {
    const { store } = machine;
    const [operand, ...bounds] = call.arguments.positional;
    if (call.arguments.keywords.length > 0 || operand === undefined) return raise(machine, 'type', 'startswith and endswith take positional arguments');
    if (operand.kind !== 'value' || bounds.length > 0) return unsupported(machine, 'startswith or endswith with a range', call.span, 'slice the text first');
    const subject = receiver(machine, call);
    return overSettled(machine, operand.value, ['str'], (leaf, kind) => {
      if (kind.kind === 'enum' && kind.member.mixin === 'str') return boolTerm(store, machine.textTest(test, [subject, kind.member.value]));
      if (isType(kind, 'str')) return boolTerm(store, machine.textTest(test, [subject, leaf]));
      if (kind.kind === 'unknown' || kind.kind === 'external')
        return unsupported(machine, 'a prefix of unknown type', call.span, 'declare the type of the callee that returned it in its inventory');
      const options = isType(kind, 'tuple') ? itemsOf(machine, leaf) : undefined;
      if (isType(kind, 'tuple') && options === undefined) return unsupported(machine, 'a tuple of prefixes of unknown length', call.span);
      if (options === undefined) return raise(machine, 'type', `first arg must be str or a tuple of str, not ${typeName(kind)}`);
      // An option that is no text throws only when no option before it fits.
      if (options.some((option) => machine.typeOf(option) !== 'str'))
        return unsupported(machine, 'a tuple of prefixes that are not all known to be text', call.span);
      return boolTerm(store, store.guards.any(options.map((option) => machine.textTest(test, [subject, option]))));
    });
  };
}

export const SCALAR_INTRINSICS: readonly (readonly [string, Intrinsic])[] = [
  ['str', text],
  ['repr', repr],
  ['format', format],
  ['bool', toBool],
  ['int', toInt],
  ['float', toFloat],
  ['str.join', join],
  ['str.format', formatMethod],
  ['py:builtins#str.startswith', affix('text.startsWith')],
  ['py:builtins#str.endswith', affix('text.endsWith')],
];
