/** Patterns of `match`: the exact condition under which one matches, and what it binds. */
import type { Pattern } from '../ir/nodes.js';
import { unreachable } from '../base/errors.js';
import { assignTarget } from './assign.js';
import { FALSE, TRUE } from './guards.js';
import { itemsOf } from './calls.js';
import type { Machine } from './machine.js';
import type { Guard, TermId } from './terms.js';

export interface Matched {
  readonly when: Guard;
  /** Binds the captures; runs only on the matching path. */
  readonly bind: () => void;
}
const nothing = (): void => undefined;

export function patternGuard(m: Machine, pattern: Pattern, subject: TermId): Matched {
  if (m.dead) return { when: FALSE, bind: nothing };
  switch (pattern.kind) {
    case 'wildcard':
      return { when: TRUE, bind: nothing };
    case 'capture': {
      const inner = pattern.pattern === undefined ? { when: TRUE, bind: nothing } : patternGuard(m, pattern.pattern, subject);
      return {
        when: inner.when,
        bind: () => {
          inner.bind();
          assignTarget(m, pattern.target, subject);
        },
      };
    }
    case 'value': {
      const value = m.evaluate(pattern.value);
      if (m.dead) return { when: FALSE, bind: nothing };
      const result = m.semantics.binary(m, pattern.operator, subject, value, pattern.span);
      return { when: m.dead ? FALSE : m.semantics.truthy(m, result, pattern.span), bind: nothing };
    }
    case 'or': {
      const alternatives = pattern.alternatives.map((alternative) => patternGuard(m, alternative, subject));
      return {
        when: m.store.guards.any(alternatives.map((a) => a.when)),
        bind: () => {
          const bindFrom = (at: number): void => {
            const alternative = alternatives[at];
            if (alternative !== undefined)
              m.branchDo(alternative.when, alternative.bind, () => {
                bindFrom(at + 1);
              });
          };
          bindFrom(0);
        },
      };
    }
    case 'sequence':
      return sequence(m, pattern, subject);
    case 'class': {
      const classTerm = m.evaluate(pattern.class);
      if (m.dead) return { when: FALSE, bind: nothing };
      if (pattern.positional.length > 1 || pattern.keywords.length > 0) {
        m.stop('unsupported-syntax', 'a class pattern with attributes', pattern.span, 'test the type and read the attributes');
        return { when: FALSE, bind: nothing };
      }
      const is = m.semantics.isInstance(m, subject, classTerm, pattern.span);
      const only = pattern.positional[0];
      if (only === undefined) return { when: is, bind: nothing };
      const inner = patternGuard(m, only, subject);
      return { when: m.store.guards.and(is, inner.when), bind: inner.bind };
    }
    case 'mapping':
      m.stop('unsupported-syntax', 'a mapping pattern', pattern.span, 'read the keys one by one');
      return { when: FALSE, bind: nothing };
    case 'unsupported':
      m.stop(pattern.code, pattern.detail, pattern.span, 'rewrite this in a supported form');
      return { when: FALSE, bind: nothing };
    default:
      return unreachable(pattern);
  }
}

function sequence(m: Machine, pattern: Extract<Pattern, { kind: 'sequence' }>, subject: TermId): Matched {
  const type = m.typeOf(subject);
  const items = type === 'list' || type === 'tuple' ? itemsOf(m, subject) : undefined;
  if (items === undefined) {
    if (type !== undefined && type !== 'list' && type !== 'tuple') return { when: FALSE, bind: nothing };
    m.stop('unsupported-syntax', 'a sequence pattern over a value of unknown length', pattern.span, 'check the length and index the elements');
    return { when: FALSE, bind: nothing };
  }
  const starred = pattern.elements.findIndex((element) => element.starred);
  const fixed = starred < 0 ? pattern.elements.length : pattern.elements.length - 1;
  if (starred < 0 ? items.length !== fixed : items.length < fixed) return { when: FALSE, bind: nothing };
  const matched = pattern.elements.map((element, at) => {
    if (starred >= 0 && at === starred)
      return patternGuard(
        m,
        element.pattern,
        m.newList(m.store.intern({ kind: 'list', as: 'list', segments: [{ kind: 'items', when: TRUE, items: items.slice(at, items.length - (fixed - at)) }] })),
      );
    return patternGuard(m, element.pattern, items[starred >= 0 && at > starred ? items.length - (pattern.elements.length - at) : at]!);
  });
  return {
    when: m.store.guards.all(matched.map((one) => one.when)),
    bind: () => {
      for (const one of matched) one.bind();
    },
  };
}
