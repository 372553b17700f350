/**
 * Values, conditions and effects in words. Arguments are called by their names; what a value or a refusal is called comes
 * from the inventory where it says so. Long values lose their inner parts, never half a bracket.
 */
import { unreachable } from '../base/errors.js';
import type { ConstantValue } from '../ir/nodes.js';
import type { Deed, DeedDimension } from '../compatibility/doings.js';
import type { Claim, Condition, Fact, Value } from '../compatibility/facts.js';
import type { CalleeVocabulary, Vocabulary } from '../pipeline/vocabulary.js';
import { conjunction, disjunction, type Statement } from './conjunction.js';
import { printable } from './style.js';

/** A value in words, in characters: what fits a cell of a table. */
const VALUE_WORDS_MAX = 72;
const DEPTH_MAX = 6;
const CHOICES_SHOWN_MAX = 3;
/** Alternatives that are longer are told by what they share, if that says what is there. */
const CONDITION_SHORT_MAX = 100;
/** As many alternatives of a condition as fit are told. */
const CONDITION_WORDS_MAX = 200;

type CallValue = Extract<Value, { kind: 'call' }>;

export class Speaker {
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  value(value: Value): string {
    for (let depth = DEPTH_MAX; depth > 1; depth -= 1) {
      const text = this.#value(value, depth);
      if (text.length <= VALUE_WORDS_MAX) return text;
    }
    return this.#value(value, 1);
  }

  /** What the caller is told of. An inventory names it by a value, or by words and values: `["path", p]`. */
  told(value: Value): string {
    if (value.kind !== 'list') return this.value(value);
    const [first, ...rest] = value.items.map(({ value: item }) => item);
    if (first?.kind !== 'constant' || first.value.type !== 'string') return this.value(value);
    return [printable(first.value.value), ...rest.map((item) => this.value(item))].join(' of ');
  }

  /** `target starts with "-" and context_lines is omitted`; undefined where it always holds. */
  condition({ anyOf, more, always }: Condition): string | undefined {
    if (anyOf.length === 0) return 'never';
    const alternatives = disjunction(anyOf.map((facts) => facts.map((fact) => this.#statement(fact))));
    if (alternatives.includes('') && more === 0) return undefined;
    const shared = this.facts(always);
    if (shared !== '' && alternatives.join('; or ').length > CONDITION_SHORT_MAX) return `${shared}, with exceptions`;
    let shown = alternatives.length;
    while (shown > 1 && alternatives.slice(0, shown).join('; or ').length > CONDITION_WORDS_MAX) shown -= 1;
    const others = more + alternatives.length - shown;
    const rest = others === 0 ? [] : [`in ${String(others)} other ${others === 1 ? 'case' : 'cases'}`];
    return [...alternatives.slice(0, shown), ...rest].join('; or ');
  }

  /** All of them; empty for none. */
  facts(facts: readonly Fact[]): string {
    return conjunction(facts.map((fact) => this.#statement(fact)));
  }

  /** What the call does, without dimensions that `left` names. */
  deed(deed: Deed, left: ReadonlySet<string>): string {
    const operation = this.#vocabulary.operations.get(deed.operation);
    const inside = deed.contexts.map((context) => `, inside ${context.operation}${this.#dimensions(context.dimensions, new Set())}`).join('');
    return `${printable(operation?.words ?? deed.operation)}${this.#dimensions(deed.dimensions, left)}${inside}`;
  }

  /** `--fact target-is-a-revision=true or =false`: how the first fact of these can be declared that can. */
  declaration(facts: readonly Fact[]): string | undefined {
    for (const { claim } of facts) {
      const known = claim.kind === 'throws' && claim.call.kind === 'call' ? this.#vocabulary.facts.get(claim.call.callee) : undefined;
      if (known !== undefined) return `--fact ${known.id}=true or =false`;
    }
    return undefined;
  }

  #dimensions(dimensions: readonly DeedDimension[], left: ReadonlySet<string>): string {
    const shown = dimensions.filter(({ name, value }) => !left.has(name) && !isEmpty(value));
    if (shown.length === 0) return '';
    const words = shown.map(({ name, value, exact }) => {
      const text = this.value(value);
      // "the repository at x" says by itself that it is the repository, and "title" that it is the title.
      return text === name || text.startsWith(`the ${name} `) ? text : `${printable(name)} ${exact ? '' : 'about '}${text}`;
    });
    return ` (${words.join(', ')})`;
  }

  #value(value: Value, depth: number): string {
    if (depth <= 0) return '…';
    const again = (inner: Value): string => this.#value(inner, depth - 1);
    switch (value.kind) {
      case 'constant':
        return constantWords(value.value);
      case 'argument':
        return pathWords(value.path);
      case 'input':
        return printable(value.name);
      case 'named':
        return shortName(value.identity);
      case 'call':
        return this.#call(value, depth);
      case 'text':
        return `"${value.parts.map((part) => (part.kind === 'constant' && part.value.type === 'string' ? quoted(part.value.value).slice(1, -1) : `{${again(part)}}`)).join('')}"`;
      case 'list':
        return `[${value.items.map((item) => `${item.spread ? `all of ${again(item.value)}` : again(item.value)}${item.sometimes ? '?' : ''}`).join(', ')}]`;
      case 'record':
        return `{${[...value.fields.map((field) => `${again(field.name)}: ${again(field.value)}${field.sometimes ? '?' : ''}`), ...(value.open ? ['…'] : [])].join(', ')}}`;
      case 'choice': {
        const of = [...new Set(value.of.map(again))];
        return of.length > CHOICES_SHOWN_MAX ? `${of.slice(0, CHOICES_SHOWN_MAX).join(' or ')} or …` : of.join(' or ');
      }
      case 'element':
        return 'it';
      case 'gathered':
        return `what comes of ${again(value.over)}`;
      case 'error':
        return `the error of ${again(value.of)}`;
      case 'cut':
        return '…';
      default:
        return unreachable(value);
    }
  }

  #call(call: CallValue, depth: number): string {
    const known = this.#vocabulary.callees.get(call.callee);
    if (known?.words.value !== undefined) return this.#filled(known.words.value, known, call, depth);
    const args = withoutDefaults(call.args).map((arg) => this.#value(arg, depth - 1));
    return `${shortName(call.callee)}(${[...(call.receiver === undefined ? [] : [this.#value(call.receiver, depth - 1)]), ...args].join(', ')})`;
  }

  /** The words with the parameters put in; a name does not count as depth, since it takes no brackets. */
  #filled(template: string, { parameters, words }: CalleeVocabulary, call: CallValue, depth: number): string {
    // A pure operation has its receiver among its arguments; the words of one that has a receiver speak of it.
    const ownReceiver = call.receiver === undefined && [words.value, words.succeeds, words.fails].some((each) => each?.includes('{self}') === true);
    const [receiver, args] = ownReceiver ? [call.args[0], call.args.slice(1)] : [call.receiver, call.args];
    return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
      if (name === 'self') return receiver === undefined ? '…' : this.#value(receiver, depth);
      const at = parameters.findIndex((parameter) => parameter.name === name);
      const values = parameters[at]?.kind === 'rest' ? args.slice(at) : args.slice(at, at + 1);
      return values.map((value) => this.#value(value, depth)).join(', ') || '…';
    });
  }

  #statement({ claim, holds }: Fact): Statement {
    switch (claim.kind) {
      case 'given':
        return { text: `${pathWords(claim.path)} is ${holds ? 'given' : 'omitted'}` };
      case 'type':
        if (claim.of.kind === 'input' && claim.is === 'null') return { text: `${this.value(claim.of)} is ${holds ? 'not set' : 'set'}` };
        return { subject: this.value(claim.of), verb: 'is', holds, object: TYPE_WORDS[claim.is] };
      case 'equal':
        return { subject: this.value(claim.left), verb: claim.right.kind === 'list' ? 'is exactly' : 'is', holds, object: this.value(claim.right) };
      case 'test':
        return this.#test(claim.fn, claim.args, holds);
      case 'throws':
        return { text: this.#throws(claim, holds) };
      case 'some': {
        const what = this.value(claim.over);
        const inner = this.condition(claim.when) ?? 'there is one';
        const one = holds ? 'some element of' : 'no element of';
        const short = claim.when.anyOf.length === 1 && claim.when.more === 0 && inner.startsWith('it ') && !inner.includes(' and it ');
        return { text: short ? `${one} ${what} ${inner.slice('it '.length)}` : `${one} ${what} is such that (${inner})` };
      }
      case 'left':
        return { text: `the loop over ${this.value(claim.over)} ${holds ? 'ends' : 'does not end'} early (${printable(claim.exit)})` };
      default:
        return unreachable(claim);
    }
  }

  #test(fn: string, args: readonly Value[], holds: boolean): Statement {
    const [subject, operand] = args;
    const verb = TEST_VERBS.get(fn);
    if (verb !== undefined && subject !== undefined) return { subject: this.value(subject), verb, holds, object: operand === undefined ? '' : this.value(operand) };
    return { text: `${shortName(fn)}(${args.map((arg) => this.value(arg)).join(', ')}) ${holds ? 'holds' : 'does not hold'}` };
  }

  #throws({ call, error }: Extract<Claim, { kind: 'throws' }>, holds: boolean): string {
    const known = call.kind === 'call' ? this.#vocabulary.callees.get(call.callee) : undefined;
    const words = holds ? known?.words.fails : known?.words.succeeds;
    if (words !== undefined && known !== undefined && call.kind === 'call') return this.#filled(words, known, call, DEPTH_MAX);
    return `${this.value(call)} ${holds ? 'fails' : 'does not fail'}${error === undefined ? '' : ` with ${shortName(error)}`}`;
  }
}

const TYPE_WORDS = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  float: 'a fractional number',
  string: 'text',
  array: 'a list',
  object: 'an object',
} as const;

const TEST_VERBS: ReadonlyMap<string, string> = new Map([
  ['text.startsWith', 'starts with'],
  ['text.endsWith', 'ends with'],
  ['text.contains', 'contains'],
  ['text.only', 'has only characters of'],
  ['text.isHex', 'is hexadecimal of length'],
  ['text.isEmpty', 'is empty'],
]);

/** `py:git#Repo.git.diff` as `Repo.git.diff`, `py.pathlib.Path` as `Path`. */
export function shortName(identity: string): string {
  const inModule = identity.includes('#') ? (identity.split('#').at(-1) ?? identity) : (identity.split('.').at(-1) ?? identity);
  return printable(inModule);
}

function pathWords(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the arguments';
  return path.map((part, at) => (typeof part === 'number' ? `[${String(part)}]` : /^[A-Za-z_]\w*$/.test(part) ? `${at === 0 ? '' : '.'}${part}` : at === 0 ? quoted(part) : `[${quoted(part)}]`)).join('');
}

function constantWords(value: ConstantValue): string {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return value.type;
    case 'boolean':
      return String(value.value);
    case 'string':
      return quoted(value.value);
    case 'bytes':
      return `bytes ${value.hex}`;
    case 'int':
      return value.value;
    case 'float':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
    case 'special':
      return value.name;
    default:
      return unreachable(value);
  }
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

function isEmpty(value: Value): boolean {
  return value.kind === 'constant' && value.value.type === 'null';
}

/** Trailing arguments that only spell out defaults are left out. */
function withoutDefaults(args: readonly Value[]): readonly Value[] {
  let end = args.length;
  while (end > 0 && isDefault(args[end - 1])) end -= 1;
  return args.slice(0, end);
}

function isDefault(value: Value | undefined): boolean {
  if (value === undefined) return true;
  if (value.kind === 'list') return value.items.length === 0;
  if (value.kind === 'record') return value.fields.length === 0 && !value.open;
  return value.kind === 'constant' && (value.value.type === 'null' || value.value.type === 'boolean');
}
