/** Keys of terms and propositions: local ones that only a store understands, and the pieces that content keys are made of. */
import { hash } from 'node:crypto';
import type { ConstantValue } from '../ir/nodes.js';
import type { Proposition, Term } from './terms.js';

export function pathText(path: readonly (string | number)[]): string {
  return `/${path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** Tells an index from a key of the same text. */
export function pathKinds(path: readonly (string | number)[]): string {
  return path.map((part) => (typeof part === 'number' ? '#' : '.')).join('');
}

/** Floats by their exact text: JSON has no minus zero, no infinities and no NaN. */
export function constantParts(value: ConstantValue): unknown[] {
  switch (value.type) {
    case 'null':
    case 'undefined':
      return [value.type];
    case 'float':
      return [value.type, Object.is(value.value, -0) ? '-0' : String(value.value)];
    case 'boolean':
    case 'string':
    case 'int':
      return [value.type, value.value];
    case 'bytes':
      return [value.type, value.hex];
    case 'special':
      return [value.type, value.name];
  }
}

/** Content over ids of this store, independent of the order in which members were written. */
export function localKey(term: Term): string {
  return JSON.stringify(localParts(term));
}

function localParts(term: Term): unknown[] {
  switch (term.kind) {
    case 'constant':
      return [term.kind, ...constantParts(term.value)];
    case 'argument':
      return [term.kind, ...term.path];
    case 'input':
      return [term.kind, term.name, term.type];
    case 'external':
      return [term.kind, term.identity, term.self];
    case 'function':
      return [term.kind, term.function, term.frame, term.self];
    case 'class':
      return [term.kind, term.class, term.frame];
    case 'apply':
      return [term.kind, term.fn, term.args, term.type];
    case 'observe':
      return [term.kind, ...behaviourParts(term.behaviour), term.args, term.world, term.type, term.resource];
    case 'fresh':
      return [term.kind, ...behaviourParts(term.behaviour), term.args, term.serial, term.type];
    case 'opaque':
      return [term.kind, term.digest, term.args, term.world];
    case 'list':
      return [term.kind, term.as, ...term.segments.map((s) => (s.kind === 'items' ? [s.when, s.items] : [s.when, s.of, '...']))];
    case 'record':
      return [term.kind, term.type, term.rest, term.fields.map((f) => [f.when, f.key, f.value]), (term.removed ?? []).map((r) => [r.when, r.key])];
    case 'conditional':
      return [term.kind, term.when, term.then, term.otherwise];
    case 'element':
      return [term.kind, term.depth, term.of, term.type];
    case 'loop':
      return [term.kind, term.loop, term.name, term.type];
    case 'carried':
      return [term.kind, term.depth, term.name, term.type];
    case 'error':
      return [term.kind, term.call, term.type];
    case 'world':
      return [term.kind, term.name, term.after];
    case 'object':
      return [term.kind, term.allocation];
  }
}

export function propositionLocalKey(proposition: Proposition): string {
  switch (proposition.kind) {
    case 'has':
      return JSON.stringify([proposition.kind, ...proposition.path]);
    case 'type':
      return JSON.stringify([proposition.kind, proposition.of, proposition.is]);
    case 'equal':
      return JSON.stringify([proposition.kind, proposition.left, proposition.right]);
    case 'test':
      return JSON.stringify([proposition.kind, proposition.fn, ...proposition.args]);
    case 'throws':
      return JSON.stringify([proposition.kind, proposition.call, proposition.type]);
    case 'exists':
      return JSON.stringify([proposition.kind, proposition.loop, proposition.exit]);
  }
}

export function behaviourParts(behaviour: { callee: string; form: string; range: string; entry: string }): string[] {
  return [behaviour.callee, behaviour.form, behaviour.range, behaviour.entry];
}

export function shortDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 40);
}
