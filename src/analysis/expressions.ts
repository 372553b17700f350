/** Evaluation of IR expressions on the current path. */
import type { Argument, Comprehension, Expression, TemplatePart } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { list, listOf } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import type { Machine } from './machine.js';
import { makeClosure } from './closures.js';
import { concat } from './text-tests.js';
import { externalValue, readModuleVariable } from './modules.js';
import { readLocal } from './variables.js';
import { type CallArguments, type KeywordArgument, type PositionalArgument } from './state.js';
import { assignTarget } from './assign.js';
import type { RecordField, Segment, TermId } from './terms.js';

export function evaluate(m: Machine, e: Expression): TermId {
  if (m.dead) return m.store.null;
  m.tick(e.span);
  switch (e.kind) {
    case 'constant':
      return m.store.constant(e.value);
    case 'local':
      return readLocal(m, e.owner, e.name, e.span);
    case 'module-variable':
      return readModuleVariable(m, e.module, e.name, e.span);
    case 'external':
      return externalValue(m, e.identity, e.span);
    case 'list':
      return evaluateList(m, e.as, e.elements);
    case 'record': {
      const fields: RecordField[] = [];
      let rest: TermId | undefined;
      for (const entry of e.entries) {
        if (entry.kind === 'entry') {
          const key = evaluate(m, entry.key);
          fields.push({ when: TRUE, key, value: evaluate(m, entry.value) });
          continue;
        }
        const spread = m.content(evaluate(m, entry.value));
        if (m.dead) return m.store.null;
        const term = m.store.term(spread);
        if (term.kind === 'record' && (term.removed ?? []).length === 0 && (term.rest === undefined || (fields.length === 0 && rest === undefined))) {
          fields.push(...term.fields);
          rest = term.rest ?? rest;
        } else if (fields.length === 0 && rest === undefined && term.kind === 'argument') rest = spread;
        else return m.stop('unsupported-operation', 'a mapping of unknown keys is spread into another', e.span, 'name the keys');
      }
      return m.newRecord(m.store.intern({ kind: 'record', fields, ...(rest === undefined ? {} : { rest }) }));
    }
    case 'comprehension':
      return evaluateComprehension(m, e);
    case 'member': {
      const object = evaluate(m, e.object);
      if (!e.optional) return m.member(object, e.name, e.span);
      return m.branch(
        m.isNull(object),
        () => m.store.null,
        () => m.member(object, e.name, e.span),
      );
    }
    case 'index': {
      const object = evaluate(m, e.object);
      const index = evaluate(m, e.index);
      return m.dead ? m.store.null : m.semantics.index(m, object, index, e.span);
    }
    case 'slice': {
      const object = evaluate(m, e.object);
      const bound = (part: Expression | undefined): TermId | undefined => (part === undefined ? undefined : evaluate(m, part));
      const [lower, upper, step] = [bound(e.lower), bound(e.upper), bound(e.step)];
      return m.dead ? m.store.null : m.semantics.slice(m, object, lower, upper, step, e.span);
    }
    case 'call':
    case 'new': {
      const callee = evaluate(m, e.callee);
      const args = evaluateArguments(m, e.arguments);
      if (m.dead) return m.store.null;
      return m.call(callee, args, e.span);
    }
    case 'closure':
      return makeClosure(m, e.function, e.span);
    case 'unary': {
      const operand = evaluate(m, e.operand);
      return m.dead ? m.store.null : m.semantics.unary(m, e.operator, operand, e.span);
    }
    case 'binary': {
      const left = evaluate(m, e.left);
      const right = evaluate(m, e.right);
      return m.dead ? m.store.null : m.semantics.binary(m, e.operator, left, right, e.span);
    }
    case 'logical': {
      const left = evaluate(m, e.left);
      if (m.dead) return m.store.null;
      const test = e.operator === 'nullish' ? m.store.guards.not(m.isNull(left)) : m.semantics.truthy(m, left, e.span);
      const right = (): TermId => evaluate(m, e.right);
      return e.operator === 'and' ? m.branch(test, right, () => left) : m.branch(test, () => left, right);
    }
    case 'conditional':
      return m.branch(
        testOf(m, e.test),
        () => evaluate(m, e.then),
        () => evaluate(m, e.otherwise),
      );
    case 'template':
      return evaluateTemplate(m, e.parts, e.span);
    case 'assign-expression': {
      const value = evaluate(m, e.value);
      assignTarget(m, e.target, value);
      return value;
    }
    case 'await':
      return awaitStrictly(m, evaluate(m, e.value), e.span);
    case 'yield': {
      const value = e.value === undefined ? m.store.null : evaluate(m, e.value);
      if (m.dead) return m.store.null;
      if (m.yieldHandler === undefined || e.delegate)
        return m.stop(
          'unsupported-generator',
          'a generator is run in a way that is not modelled',
          e.span,
          'return a list, or consume the generator where it is made',
        );
      return m.yieldHandler(value);
    }
    case 'unsupported':
      return m.stop(e.code, e.detail, e.span, 'rewrite this in a supported form, or review the handler by hand');
    default:
      return unreachable(e);
  }
}

/** Truth of an expression as a guard; false on a dead path. */
export function testOf(m: Machine, e: Expression): number {
  const value = evaluate(m, e);
  return m.dead ? FALSE : m.semantics.truthy(m, value, e.span);
}

function evaluateList(m: Machine, as: 'list' | 'tuple' | 'set', elements: readonly { kind: 'item' | 'spread'; value: Expression }[]): TermId {
  const segments: Segment[] = [];
  for (const element of elements) {
    const value = evaluate(m, element.value);
    if (m.dead) return m.store.null;
    if (element.kind === 'item') segments.push({ kind: 'items', when: TRUE, items: [value] });
    else {
      const parts = m.semantics.iterate(m, value, element.value.span);
      if (parts === undefined || m.dead) return m.store.null;
      for (const part of parts)
        segments.push(part.kind === 'item' ? { kind: 'items', when: part.when, items: [part.item] } : { kind: 'spread', when: part.when, of: part.of });
    }
  }
  const content = list(m.store, as, segments);
  if (as === 'tuple') return content;
  return m.allocate({ kind: 'list', as, content });
}

export function evaluateArguments(m: Machine, args: readonly Argument[]): CallArguments {
  const positional: PositionalArgument[] = [];
  const keywords: KeywordArgument[] = [];
  for (const argument of args) {
    const value = evaluate(m, argument.value);
    if (m.dead) break;
    switch (argument.kind) {
      case 'positional':
        positional.push({ kind: 'value', value });
        break;
      case 'spread': {
        const parts = m.semantics.iterate(m, value, argument.value.span) ?? [];
        for (const part of parts) {
          if (part.kind === 'item' && part.when === TRUE) positional.push({ kind: 'value', value: part.item });
          else if (part.kind === 'item')
            positional.push({ kind: 'spread', of: list(m.store, 'tuple', [{ kind: 'items', when: part.when, items: [part.item] }]) });
          else positional.push({ kind: 'spread', of: list(m.store, 'tuple', [{ kind: 'spread', when: part.when, of: part.of }]) });
        }
        break;
      }
      case 'keyword':
        keywords.push({ kind: 'named', name: argument.name, value });
        break;
      case 'spread-keywords':
        keywords.push({ kind: 'spread', of: m.content(value) });
        break;
      default:
        unreachable(argument);
    }
  }
  return { positional, keywords };
}

function evaluateTemplate(m: Machine, parts: readonly TemplatePart[], span: Span): TermId {
  const pieces: TermId[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      pieces.push(m.store.string(part.text));
      continue;
    }
    const value = evaluate(m, part.value);
    const format = part.format === undefined ? undefined : evaluateTemplate(m, part.format, span);
    if (m.dead) return m.store.null;
    pieces.push(m.semantics.convert(m, part.conversion, value, format, span));
  }
  return m.dead ? m.store.null : concat(m.store, pieces);
}

/** `await` as it is written: what is no coroutine cannot be awaited. */
function awaitStrictly(m: Machine, value: TermId, span: Span): TermId {
  if (m.dead) return m.store.null;
  return m.overLeaves(value, (leaf) => {
    if (m.object(leaf)?.kind !== 'suspended')
      return m.stop(
        'unsupported-operation',
        'something is awaited that is not known to be a coroutine',
        span,
        'mark the callee as async in its inventory, or take the await out',
      );
    return awaitValue(m, leaf, span);
  });
}

/** Runs what an awaited value stands for, as a library does that takes both; a value that is not suspended is its own result. */
export function awaitValue(m: Machine, value: TermId, span: Span): TermId {
  if (m.dead) return m.store.null;
  return m.overLeaves(value, (leaf) => {
    const object = m.object(leaf);
    if (object === undefined || object.kind !== 'suspended') return leaf;
    if (object.what !== 'coroutine') return m.stop('unsupported-generator', 'something other than a coroutine is awaited', span, 'await a coroutine');
    return object.resume();
  });
}

function evaluateComprehension(m: Machine, e: Comprehension): TermId {
  const outerActivation = m.activation;
  const build = (): TermId => {
    const collected =
      e.as === 'record'
        ? m.newRecord(m.store.intern({ kind: 'record', fields: [] }))
        : m.allocate({ kind: 'list', as: e.as === 'set' ? 'set' : 'list', content: listOf(m.store, e.as === 'set' ? 'set' : 'list', []) });
    runComprehension(m, e, outerActivation, (value, key) => {
      const object = m.object(collected);
      if (object?.kind === 'list')
        m.update(
          collected,
          {
            ...object,
            content: list(m.store, object.as, [
              { kind: 'spread', when: TRUE, of: object.content },
              { kind: 'items', when: TRUE, items: [value] },
            ]),
          },
          e.span,
        );
      else if (object?.kind === 'record' && key !== undefined) m.semantics.setIndex(m, collected, key, value, e.span);
    });
    return collected;
  };
  if (e.as !== 'generator') return build();
  m.capture();
  // Lazy: its consumer runs it. The handler of `yield` receives each element.
  return m.allocate({
    kind: 'suspended',
    what: 'generator',
    resume: () => {
      const handler = m.yieldHandler;
      runComprehension(m, e, outerActivation, (value) => {
        if (handler === undefined) m.stop('unsupported-generator', 'a generator is run in a way that is not modelled', e.span, 'use a list');
        else handler(value);
      });
      return m.store.null;
    },
  });
}

function runComprehension(m: Machine, e: Comprehension, outerActivation: number, emit: (value: TermId, key: TermId | undefined) => void): void {
  const saved = m.activation;
  const module = m.activations[outerActivation]?.module ?? '';
  m.activations.push({ function: e.scope, parent: outerActivation, module });
  m.activation = m.activations.length - 1;
  m.cur.frames.set(m.activation, new Map());
  const inner = m.activation;
  const clause = (at: number): void => {
    if (m.dead) return;
    const next = e.clauses[at];
    if (next === undefined) {
      const key = e.key === undefined ? undefined : evaluate(m, e.key);
      const value = evaluate(m, e.value);
      if (!m.dead) emit(value, key);
      return;
    }
    if (next.kind === 'if') {
      m.branchDo(testOf(m, next.test), () => {
        clause(at + 1);
      });
      return;
    }
    // The first iterable is evaluated outside the comprehension's scope.
    if (at === 0) m.activation = outerActivation;
    const iterable = evaluate(m, next.iterable);
    m.activation = inner;
    if (m.dead) return;
    m.forEach(iterable, next.iterable.span, (element) => {
      assignTarget(m, next.target, element);
      clause(at + 1);
    });
  };
  clause(0);
  m.activation = saved;
  if (!m.captured.has(inner)) m.cur.frames.delete(inner);
}
