/**
 * Terms and conditions of conformance cases as text, whole and in a form of their own: what reports say to people may be
 * worded anew without a case becoming another. `&` binds closer than `|`; `!` negates one fact; `…` never occurs.
 */
import { FALSE, TRUE } from '../../src/analysis/guards.js';
import type { Store } from '../../src/analysis/store.js';
import type { Guard, LoopIndex, PropositionId, TermId } from '../../src/analysis/terms.js';
import { unreachable } from '../../src/base/errors.js';
import { cover } from '../../src/compatibility/cubes.js';
import type { ConstantValue } from '../../src/ir/nodes.js';

/** Names of loops: they are printed once, on lines of their own. */
export type NameLoop = (loop: LoopIndex) => string;

export class TermPrinter {
  readonly #store: Store;
  readonly #loopName: NameLoop;

  constructor(store: Store, loopName: NameLoop) {
    this.#store = store;
    this.#loopName = loopName;
  }

  term(id: TermId): string {
    const term = this.#store.term(id);
    switch (term.kind) {
      case 'constant':
        return constantText(term.value);
      case 'argument':
        return pathText(term.path);
      case 'input':
        return `input ${term.name}`;
      case 'external':
        return term.identity;
      case 'function':
        return `function ${term.function}`;
      case 'class':
        return `class ${term.class}`;
      case 'apply':
        return term.fn === 'text.concat' ? term.args.map((arg) => this.term(arg)).join(' + ') : this.#call(term.fn, term.args);
      case 'observe':
        return this.#call(term.behaviour.callee.split('#').at(-1) ?? '', term.args) + this.#world(term.world);
      case 'fresh':
        return `${this.#call(term.behaviour.callee.split('#').at(-1) ?? '', term.args)} #${term.serial}`;
      case 'opaque':
        return this.#call('opaque', term.args);
      case 'list':
        return `${term.as === 'list' ? '' : term.as}[${term.segments.map((s) => (s.kind === 'items' ? s.items.map((item) => this.term(item)).join(', ') : `...${this.term(s.of)}`) + this.#if(s.when)).join(', ')}]`;
      case 'record': {
        const fields = term.fields.map((field) => `${this.term(field.key)}: ${this.term(field.value)}${this.#if(field.when)}`);
        const removed = (term.removed ?? []).map((field) => `without ${this.term(field.key)}${this.#if(field.when)}`);
        return `{${[...fields, ...(term.rest === undefined ? [] : [`...${this.term(term.rest)}`]), ...removed].join(', ')}}`;
      }
      case 'conditional':
        return `(${this.term(term.then)} if ${this.guard(term.when)} else ${this.term(term.otherwise)})`;
      case 'element':
        return `each(${this.term(term.of)})`;
      case 'loop':
        return `(${term.name} of ${this.#loopName(term.loop)})`;
      case 'carried':
        return `carried ${term.name}`;
      case 'error':
        return `error(${this.term(term.call)})`;
      case 'world':
        return `world${this.#world(id).slice(1)}`;
      case 'object':
        return 'object';
      default:
        return unreachable(term);
    }
  }

  /** What must be added to `possible` for the condition to hold; `always` and `never` where that is nothing. */
  guard(guard: Guard, possible: Guard = TRUE): string {
    if (this.#store.guards.and(guard, possible) === FALSE) return 'never';
    const { cubes } = cover(this.#store.guards, guard, possible, Number.MAX_SAFE_INTEGER);
    const alternatives = cubes.map((cube) => cube.map(({ proposition, holds }) => `${holds ? '' : '!'}${this.#proposition(proposition)}`).join(' & '));
    return alternatives.includes('') ? 'always' : alternatives.join(' | ');
  }

  /** ` when …`, or nothing. */
  when(guard: Guard, possible: Guard = TRUE): string {
    const text = this.guard(guard, possible);
    return text === 'always' ? '' : ` when ${text}`;
  }

  #if(guard: Guard): string {
    return guard === TRUE ? '' : ` if ${this.guard(guard)}`;
  }

  #call(name: string, args: readonly TermId[]): string {
    const [receiver, ...rest] = args;
    const shown = receiver === this.#store.null ? rest : args;
    return `${name}(${shown.map((arg) => this.term(arg)).join(', ')})`;
  }

  /** In the world as the call found it nothing is said; after effects, how many, or where it is settled. */
  #world(id: TermId): string {
    if (id === this.#store.startWorld) return '';
    const term = this.#store.term(id);
    if (term.kind === 'conditional') return `@(${this.#world(term.then) || '@'} if ${this.guard(term.when)} else ${this.#world(term.otherwise) || '@'})`;
    if (term.kind !== 'world') return `@${this.term(id)}`;
    const [before] = term.after;
    return before === undefined ? '@ of the setup' : `${this.#world(before) || '@'}'`;
  }

  /** A constant comes last; otherwise the texts decide. */
  #operands(left: TermId, right: TermId): readonly string[] {
    const [first, second] = [this.term(left), this.term(right)];
    const isConstant = (id: TermId): boolean => this.#store.term(id).kind === 'constant';
    if (isConstant(left) !== isConstant(right)) return isConstant(left) ? [second, first] : [first, second];
    return [first, second].sort();
  }

  #proposition(id: PropositionId): string {
    const proposition = this.#store.proposition(id);
    switch (proposition.kind) {
      case 'has':
        return `has(${pathText(proposition.path)})`;
      case 'type':
        return `${proposition.is}(${this.term(proposition.of)})`;
      case 'equal':
        return `eq(${this.#operands(proposition.left, proposition.right).join(', ')})`;
      case 'test':
        return `${proposition.fn}(${proposition.args.map((arg) => this.term(arg)).join(', ')})`;
      case 'throws':
        return `fails(${this.term(proposition.call)}${proposition.type === undefined ? '' : `, ${proposition.type}`})`;
      case 'exists':
        return `left(${this.#loopName(proposition.loop)}, ${proposition.exit})`;
      default:
        return unreachable(proposition);
    }
  }
}

function pathText(path: readonly (string | number)[]): string {
  return `args${path.map((part) => (typeof part === 'string' && /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join('')}`;
}

function constantText(value: ConstantValue): string {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return value.type;
    case 'boolean':
      return String(value.value);
    case 'string':
      return JSON.stringify(value.value);
    case 'bytes':
      return `b${JSON.stringify(value.hex)}`;
    case 'int':
      return value.value;
    case 'float':
      return `${value.value}f`;
    case 'special':
      return value.name;
    default:
      return unreachable(value);
  }
}
