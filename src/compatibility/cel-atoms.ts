/**
 * Propositions as CEL over `args`, `source` and `target`. An atom is total: it first asks for presence and type, so it
 * evaluates to true or false on every call and never leans on how an implementation absorbs errors. The operations are a
 * fixed list whose meaning is the same in every CEL: `in`, `type`, `==`, `<=`, `startsWith`, `endsWith`, `contains`,
 * `size`, `exists`. A proposition that has no such form has no atom.
 *
 * JSON numbers are doubles. A number is an integer when it is integral and within 2^53, else a float: that is how the
 * canonical form (RFC 8785), in which captured calls are forwarded, spells it.
 */
import { hasLoneSurrogate } from '../base/canonical-json.js';
import { unreachable } from '../base/errors.js';
import type { ConstantValue } from '../ir/nodes.js';
import { hasType } from '../analysis/construct.js';
import { TRUE } from '../analysis/guards.js';
import type { Store } from '../analysis/store.js';
import { textOf } from '../analysis/text-tests.js';
import type { Guard, JsonType, PropositionId, TermId } from '../analysis/terms.js';
import { printDiagram } from './print-diagram.js';

export interface AtomScope {
  /** Which map an input is read from. */
  readonly inputSide: (name: string) => 'source' | 'target';
  /** Called for every input that a printed atom reads. */
  readonly readInput?: (name: string) => void;
}

/** A value in CEL with the condition under which the expression can be evaluated. */
interface Subject {
  readonly text: string;
  readonly present: readonly string[];
  readonly isInput: boolean;
}

interface Element {
  readonly depth: number;
  readonly variable: string;
}

/** Memoises; undefined where the proposition has no form in CEL. */
export class Atoms {
  private readonly store: Store;
  private readonly scope: AtomScope;
  private readonly known = new Map<string, string | undefined>();

  constructor(store: Store, scope: AtomScope) {
    this.store = store;
    this.scope = scope;
  }

  atom(id: PropositionId): string | undefined {
    return this.atomUnder(id, []);
  }

  private atomUnder(id: PropositionId, elements: readonly Element[]): string | undefined {
    const key = `${String(id)}/${elements.map((e) => `${String(e.depth)}=${e.variable}`).join(',')}`;
    if (!this.known.has(key)) this.known.set(key, this.compute(id, elements));
    return this.known.get(key);
  }

  private compute(id: PropositionId, elements: readonly Element[]): string | undefined {
    const proposition = this.store.proposition(id);
    switch (proposition.kind) {
      case 'has':
        return conjunction(presence(proposition.path));
      case 'type': {
        const subject = this.subject(proposition.of, elements);
        if (subject === undefined || (subject.isInput && proposition.is !== 'null' && !this.isPlainText(proposition.of))) return undefined;
        return conjunction([...subject.present, typeTest(subject.text, proposition.is)]);
      }
      case 'equal': {
        const { left, right } = proposition;
        return this.equalTo(left, right, elements) ?? this.equalTo(right, left, elements);
      }
      case 'test':
        return this.test(proposition.fn, proposition.args, elements);
      case 'throws':
        return undefined;
      case 'exists':
        return this.someElement(proposition.loop, proposition.exit, elements);
      default:
        return unreachable(proposition);
    }
  }

  private subject(id: TermId, elements: readonly Element[]): Subject | undefined {
    const term = this.store.term(id);
    if (term.kind === 'argument') return { text: pathText(term.path), present: presence(term.path), isInput: false };
    if (term.kind === 'input') {
      const map = this.scope.inputSide(term.name);
      const name = stringLiteral(term.name);
      if (name === undefined) return undefined;
      this.scope.readInput?.(term.name);
      return { text: `${map}[${name}]`, present: [`${name} in ${map}`], isInput: true };
    }
    if (term.kind === 'element') {
      const bound = elements.find((element) => element.depth === term.depth);
      return bound === undefined ? undefined : { text: bound.variable, present: [], isInput: false };
    }
    return undefined;
  }

  /** An input is compared with text only where the reader takes it as text. */
  private isPlainText(id: TermId): boolean {
    const term = this.store.term(id);
    return term.kind !== 'input' || term.type === undefined || term.type === 'str' || term.type === 'optional<str>';
  }

  private equalTo(id: TermId, constant: TermId, elements: readonly Element[]): string | undefined {
    const value = this.store.term(constant);
    if (value.kind !== 'constant') return undefined;
    const subject = this.subject(id, elements);
    const literal = constantLiteral(value.value);
    if (subject === undefined || literal === undefined || !this.isPlainText(id)) return undefined;
    return conjunction([...subject.present, typeTest(subject.text, literal.type), `${subject.text} == ${literal.text}`]);
  }

  private test(fn: string, args: readonly TermId[], elements: readonly Element[]): string | undefined {
    const [subjectTerm, operandTerm] = args;
    if (subjectTerm === undefined || !this.isPlainText(subjectTerm)) return undefined;
    const subject = this.subject(subjectTerm, elements);
    if (subject === undefined) return undefined;
    const before = [...subject.present, typeTest(subject.text, 'string')];
    if (fn === 'text.isEmpty') return conjunction([...before, `${subject.text} == ""`]);
    const operand = operandTerm === undefined ? undefined : textOf(this.store, operandTerm);
    const literal = operand === undefined ? undefined : stringLiteral(operand);
    if (literal === undefined) return undefined;
    switch (fn) {
      case 'text.startsWith':
      case 'text.endsWith':
      case 'text.contains':
        return conjunction([...before, `${subject.text}.${fn.slice('text.'.length)}(${literal})`]);
      default:
        return undefined;
    }
  }

  /** A loop over an argument whose only question is whether some element is such. */
  private someElement(index: number, exit: string, elements: readonly Element[]): string | undefined {
    const loop = this.store.loop(index);
    const [only] = loop.exits;
    if (loop.exits.length !== 1 || only?.name !== exit || loop.carried.length > 0 || loop.effects.length > 0) return undefined;
    const over = this.subject(loop.over, elements);
    if (over === undefined || over.isInput) return undefined;
    const variable = `e${String(loop.depth)}`;
    const inner = [...elements, { depth: loop.depth, variable }];
    const body = printDiagram(this.store.guards, only.when, (id) => this.atomUnder(id, inner));
    if (body === undefined) return undefined;
    return conjunction([...over.present, typeTest(over.text, 'array'), `${over.text}.exists(${variable}, ${body})`]);
  }

  /**
   * Where an atom has the value of its proposition, if not everywhere: a loop may read what is no array otherwise (the
   * letters of a text), and its atom is then false.
   */
  meantWhere(id: PropositionId): Guard {
    const proposition = this.store.proposition(id);
    return proposition.kind === 'exists' ? hasType(this.store, this.store.loop(proposition.loop).over, 'array') : TRUE;
  }

  /** Whether every proposition of a guard has an atom. */
  covers(id: PropositionId): boolean {
    return this.atom(id) !== undefined;
  }
}

function conjunction(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${[...new Set(parts)].join(' && ')})`;
}

/** Presence of a path, prefix by prefix. */
function presence(path: readonly (string | number)[]): string[] {
  return path.flatMap((part, at) => {
    const parent = pathText(path.slice(0, at));
    if (typeof part === 'number') return [`type(${parent}) == list`, `size(${parent}) > ${String(part)}`];
    const key = stringLiteral(part) ?? '""';
    return at === 0 ? [`${key} in ${parent}`] : [`type(${parent}) == map`, `${key} in ${parent}`];
  });
}

function pathText(path: readonly (string | number)[]): string {
  return `args${path.map((part) => (typeof part === 'number' ? `[${String(part)}]` : member(part))).join('')}`;
}

/** CEL's reserved words cannot follow a dot in every implementation. */
const RESERVED = new Set('as break const continue else false for function if import in let loop namespace null package return true var void while'.split(' '));
function member(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name) ? `.${name}` : `[${stringLiteral(name) ?? '""'}]`;
}

const SAFE_INTEGER = '9007199254740991.0';

function typeTest(text: string, type: JsonType): string {
  const integral = `${text} >= -${SAFE_INTEGER} && ${text} <= ${SAFE_INTEGER} && double(int(${text})) == ${text}`;
  switch (type) {
    case 'null':
      return `type(${text}) == null_type`;
    case 'boolean':
      return `type(${text}) == bool`;
    case 'string':
      return `type(${text}) == string`;
    case 'array':
      return `type(${text}) == list`;
    case 'object':
      return `type(${text}) == map`;
    case 'integer':
      return `type(${text}) == double && ${integral}`;
    case 'float':
      return `type(${text}) == double && ${text} > -${SAFE_INTEGER} && ${text} < ${SAFE_INTEGER} && double(int(${text})) != ${text}`;
  }
}

function constantLiteral(value: ConstantValue): { text: string; type: JsonType } | undefined {
  switch (value.type) {
    case 'string': {
      const text = stringLiteral(value.value);
      return text === undefined ? undefined : { text, type: 'string' };
    }
    case 'boolean':
      return { text: String(value.value), type: 'boolean' };
    case 'int':
      return Number.isSafeInteger(Number(value.value)) ? { text: `${value.value}.0`, type: 'integer' } : undefined;
    case 'float':
      return Number.isFinite(value.value) && !Number.isInteger(value.value) && !/e/.test(String(value.value))
        ? { text: String(value.value), type: 'float' }
        : undefined;
    case 'null':
    case 'undefined':
    case 'bytes':
    case 'special':
      return undefined;
  }
}

/** Quoted text; everything but printable ASCII is escaped, so that no implementation reads it otherwise. */
export function stringLiteral(text: string): string | undefined {
  if (hasLoneSurrogate(text)) return undefined;
  const body = [...text]
    .map((character) => {
      if (character === '"' || character === '\\') return `\\${character}`;
      const code = character.codePointAt(0)!;
      if (code >= 0x20 && code < 0x7f) return character;
      return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    })
    .join('');
  return `"${body}"`;
}
