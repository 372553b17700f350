/**
 * Enum classes: members as immutable terms `py.enum(class, name, value)`, equal only to themselves, or by value where the
 * class also is a `str` or an `int`. Classes that define how members are made are not modelled.
 */
import { conditional } from '../../analysis/construct.js';
import { FALSE } from '../../analysis/guards.js';
import type { Machine } from '../../analysis/machine.js';
import { classLineage, findMethod } from '../../analysis/members.js';
import { loadTime } from '../../analysis/modules.js';
import type { CallArguments } from '../../analysis/state.js';
import type { TermId } from '../../analysis/terms.js';
import { concat } from '../../analysis/text-tests.js';
import type { Expression } from '../../ir/nodes.js';
import type { Span } from '../../ir/span.js';
import { constantsEqual, dataEquals } from './data-equality.js';
import { raise, unsupported } from './failures.js';
import { ENUM_FN, type EnumMember } from './kinds.js';
import { identityOf } from './names.js';
import { constantOf, intOf, stringOf } from './terms.js';

interface EnumClass {
  readonly mixin: 'str' | 'int' | undefined;
  /** `StrEnum` and `IntEnum`: the text of a member is the text of its value. */
  readonly plainText: boolean;
  /** In order, aliases apart. */
  readonly members: readonly TermId[];
  readonly byName: ReadonlyMap<string, TermId>;
}

const ENUM_BASES: ReadonlySet<string> = new Set(['py:enum#Enum', 'py:enum#StrEnum', 'py:enum#IntEnum']);
const MAKING_METHODS = ['__new__', '__init__', '_missing_', '_generate_next_value_', '__eq__', '__hash__', '__bool__', '__getattr__', '__getattribute__'];
const known = new WeakMap<Machine, Map<TermId, EnumClass | 'none' | 'stopped'>>();

/** Undefined: no enum class, or a stop (then the path is dead). */
export function enumClass(machine: Machine, classTerm: TermId, span: Span): EnumClass | undefined {
  if (machine.store.term(classTerm).kind !== 'class') return undefined;
  const cache = known.get(machine) ?? new Map<TermId, EnumClass | 'none' | 'stopped'>();
  known.set(machine, cache);
  let found = cache.get(classTerm);
  if (found === undefined) {
    found = readEnumClass(machine, classTerm, span);
    cache.set(classTerm, found);
  }
  if (found === 'stopped') unsupported(machine, 'an enum class whose members are made by code', span, 'give the members constant values');
  return typeof found === 'string' ? undefined : found;
}

function readEnumClass(machine: Machine, classTerm: TermId, span: Span): EnumClass | 'none' | 'stopped' {
  const lineage = classLineage(machine, classTerm, span);
  if (lineage === undefined) return 'none';
  const external = lineage.filter((ancestor) => ancestor.kind === 'external').map((ancestor) => ancestor.identity);
  if (!external.some((identity) => identity.startsWith('py:enum#'))) return 'none';
  if (external.some((identity) => identity.startsWith('py:enum#') && !ENUM_BASES.has(identity) && identity !== 'py:enum#ReprEnum')) return 'stopped';
  if (MAKING_METHODS.some((name) => findMethod(machine, classTerm, name) !== undefined)) return 'stopped';
  const plainText = external.includes('py:enum#StrEnum') || external.includes('py:enum#IntEnum');
  const mixin =
    external.includes('py:enum#StrEnum') || external.includes('py:builtins#str')
      ? 'str'
      : external.includes('py:enum#IntEnum') || external.includes('py:builtins#int')
        ? 'int'
        : undefined;
  const others = external.filter(
    (identity) => !identity.startsWith('py:enum#') && !['py:builtins#str', 'py:builtins#int', 'py:builtins#object'].includes(identity),
  );
  if (others.length > 0) return 'stopped';
  return readMembers(machine, classTerm, mixin, plainText, external.includes('py:enum#StrEnum'));
}

function readMembers(machine: Machine, classTerm: TermId, mixin: EnumClass['mixin'], plainText: boolean, lowerNames: boolean): EnumClass | 'stopped' {
  const { store } = machine;
  const term = store.term(classTerm);
  const definition = term.kind === 'class' ? machine.program.classes.get(term.class) : undefined;
  if (definition === undefined) return 'stopped';
  const members: TermId[] = [];
  const byName = new Map<string, TermId>();
  let last = 0n;
  for (const field of definition.fields) {
    if (field.default === undefined) continue;
    if (field.name.startsWith('_')) return 'stopped';
    const value = isAuto(machine, definition.module, field.default)
      ? autoValue(machine, field.name, last, lowerNames, mixin)
      : loadedValue(machine, definition.module, field.default);
    const constant = value === undefined ? undefined : constantOf(store, value);
    if (value === undefined || constant === undefined || byName.has(field.name)) return 'stopped';
    if ((mixin === 'str' && constant.type !== 'string') || (mixin === 'int' && constant.type !== 'int')) return 'stopped';
    last = intOf(store, value) ?? last;
    const same = members.find((member) => constantsEqual(constantOf(store, memberParts(machine, member).value)!, constant));
    const member = same ?? store.intern({ kind: 'apply', fn: ENUM_FN, args: [classTerm, store.string(field.name), value], type: mixin ?? 'py:enum#Enum' });
    if (same === undefined) members.push(member);
    byName.set(field.name, member);
  }
  return { mixin, plainText, members, byName };
}

function isAuto(machine: Machine, module: string, expression: Expression): boolean {
  return expression.kind === 'call' && identityOf(machine, module, expression.callee) === 'py:enum#auto';
}

function autoValue(machine: Machine, name: string, last: bigint, lowerNames: boolean, mixin: EnumClass['mixin']): TermId | undefined {
  if (lowerNames) return /^[\x00-\x7f]*$/.test(name) ? machine.store.string(name.toLowerCase()) : undefined;
  return mixin === 'str' ? undefined : machine.store.int(last + 1n);
}

function loadedValue(machine: Machine, module: string, expression: Expression): TermId | undefined {
  const loaded = loadTime(machine, module, () => machine.evaluate(expression));
  return loaded.kind === 'value' ? loaded.value : undefined;
}

export function memberParts(machine: Machine, member: TermId): EnumMember {
  const term = machine.store.term(member);
  const args = term.kind === 'apply' && term.fn === ENUM_FN ? term.args : [member, member, member];
  const type = term.kind === 'apply' ? term.type : undefined;
  return { class: args[0]!, name: args[1]!, value: args[2]!, mixin: type === 'str' || type === 'int' ? type : undefined };
}

/** Members in order, where the value is an enum class. */
export function enumMembers(machine: Machine, classTerm: TermId, span: Span): readonly TermId[] | undefined {
  return enumClass(machine, classTerm, span)?.members;
}

export function enumMember(machine: Machine, classTerm: TermId, name: string, span: Span): TermId | undefined {
  return enumClass(machine, classTerm, span)?.byName.get(name);
}

/** `Color["RED"]`. */
export function enumMemberByName(machine: Machine, classTerm: TermId, key: TermId, span: Span): TermId | undefined {
  const found = enumClass(machine, classTerm, span);
  if (found === undefined) return undefined;
  const { store } = machine;
  const name = stringOf(store, key);
  const member = name === undefined ? undefined : found.byName.get(name);
  if (member !== undefined) return member;
  if (constantOf(store, key) !== undefined) {
    machine.raise('py:builtins#KeyError', [key]);
    return store.null;
  }
  return unsupported(machine, 'an enum member is looked up by a computed name', span, 'look it up by value');
}

/** `Color(value)`: the member with this value, or ValueError. */
export function enumLookup(machine: Machine, classTerm: TermId, args: CallArguments, span: Span): TermId | undefined {
  const found = enumClass(machine, classTerm, span);
  if (found === undefined) return undefined;
  const { store } = machine;
  const [argument, ...others] = args.positional;
  if (argument?.kind !== 'value' || others.length > 0 || args.keywords.length > 0)
    return unsupported(machine, 'an enum class is called with more than a value', span);
  const value = argument.value;
  let known = FALSE;
  let result: TermId | undefined;
  for (const member of found.members) {
    const hit = store.guards.or(dataEquals(machine, value, memberParts(machine, member).value), dataEquals(machine, value, member));
    if (hit === FALSE) continue;
    result = result === undefined ? member : conditional(store, hit, member, result);
    known = store.guards.or(known, hit);
  }
  raise(machine, 'value', 'value is not a valid member of the enum', store.guards.not(known));
  return machine.dead || result === undefined ? store.null : result;
}

/**
 * Text of a member in CPython 3.11 and newer: `StrEnum` and `IntEnum` members are their value in `str` and `format`; every
 * other class, `(str, Enum)` too, gives `Class.NAME`. Before 3.11 `format` of a `(str, Enum)` member gave the value.
 */
export function overrideFormat(machine: Machine, member: EnumMember, conversion: string, span: Span): TermId | undefined {
  const { store } = machine;
  const found = enumClass(machine, member.class, span);
  const term = store.term(member.class);
  const name = term.kind === 'class' ? machine.program.classes.get(term.class)?.name : undefined;
  if (
    found === undefined ||
    name === undefined ||
    ['__str__', '__repr__', '__format__'].some((method) => findMethod(machine, member.class, method) !== undefined)
  )
    return undefined;
  if (conversion === 'repr' || conversion === 'ascii') return undefined;
  if (!found.plainText) return concat(store, [store.string(`${name}.`), member.name]);
  return found.mixin === 'str' ? member.value : machine.apply('py.str', [member.value], 'str');
}
