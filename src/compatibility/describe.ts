/** Terms, propositions, conditions and effects in words, for people. Bounded; never parsed again. */
import { unreachable } from '../base/errors.js';
import { CONDITION_TERMS_MAX, DESCRIPTION_LENGTH_MAX } from '../base/limits.js';
import type { ConstantValue } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { Store } from '../analysis/store.js';
import type { DiscloseOutcome, EffectOutcome } from '../analysis/summary.js';
import { textOf } from '../analysis/text-tests.js';
import type { Guard, PropositionId, TermId } from '../analysis/terms.js';
import { cover, type Cube, type CubeLiteral } from './cubes.js';
import type { DescribedEffect } from './verdict.js';

const NESTING_MAX = 6;

export function describeTerm(store: Store, id: TermId, depth = 0): string {
  const text = depth > NESTING_MAX ? '…' : termText(store, id, depth + 1);
  return text.length > DESCRIPTION_LENGTH_MAX ? `${text.slice(0, DESCRIPTION_LENGTH_MAX - 1)}…` : text;
}

function termText(store: Store, id: TermId, depth: number): string {
  const term = store.term(id);
  const again = (child: TermId): string => describeTerm(store, child, depth);
  const call = (name: string, args: readonly TermId[]): string =>
    `${name}(${args
      .filter((arg, at) => at > 0 || arg !== store.null)
      .map(again)
      .join(', ')})`;
  switch (term.kind) {
    case 'constant':
      return constantText(term.value);
    case 'argument':
      return pathWords(term.path);
    case 'input':
      return `input ${term.name}`;
    case 'external':
      return shortIdentity(term.identity);
    case 'function':
      return term.function;
    case 'class':
      return term.class;
    case 'apply':
      if (term.fn === 'text.concat') return term.args.map(again).join(' + ');
      return call(term.fn, term.args);
    case 'observe':
      return call(shortIdentity(term.behaviour.callee), term.args);
    case 'fresh':
      return `a new ${shortIdentity(term.behaviour.callee)}`;
    case 'opaque':
      return call('unmodelled code', term.args);
    case 'list':
      return `[${term.segments
        .map((s) => {
          const items = s.kind === 'items' ? s.items.map(again).join(', ') : `all of ${again(s.of)}`;
          return s.when === TRUE ? items : `${items} if ${describeGuard(store, s.when)}`;
        })
        .join(', ')}]`;
    case 'record':
      return `{${term.fields.map((f) => `${textOf(store, f.key) ?? again(f.key)}: ${again(f.value)}${f.when === TRUE ? '' : ` if ${describeGuard(store, f.when)}`}`).join(', ')}${term.rest === undefined ? '' : `, …${again(term.rest)}`}}`;
    case 'conditional':
      return `(${again(term.then)} if ${describeGuard(store, term.when)} else ${again(term.otherwise)})`;
    case 'element':
      return `an element of ${again(term.of)}`;
    case 'loop':
      return `what a loop over ${again(store.loop(term.loop).over)} leaves`;
    case 'carried':
      return 'what earlier iterations left';
    case 'error':
      return `the error of ${again(term.call)}`;
    case 'world':
      return 'the world';
    case 'object':
      return 'an object';
    default:
      return unreachable(term);
  }
}

function constantText(value: ConstantValue): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'undefined':
      return 'undefined';
    case 'boolean':
      return String(value.value);
    case 'string':
      return JSON.stringify(value.value);
    case 'bytes':
      return `bytes ${value.hex}`;
    case 'int':
      return value.value;
    case 'float':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
    case 'special':
      return value.name;
  }
}

export function pathWords(path: readonly (string | number)[]): string {
  return `args${path.map((part) => (typeof part === 'string' && /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join('')}`;
}

/** `py:git#Repo.git.diff` as `Repo.git.diff`. */
function shortIdentity(identity: string): string {
  return identity.split('#').at(-1) ?? identity;
}

const TEST_WORDS: ReadonlyMap<string, readonly [holds: string, fails: string]> = new Map([
  ['text.startsWith', ['starts with', 'does not start with']],
  ['text.endsWith', ['ends with', 'does not end with']],
  ['text.contains', ['contains', 'does not contain']],
  ['text.only', ['has only characters of', 'has other characters than']],
  ['text.isHex', ['is hexadecimal of length', 'is not hexadecimal of length']],
]);

export function describeLiteral(store: Store, literal: CubeLiteral): string {
  return propositionText(store, literal.proposition, literal.holds);
}

function propositionText(store: Store, id: PropositionId, holds: boolean): string {
  const proposition = store.proposition(id);
  const term = (child: TermId): string => describeTerm(store, child);
  switch (proposition.kind) {
    case 'has':
      return `${pathWords(proposition.path)} is ${holds ? 'given' : 'omitted'}`;
    case 'type':
      return `${term(proposition.of)} is ${holds ? '' : 'not '}${proposition.is === 'null' ? 'null' : `${/^[aeiou]/.test(proposition.is) ? 'an' : 'a'} ${proposition.is}`}`;
    case 'equal': {
      const [first, second] = store.term(proposition.left).kind === 'constant' ? [proposition.right, proposition.left] : [proposition.left, proposition.right];
      return `${term(first)} is ${holds ? '' : 'not '}${term(second)}`;
    }
    case 'test': {
      const words = TEST_WORDS.get(proposition.fn);
      const [subject, operand] = proposition.args;
      if (words !== undefined && subject !== undefined && operand !== undefined) return `${term(subject)} ${words[holds ? 0 : 1]} ${term(operand)}`;
      return `${holds ? '' : 'not '}${proposition.fn}(${proposition.args.map(term).join(', ')})`;
    }
    case 'throws':
      return `${term(proposition.call)} ${holds ? 'fails' : 'does not fail'}${proposition.type === undefined ? '' : ` with ${shortIdentity(proposition.type)}`}`;
    case 'exists':
      return `the loop over ${term(store.loop(proposition.loop).over)} is ${holds ? '' : 'not '}left by ${proposition.exit}`;
    default:
      return unreachable(proposition);
  }
}

export function describeCube(store: Store, cube: Cube): string {
  if (cube.length === 0) return 'always';
  const words = cube.slice(0, CONDITION_TERMS_MAX).map((literal) => describeLiteral(store, literal));
  return cube.length > CONDITION_TERMS_MAX ? `${words.join(' and ')} and ${String(cube.length - CONDITION_TERMS_MAX)} more conditions` : words.join(' and ');
}

/** A condition in words, as far as it says something where `possible` holds. */
export function describeGuard(store: Store, guard: Guard, possible: Guard = TRUE): string {
  if (store.guards.and(guard, possible) === FALSE) return 'never';
  const { cubes, count } = cover(store.guards, guard, possible, CONDITION_TERMS_MAX);
  if (cubes.length === 1) return describeCube(store, cubes[0]!);
  const words = cubes.map((cube) => describeCube(store, cube)).join(', or ');
  return count > cubes.length ? `${words}, or ${String(count - cubes.length)} more cases` : words;
}

export function describeEffect(store: Store, effect: EffectOutcome, possible: Guard, span: Span | undefined): DescribedEffect {
  return {
    operation: effect.operation,
    dimensions: Object.fromEntries(effect.dimensions.map((d) => [d.name, `${d.exact ? '' : 'about '}${describeTerm(store, d.value)}`])),
    when: describeGuard(store, effect.when, possible),
    context: effect.contexts.map(
      (context) =>
        `${context.operation}${context.dimensions.length === 0 ? '' : `(${context.dimensions.map((d) => `${d.name}: ${describeTerm(store, d.value)}`).join(', ')})`}`,
    ),
    protective: effect.protective,
    baseline: effect.baseline,
    ...(span === undefined ? {} : { span }),
  };
}

export function describeDisclosure(store: Store, disclosure: DiscloseOutcome): string {
  return `${describeTerm(store, disclosure.source)} to ${disclosure.channel === 'caller' ? 'the caller' : disclosure.channel}`;
}
