/** Attributes of builtin values and enum members. A method is the library path `py:builtins#<type>.<name>` bound to its value. */
import type { Machine } from '../../analysis/machine.js';
import type { TermId } from '../../analysis/terms.js';
import type { Span } from '../../ir/span.js';
import { raise, unsupported } from './failures.js';
import { isException } from './methods.js';
import { JSON_TYPES, overKind, splitJson, typeName, type BuiltinType, type Kind, kindOf, builtinKind } from './kinds.js';
import { lookup, recordView } from './records.js';
import { superMember } from './super.js';

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const INT_NAMES = names('as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes');

/** `dir(type)` without the special names. */
const MEMBERS: Readonly<Record<BuiltinType, ReadonlySet<string>>> = {
  str: names(
    'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  ),
  list: names('append clear copy count extend index insert pop remove reverse sort'),
  dict: names('clear copy fromkeys get items keys pop popitem setdefault update values'),
  tuple: names('count index'),
  set: names(
    'add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
  ),
  int: INT_NAMES,
  bool: INT_NAMES,
  float: names('as_integer_ratio conjugate fromhex hex imag is_integer real'),
  bytes: names(
    'capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
  ),
  none: new Set(),
};

/** Undefined: no builtin value, the machine looks further. */
export function member(machine: Machine, object: TermId, name: string, span: Span): TermId | undefined {
  const inherited = superMember(machine, object, name, span);
  if (inherited !== undefined) return inherited;
  const kind = kindOf(machine, object);
  if (kind.kind === 'optional')
    return overKind(
      machine,
      object,
      kind,
      (leaf, inner) =>
        memberOfKind(machine, leaf, inner, name, span) ??
        machine.member(machine.store.intern({ kind: 'apply', fn: 'py.present', args: [leaf], ...typeOfInner(inner) }), name, span),
    );
  return memberOfKind(machine, object, kind, name, span);
}

function typeOfInner(kind: Kind): { type?: string } {
  return kind.kind === 'library' ? { type: kind.type } : {};
}

function memberOfKind(machine: Machine, object: TermId, kind: Kind, name: string, span: Span): TermId | undefined {
  switch (kind.kind) {
    case 'builtin':
      return builtinMember(machine, object, kind.type, name, span);
    case 'json': {
      const having = JSON_TYPES.filter((type) => MEMBERS[type].has(name));
      if (isSpecialName(name)) return unsupported(machine, `the member ${name} of a value of unknown type`, span);
      return splitJson(machine, object, having, (type) =>
        type === undefined ? raise(machine, 'attribute', `the value has no attribute '${name}'`) : builtinMember(machine, object, type, name, span),
      );
    }
    case 'enum':
      if (name === 'value' || name === '_value_') return kind.member.value;
      if (name === 'name' || name === '_name_') return kind.member.name;
      if (kind.member.mixin !== undefined && MEMBERS[kind.member.mixin].has(name))
        return builtinMember(machine, kind.member.value, kind.member.mixin, name, span);
      return unsupported(machine, `the member ${name} of an enum member`, span, 'use its value');
    case 'view':
    case 'range':
    case 'suspended':
    case 'special':
      return unsupported(machine, `the member ${name} of a ${typeName(kind)}`, span);
    case 'instance':
      return isException(machine, kind, object) && name === 'with_traceback' ? unsupported(machine, 'with_traceback', span) : undefined;
    case 'optional':
    case 'library':
    case 'function':
    case 'class':
    case 'module':
    case 'external':
    case 'unknown':
      return undefined;
  }
}

function isSpecialName(name: string): boolean {
  return name.startsWith('__') && name.endsWith('__');
}

function builtinMember(machine: Machine, object: TermId, type: BuiltinType, name: string, span: Span): TermId {
  const { store } = machine;
  if (type === 'dict') {
    const field = recordField(machine, object, name);
    if (field !== undefined) return field;
  }
  if (MEMBERS[type].has(name)) {
    const owner = type === 'bool' ? 'int' : type;
    return store.intern({ kind: 'external', identity: machine.library.canonical(`py:builtins#${owner}.${name}`), self: object });
  }
  if (isSpecialName(name)) return unsupported(machine, `the member ${name} of a ${typeName(builtinKind(type))}`, span);
  return raise(machine, 'attribute', `'${typeName(builtinKind(type))}' object has no attribute '${name}'`);
}

/** Records that an inventory returns are objects with fields, not dicts: their members are their keys. */
function recordField(machine: Machine, object: TermId, name: string): TermId | undefined {
  if (machine.store.term(object).kind !== 'record') return undefined;
  const view = recordView(machine, object);
  if (view === undefined || view.rest !== undefined) return undefined;
  const found = lookup(machine, view, machine.store.string(name));
  return found.present === 1 ? found.value : undefined;
}
