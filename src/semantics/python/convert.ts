/**
 * Text of values: `str`, `repr`, f-strings, `format` and `%`. The conversion `value` gives the builtin value that an enum
 * member also is, and any other value itself.
 */
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import { concat } from '../../analysis/text-tests.js';
import type { Span } from '../../ir/span.js';
import { raise, unsupported } from './failures.js';
import { formatConstant } from './format-spec.js';
import { isType, overSettled, typeName, type Kind } from './kinds.js';
import { callSpecial, isException } from './methods.js';
import { reprConstant } from './repr.js';
import { constantOf, itemsOf, stringOf } from './terms.js';
import { overrideFormat } from './enums.js';

export type Conversion = 'format' | 'str' | 'repr' | 'ascii';

export function convert(machine: Machine, conversion: string, value: TermId, format: TermId | undefined, span: Span): TermId {
  if (conversion === 'value')
    return overSettled(machine, value, [], (leaf, kind) => (kind.kind === 'enum' && kind.member.mixin !== undefined ? kind.member.value : leaf));
  const name: Conversion = conversion === 'repr' || conversion === 'ascii' || conversion === 'str' ? conversion : 'format';
  const spec = format === undefined ? '' : stringOf(machine.store, format);
  if (spec === undefined) return unsupported(machine, 'a value is formatted by a computed format', span, 'use a constant format');
  if (name !== 'format' && spec !== '') return formatted(machine, convert(machine, name, value, undefined, span), spec, span);
  if (spec !== '') return formatted(machine, value, spec, span);
  return overSettled(machine, value, ['str'], (leaf, kind) => textOfKind(machine, name, leaf, kind, span));
}

function textOfKind(machine: Machine, conversion: Conversion, leaf: TermId, kind: Kind, span: Span): TermId {
  const { store } = machine;
  const fn = conversion === 'repr' || conversion === 'ascii' ? `py.${conversion}` : 'py.str';
  const asText = fn === 'py.str';
  switch (kind.kind) {
    case 'builtin': {
      if (asText && kind.type === 'str') return leaf;
      const constant = constantOf(store, leaf);
      if (constant !== undefined) {
        const text = reprConstant(constant, conversion === 'ascii');
        if (text !== undefined) return store.string(text);
      }
      if (holdsObjects(machine, leaf)) return unsupported(machine, 'a collection of instances is turned into text', span, 'turn its elements into text');
      return machine.apply(fn, [machine.freeze(leaf)], 'str');
    }
    case 'json':
      return machine.apply(fn, [leaf], 'str');
    case 'enum': {
      const override = overrideFormat(machine, kind.member, conversion, span);
      return override ?? unsupported(machine, 'an enum member is turned into text', span, 'use its value');
    }
    case 'library':
    case 'instance': {
      if (isException(machine, kind, leaf)) return exceptionText(machine, conversion, leaf, kind, span);
      const names = asText ? (conversion === 'format' ? ['__format__', '__str__', '__repr__'] : ['__str__', '__repr__']) : ['__repr__'];
      for (const name of names) {
        const special = callSpecial(machine, leaf, kind, name, name === '__format__' ? [store.string('')] : [], span);
        if (special !== undefined && special !== 'absent') return special;
        if (special === undefined && kind.kind === 'instance') break;
      }
      const type = kind.kind === 'library' ? kind.type : 'the instance';
      if (kind.kind === 'instance') return machine.apply(fn, [machine.freeze(leaf)], 'str');
      return machine.stop('unreviewed-callee', `${type} is turned into text`, span, `add an inventory entry for ${type}.__str__`);
    }
    case 'unknown':
      // The text of what a call returned or threw depends on nothing else.
      return machine.apply(fn, [machine.freeze(leaf)], 'str');
    case 'range':
    case 'function':
    case 'class':
    case 'module':
    case 'external':
    case 'special':
      return machine.apply(fn, [machine.freeze(leaf)], 'str');
    case 'view':
    case 'suspended':
    case 'optional':
      return unsupported(machine, `a ${typeName(kind)} is turned into text`, span);
  }
}

/** Instances inside a collection may have a `__repr__` of their own. */
function holdsObjects(machine: Machine, value: TermId): boolean {
  const items = itemsOf(machine, value) ?? [];
  return items.some((item) => machine.leaves(item).some(({ leaf }) => machine.object(leaf)?.kind === 'instance' || machine.object(leaf)?.kind === 'suspended'));
}

/** `str(e)` is its only argument, or all of them. */
function exceptionText(machine: Machine, conversion: Conversion, leaf: TermId, kind: Kind, span: Span): TermId {
  const { store } = machine;
  const asText = conversion === 'str' || conversion === 'format';
  if (kind.kind === 'instance') {
    const special = callSpecial(machine, leaf, kind, asText ? '__str__' : '__repr__', [], span);
    if (special !== undefined && special !== 'absent') return special;
    const args = kind.object.fields.get('args');
    const items = args === undefined ? undefined : itemsOf(machine, args);
    const isKeyError = store.term(kind.object.class).kind === 'external' && machine.classIdentity(kind.object.class) === store.string('py:builtins#KeyError');
    if (asText && items !== undefined && !isKeyError) {
      if (items.length === 0) return store.string('');
      if (items.length === 1) return convert(machine, 'str', items[0]!, undefined, span);
    }
    if (asText && isKeyError && items?.length === 1) return convert(machine, 'repr', items[0]!, undefined, span);
  }
  return machine.apply(asText ? 'py.str' : 'py.repr', [machine.freeze(leaf)], 'str');
}

/** `format(value, spec)` with a constant, non-empty spec. */
function formatted(machine: Machine, value: TermId, spec: string, span: Span): TermId {
  return overSettled(machine, value, ['str', 'int', 'float', 'bool', 'none'], (leaf, kind) => {
    const constant = constantOf(machine.store, leaf);
    if (constant !== undefined) {
      const text = formatConstant(constant, spec);
      if (text !== undefined) return machine.store.string(text);
    }
    if (kind.kind === 'library') {
      const special = callSpecial(machine, leaf, kind, '__format__', [machine.store.string(spec)], span);
      if (special !== undefined && special !== 'absent') return special;
    }
    if (isType(kind, 'none', 'list', 'dict', 'tuple', 'set')) return raise(machine, 'type', `unsupported format string passed to ${typeName(kind)}.__format__`);
    const fits =
      (isType(kind, 'str') && /^(.?[<>^])?\d*s?$/.test(spec)) ||
      (isType(kind, 'int', 'float') && /^(.?[<>^])?[+ -]?0?\d*,?(\.\d+)?[fF%eEgG]$/.test(spec)) ||
      (isType(kind, 'int') && /^(.?[<>^])?[+ -]?0?\d*[,_]?[dxXbo]?$/.test(spec));
    if (!fits) return unsupported(machine, `a value is formatted by ${JSON.stringify(spec)}`, span, 'use a plain conversion');
    return machine.apply('py.format', [leaf, machine.store.string(spec)], 'str');
  });
}

/** `template % values` with a constant template of `%s`, `%r`, `%d` and `%%`. */
export function percentFormat(machine: Machine, template: TermId, values: TermId, span: Span): TermId {
  const { store } = machine;
  const text = stringOf(store, template);
  if (text === undefined) return unsupported(machine, 'text is formatted by a computed template', span, 'use a constant template');
  const pieces = text.split(/(%.)/s);
  const kinds = pieces.filter((piece) => piece.startsWith('%') && piece !== '%%');
  if (kinds.some((piece) => !['%s', '%r', '%d'].includes(piece)) || (text.match(/%/g)?.length ?? 0) % 1 !== 0)
    return unsupported(machine, `the template ${JSON.stringify(text)}`, span, 'use an f-string');
  const isTuple = machine.typeOf(values) === 'tuple';
  const items = isTuple ? itemsOf(machine, values) : [values];
  if (items === undefined || (!isTuple && machine.typeOf(values) === undefined && kinds.length !== 1))
    return unsupported(machine, 'text is formatted with a tuple of unknown length', span, 'use an f-string');
  if (items.length !== kinds.length) return raise(machine, 'type', 'wrong number of arguments for format string');
  let at = 0;
  const parts: TermId[] = [];
  for (const piece of pieces) {
    if (!piece.startsWith('%') || piece.length < 2) parts.push(store.string(piece));
    else if (piece === '%%') parts.push(store.string('%'));
    else {
      const item = items[at]!;
      at += 1;
      if (piece === '%d') {
        const type = machine.typeOf(item);
        if (type !== 'int') return unsupported(machine, '%d with a value that is not known to be an int', span, 'use an f-string');
        parts.push(convert(machine, 'str', item, undefined, span));
      } else parts.push(convert(machine, piece === '%s' ? 'str' : 'repr', item, undefined, span));
    }
    if (machine.dead) return store.null;
  }
  return concat(store, parts);
}
