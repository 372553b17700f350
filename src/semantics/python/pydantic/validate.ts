/**
 * Validation and coercion of one value as pydantic 2 does it in lax mode: where it is accepted, and what it becomes.
 * Texts that stand for numbers and booleans are named tests and operations that fold on known texts.
 */
import { conditional, list, plainItems } from '../../../analysis/construct.js';
import { FALSE, TRUE } from '../../../analysis/guards.js';
import type { Machine } from '../../../analysis/machine.js';
import type { Guard, TermId } from '../../../analysis/terms.js';
import { unreachable } from '../../../base/errors.js';
import type { Span } from '../../../ir/span.js';
import { dataEquals } from '../data-equality.js';
import { enumClass, memberParts } from '../enums.js';
import { kindOf } from '../kinds.js';
import { floatTerm } from '../terms.js';
import { encodeType } from './encode-type.js';
import type { Constraints, ModelType, ScalarName } from './model-type.js';

export interface Validated {
  readonly accepted: Guard;
  /** Means something only where `accepted` holds. */
  readonly value: TermId;
  /** Accepted without any coercion: decides between the members of a union. */
  readonly exact: Guard;
}

/** Validates a nested model; given by model.ts, which depends on this file. */
export type ValidateModel = (classTerm: TermId, value: TermId) => Validated | { readonly problem: string };

export interface Validation {
  readonly machine: Machine;
  readonly span: Span;
  readonly model: ValidateModel;
  problem?: string;
}

const nothing = (validation: Validation, problem?: string): Validated => {
  if (problem !== undefined) validation.problem ??= problem;
  return { accepted: FALSE, exact: FALSE, value: validation.machine.store.null };
};

export function validate(validation: Validation, type: ModelType, value: TermId): Validated {
  switch (type.kind) {
    case 'any':
      return { accepted: TRUE, exact: TRUE, value };
    case 'scalar':
      return limited(validation, scalar(validation, type.type, value), type.type, type.constraints);
    case 'list':
      return limited(validation, validateList(validation, type.item, value), 'list', type.constraints);
    case 'dict':
      return validateDict(validation, type.value, value);
    case 'union':
      return validateUnion(validation, type.options, value);
    case 'literal':
      return validateChoice(
        validation,
        type.values.map((option) => ({ matches: dataEquals(validation.machine, value, option), result: option })),
        true,
      );
    case 'enum':
      return validateEnum(validation, type.class, value);
    case 'model': {
      const result = validation.model(type.class, value);
      return 'problem' in result ? nothing(validation, result.problem) : result;
    }
    case 'url':
      return validateUrl(validation, type.identity, value);
    case 'context':
      return nothing(validation, 'a context object inside the arguments');
    case 'unsupported':
      return nothing(validation, type.reason);
    default:
      return unreachable(type);
  }
}

/** Alternatives that exclude each other: where each applies and what it gives. */
function alternatives(validation: Validation, exact: Guard, options: readonly { readonly when: Guard; readonly value: () => TermId }[]): Validated {
  const { store } = validation.machine;
  let accepted: Guard = FALSE;
  let value: TermId | undefined;
  for (const option of options) {
    if (option.when === FALSE) continue;
    value = value === undefined ? option.value() : conditional(store, option.when, option.value(), value);
    accepted = store.guards.or(accepted, option.when);
  }
  return { accepted, exact, value: value ?? store.null };
}

function scalar(validation: Validation, type: ScalarName, value: TermId): Validated {
  const { machine } = validation;
  const { store } = machine;
  const kind = kindOf(machine, value);
  const plain = kind.kind === 'enum' && kind.member.mixin !== undefined ? kind.member.value : value;
  const is = (json: Parameters<Machine['hasType']>[1]): Guard => machine.hasType(plain, json);
  const both = (when: Guard, test: () => Guard): Guard => (when === FALSE ? FALSE : store.guards.and(when, test()));
  const isTrue = machine.equal(plain, store.true);
  switch (type) {
    case 'none': {
      const accepted = machine.isNull(plain);
      return { accepted, exact: accepted, value: store.null };
    }
    case 'str': {
      const accepted = is('string');
      return { accepted, exact: accepted, value: plain };
    }
    case 'int':
      return alternatives(validation, is('integer'), [
        { when: is('integer'), value: () => plain },
        { when: is('boolean'), value: () => conditional(store, isTrue, store.int(1), store.int(0)) },
        { when: both(is('float'), () => machine.test('py.integralFloat', [plain])), value: () => machine.apply('py.int', [plain], 'int') },
        { when: both(is('string'), () => machine.test('py.pydantic.intText', [plain])), value: () => machine.apply('py.pydantic.int', [plain], 'int') },
      ]);
    case 'float':
      return alternatives(validation, is('float'), [
        { when: is('float'), value: () => plain },
        { when: is('integer'), value: () => machine.apply('py.float', [plain], 'float') },
        { when: is('boolean'), value: () => conditional(store, isTrue, floatTerm(store, 1), floatTerm(store, 0)) },
        { when: both(is('string'), () => machine.test('py.pydantic.floatText', [plain])), value: () => machine.apply('py.pydantic.float', [plain], 'float') },
      ]);
    case 'bool': {
      const one = store.guards.or(machine.equal(plain, store.int(1)), machine.equal(plain, floatTerm(store, 1)));
      const zero = store.guards.or(machine.equal(plain, store.int(0)), machine.equal(plain, floatTerm(store, 0)));
      return alternatives(validation, is('boolean'), [
        { when: is('boolean'), value: () => plain },
        { when: one, value: () => store.true },
        { when: zero, value: () => store.false },
        { when: both(is('string'), () => machine.test('py.pydantic.boolText', [plain])), value: () => machine.apply('py.pydantic.bool', [plain], 'bool') },
      ]);
    }
    default:
      return unreachable(type);
  }
}

/** Limits hold for the coerced value. */
function limited(validation: Validation, validated: Validated, of: ScalarName | 'list', constraints: Constraints): Validated {
  const { machine } = validation;
  const { store } = machine;
  const { guards } = store;
  const { value } = validated;
  if (validated.accepted === FALSE || Object.keys(constraints).length === 0) return validated;
  const isNumber = of === 'int' || of === 'float';
  let accepted = validated.accepted;
  const require = (guard: Guard): void => {
    accepted = guards.and(accepted, guard);
  };
  if ((constraints.minLength ?? constraints.maxLength) !== undefined) {
    if (isNumber || of === 'bool') return nothing(validation, 'a length limit on a number');
    if (constraints.minLength !== undefined && constraints.minLength > 0)
      require(machine.test('py.lengthAtLeast', [machine.freeze(value), store.int(constraints.minLength)]));
    if (constraints.maxLength !== undefined)
      require(guards.not(machine.test('py.lengthAtLeast', [machine.freeze(value), store.int(constraints.maxLength + 1)])));
  }
  if (constraints.pattern !== undefined) {
    // pydantic's own engine has no look-around and its `$` stands only at the very end.
    if (of !== 'str') return nothing(validation, 'a pattern on something other than text');
    require(machine.test('py.pydantic.pattern', [store.string(constraints.pattern), value]));
  }
  const less = (left: TermId, right: TermId): Guard => machine.test('py.lt', [left, right]);
  if ((constraints.ge ?? constraints.gt ?? constraints.le ?? constraints.lt) !== undefined && !isNumber)
    return nothing(validation, 'a bound on something other than a number');
  if (constraints.ge !== undefined) require(guards.not(less(value, constraints.ge)));
  if (constraints.gt !== undefined) require(less(constraints.gt, value));
  if (constraints.le !== undefined) require(guards.not(less(constraints.le, value)));
  if (constraints.lt !== undefined) require(less(value, constraints.lt));
  return { accepted, exact: guards.and(validated.exact, accepted), value };
}

/** A new list, as validation makes one. */
function validateList(validation: Validation, item: ModelType, value: TermId): Validated {
  const { machine } = validation;
  const { store } = machine;
  const isArray = machine.hasType(value, 'array');
  if (isArray === FALSE) return nothing(validation);
  const content = machine.content(value);
  const copy = (of: TermId): TermId => machine.newList(list(store, 'list', [{ kind: 'spread', when: TRUE, of }]));
  if (item.kind === 'any') return { accepted: isArray, exact: isArray, value: copy(content) };
  const items = plainItems(store.term(content));
  if (items !== undefined) {
    const results = items.map((one) => validate(validation, item, one));
    const accepted = store.guards.all(results.map((result) => result.accepted));
    return {
      accepted,
      exact: store.guards.all(results.map((result) => result.exact)),
      value: machine.newList(list(store, 'list', [{ kind: 'items', when: TRUE, items: results.map((result) => result.value) }])),
    };
  }
  if (item.kind === 'scalar' && item.type === 'str' && Object.keys(item.constraints).length === 0) {
    const accepted = store.guards.and(isArray, machine.test('py.allText', [machine.freeze(content)]));
    return { accepted, exact: accepted, value: copy(content) };
  }
  const encoded = encodeType(store, item);
  if (encoded === undefined) return nothing(validation, 'a list of models');
  const args = [machine.freeze(content), encoded];
  const accepted = store.guards.and(isArray, machine.test('py.pydantic.itemsAccepted', args));
  const elementType = item.kind === 'scalar' ? item.type : 'json';
  return { accepted, exact: accepted, value: copy(machine.apply('py.pydantic.items', args, `list<${elementType}>`)) };
}

function validateDict(validation: Validation, valueType: ModelType, value: TermId): Validated {
  const { machine } = validation;
  const isObject = machine.hasType(value, 'object');
  if (isObject === FALSE) return nothing(validation);
  if (valueType.kind !== 'any') return nothing(validation, 'a dict whose values are checked');
  const content = machine.content(value);
  const term = machine.store.term(content);
  const copy = term.kind === 'record' ? content : machine.store.intern({ kind: 'record', fields: [], rest: content });
  return { accepted: isObject, exact: isObject, value: machine.newRecord(copy) };
}

/** The first member that takes the value as it is, else the first that can coerce it; an int is taken for a float before that. */
function validateUnion(validation: Validation, options: readonly ModelType[], value: TermId): Validated {
  const { machine } = validation;
  const { guards } = machine.store;
  if (options.some((option) => option.kind === 'any')) return nothing(validation, 'a union with Any');
  const structures = options.filter((option) => option.kind === 'list' || option.kind === 'dict' || option.kind === 'model');
  const kinds = new Set(structures.map((option) => (option.kind === 'list' ? 'array' : 'object')));
  if (kinds.size !== structures.length) return nothing(validation, 'a union of several lists or of several models');
  const results = options.map((option) => ({ option, result: validate(validation, option, value) }));
  if (validation.problem !== undefined) return nothing(validation);
  const isInt = machine.hasType(value, 'integer');
  const tiers = [
    ...results.map(({ result }) => ({ when: result.exact, value: result.value })),
    ...results.flatMap(({ option, result }) =>
      option.kind === 'scalar' && option.type === 'float' ? [{ when: guards.and(isInt, result.accepted), value: result.value }] : [],
    ),
    ...results.map(({ result }) => ({ when: result.accepted, value: result.value })),
  ];
  let accepted: Guard = FALSE;
  let chosen: TermId | undefined;
  for (const tier of tiers) {
    const fresh = guards.and(tier.when, guards.not(accepted));
    if (fresh === FALSE) continue;
    chosen = chosen === undefined ? tier.value : conditional(machine.store, accepted, chosen, tier.value);
    accepted = guards.or(accepted, tier.when);
  }
  return { accepted, exact: guards.any(results.map(({ result }) => result.exact)), value: chosen ?? machine.store.null };
}

function validateChoice(validation: Validation, options: readonly { readonly matches: Guard; readonly result: TermId }[], exact: boolean): Validated {
  const { store } = validation.machine;
  const result = alternatives(
    validation,
    FALSE,
    options.map((option) => ({ when: option.matches, value: () => option.result })),
  );
  return { ...result, exact: exact ? result.accepted : FALSE, value: result.accepted === FALSE ? store.null : result.value };
}

function validateEnum(validation: Validation, classTerm: TermId, value: TermId): Validated {
  const { machine } = validation;
  const found = enumClass(machine, classTerm, validation.span);
  if (found === undefined || found.mixin === 'int') return nothing(validation, 'an enum whose values are not text');
  if (found.members.includes(value)) return { accepted: TRUE, exact: TRUE, value };
  const options = found.members.map((member) => ({ matches: dataEquals(machine, value, memberParts(machine, member).value), result: member }));
  return validateChoice(validation, options, false);
}

/** URLs are parsed and normalised; for which texts that works is a named test. */
function validateUrl(validation: Validation, identity: string, value: TermId): Validated {
  const { machine } = validation;
  const isText = machine.hasType(value, 'string');
  if (isText === FALSE) return nothing(validation);
  const name = machine.store.string(identity);
  const accepted = machine.store.guards.and(isText, machine.test('py.pydantic.urlAccepted', [value, name]));
  return { accepted, exact: FALSE, value: machine.apply('py.pydantic.url', [value, name], identity) };
}
