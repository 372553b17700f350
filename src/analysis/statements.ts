/** Execution of IR statements on the current path. After `execute` the current state is the normal completion. */
import type { AugmentedAssign, Expression, Match, Statement, Try, With } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { assignMember, assignTarget, deleteTarget } from './assign.js';
import { decorate, makeClass, makeClosure } from './closures.js';
import { testOf } from './expressions.js';
import { guardOverLeaves, plainItems } from './construct.js';
import { FALSE, TRUE } from './guards.js';
import { runLoop, runWhile } from './loops.js';
import type { Machine } from './machine.js';
import { findMethod } from './members.js';
import { patternGuard } from './patterns.js';
import { afterwards, Parking } from './pending.js';
import { UNBOUND, type State } from './state.js';
import { TYPE_UNION, type Guard, type TermId } from './terms.js';

export function execute(m: Machine, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (m.dead) return;
    m.tick(statement.span);
    executeOne(m, statement);
  }
}

function executeOne(m: Machine, s: Statement): void {
  switch (s.kind) {
    case 'assign': {
      const value = m.evaluate(s.value);
      for (const target of s.targets) assignTarget(m, target, value);
      return;
    }
    case 'augmented-assign':
      executeAugmented(m, s);
      return;
    case 'delete':
      deleteTarget(m, s.target);
      return;
    case 'expression':
      m.evaluate(s.expression);
      return;
    case 'if':
      m.branchDo(
        testOf(m, s.test),
        () => {
          execute(m, s.then);
        },
        () => {
          execute(m, s.otherwise);
        },
      );
      return;
    case 'match':
      executeMatch(m, s);
      return;
    case 'for-each': {
      const iterable = m.evaluate(s.iterable);
      if (m.dead) return;
      runLoop(
        m,
        iterable,
        s.span,
        (element) => {
          assignTarget(m, s.target, element);
          execute(m, s.body);
        },
        () => {
          execute(m, s.otherwise);
        },
      );
      return;
    }
    case 'while':
      if (s.otherwise.length > 0) {
        m.stop('unsupported-loop', 'an else branch of a loop on a condition', s.span, 'move the branch after the loop');
        return;
      }
      runWhile(
        m,
        s.span,
        () => testOf(m, s.test),
        () => {
          execute(m, s.body);
        },
      );
      return;
    case 'break':
      m.leaveLoop('breaks');
      return;
    case 'continue':
      m.leaveLoop('continues');
      return;
    case 'return':
      m.leave('return', s.value === undefined ? m.store.null : m.evaluate(s.value), s.span);
      return;
    case 'throw':
      executeThrow(m, s.value, s.cause, s.span);
      return;
    case 'try':
      executeTry(m, s);
      return;
    case 'with':
      executeWith(m, s, 0);
      return;
    case 'defer':
      m.stop('unsupported-syntax', 'a deferred call', s.span, 'review the handler by hand');
      return;
    case 'spawn':
      m.stop('spawned', 'something is started that nobody waits for', s.span, 'wait for it');
      return;
    case 'assert': {
      const test = testOf(m, s.test);
      m.throwWhen(m.store.guards.not(test), () => {
        const message = s.message === undefined ? [] : [m.evaluate(s.message)];
        return m.newException(m.store.intern({ kind: 'external', identity: m.semantics.errors.assertion }), message);
      });
      return;
    }
    case 'define-function':
      assignTarget(m, s.target, decorate(m, s.function, makeClosure(m, s.function, s.span)));
      return;
    case 'define-class':
      assignTarget(m, s.target, makeClass(m, s.class, s.span));
      return;
    case 'unsupported':
      m.stop(s.code, s.detail, s.span, 'rewrite this in a supported form, or review the handler by hand');
      return;
    default:
      unreachable(s);
  }
}

/** The target's object and index are evaluated once, for reading and for writing. */
function executeAugmented(m: Machine, s: AugmentedAssign): void {
  const { target } = s;
  const combine = (before: TermId): TermId => {
    if (m.dead) return m.store.null;
    const operand = m.evaluate(s.value);
    return m.dead ? m.store.null : m.semantics.augmented(m, s.operator, before, operand, s.span);
  };
  switch (target.kind) {
    case 'local':
    case 'module-variable':
      assignTarget(m, target, combine(m.evaluate(target)));
      return;
    case 'member': {
      const object = m.evaluate(target.object);
      if (m.dead) return;
      const value = combine(m.member(object, target.name, target.span));
      if (!m.dead) assignMember(m, object, target.name, value, target.span);
      return;
    }
    case 'index': {
      const object = m.evaluate(target.object);
      const index = m.evaluate(target.index);
      if (m.dead) return;
      const value = combine(m.semantics.index(m, object, index, target.span));
      if (!m.dead) m.semantics.setIndex(m, object, index, value, target.span);
      return;
    }
    case 'unpack':
    case 'unsupported':
      m.stop('unsupported-syntax', 'in-place operation on a destructuring', target.span, 'assign the parts one by one');
      return;
    default:
      unreachable(target);
  }
}

function executeThrow(m: Machine, value: Expression | undefined, cause: Expression | undefined, span: Span): void {
  if (value === undefined) {
    const current = m.handling.at(-1);
    if (current === undefined) m.raise('py:builtins#RuntimeError', [m.store.string('no active exception')]);
    else m.leave('throw', current, span);
    return;
  }
  const thrown = m.evaluate(value);
  if (cause !== undefined) m.evaluate(cause);
  if (m.dead) return;
  const instance = m.overLeaves(thrown, (leaf) => {
    const term = m.store.term(leaf);
    if (term.kind === 'class' || (term.kind === 'external' && term.self === undefined)) return m.call(leaf, { positional: [], keywords: [] }, span);
    if (term.kind === 'error' || m.object(leaf)?.kind === 'instance') return leaf;
    return m.stop('unsupported-operation', 'something other than an exception is raised', span, 'raise an exception');
  });
  m.leave('throw', instance, span);
}

function executeMatch(m: Machine, s: Match): void {
  const subject = m.evaluate(s.subject);
  const tryCase = (at: number): void => {
    const candidate = s.cases[at];
    if (candidate === undefined || m.dead) return;
    const matched = patternGuard(m, candidate.pattern, subject);
    m.branchDo(
      matched.when,
      () => {
        matched.bind();
        if (candidate.guard === undefined) execute(m, candidate.body);
        else
          m.branchDo(
            testOf(m, candidate.guard),
            () => {
              execute(m, candidate.body);
            },
            () => {
              tryCase(at + 1);
            },
          );
      },
      () => {
        tryCase(at + 1);
      },
    );
  };
  tryCase(0);
}

function executeTry(m: Machine, s: Try): void {
  const guarded = (): void => {
    const exits = m.collect(() => {
      execute(m, s.body);
    });
    const { throws, ...others } = exits;
    m.propagate(others);
    execute(m, s.otherwise);
    if (throws === undefined) return;
    const normal = m.cur;
    m.cur = throws.state;
    handle(m, s, throws.value, 0);
    const handled = m.cur;
    m.cur = normal;
    m.join(handled);
  };
  if (s.finally.length === 0) guarded();
  else
    afterwards(m, guarded, 'with-throws', () => {
      execute(m, s.finally);
    });
}

/** Tries the handlers from `at` on for the exception; what none catches is thrown on. */
function handle(m: Machine, s: Try, exception: TermId, at: number): void {
  const handler = s.handlers[at];
  if (m.dead) return;
  if (handler === undefined) {
    m.leave('throw', exception);
    return;
  }
  const types = handler.types === undefined ? undefined : m.evaluate(handler.types);
  if (m.dead) return;
  const caught = types === undefined ? TRUE : caughtBy(m, exception, types, handler.span);
  m.branchDo(
    caught,
    () => {
      if (handler.name !== undefined) assignTarget(m, handler.name, exception);
      m.handling.push(exception);
      execute(m, handler.body);
      m.handling.pop();
      if (handler.name !== undefined) assignTarget(m, handler.name, m.store.constant({ type: 'special', name: UNBOUND }));
    },
    () => {
      handle(m, s, exception, at + 1);
    },
  );
}

/** Condition under which an exception is an instance of a class or of one of a tuple of classes. */
export function caughtBy(m: Machine, exception: TermId, types: TermId, span: Span): Guard {
  const classes = caughtClasses(m, types, span);
  if (classes === undefined) return FALSE;
  return guardOverLeaves(m.store, exception, (leaf) => {
    const guards = classes.map((one) => m.semantics.isInstance(m, leaf, one, span));
    const term = m.store.term(leaf);
    const open = classes.filter((_, at) => guards[at] !== TRUE && guards[at] !== FALSE).map((one) => m.store.term(one));
    if (guards.includes(TRUE) || open.length < 2 || term.kind !== 'error' || term.type !== undefined) return m.store.guards.any(guards);
    // Whether an unknown exception is of one of several types is one fact, not one for each type.
    const identities = open.map((one) => (one.kind === 'external' ? one.identity : undefined));
    if (identities.includes(undefined)) return m.store.guards.any(guards);
    return m.throwsGuard(term.call, typeUnion(m, identities as string[]));
  });
}

function typeUnion(m: Machine, identities: readonly string[]): string {
  const all = [...new Set(identities)].sort();
  return all.filter((one) => !all.some((other) => other !== one && m.library.isSubclass(one, other))).join(TYPE_UNION);
}

function caughtClasses(m: Machine, types: TermId, span: Span): readonly TermId[] | undefined {
  const term = m.store.term(types);
  if (term.kind === 'class' || term.kind === 'external') return [types];
  const items = plainItems(term)?.map((item) => caughtClasses(m, item, span));
  if (items?.every((item) => item !== undefined) === true) return items.flatMap((item) => item);
  m.stop('unsupported-operation', 'the caught types are computed', span, 'name the types');
  return undefined;
}

function executeWith(m: Machine, s: With, at: number): void {
  const item = s.items[at];
  if (item === undefined) {
    execute(m, s.body);
    return;
  }
  const context = m.evaluate(item.context);
  if (m.dead) return;
  const body = (value: TermId): void => {
    if (item.target !== undefined) assignTarget(m, item.target, value);
    executeWith(m, s, at + 1);
  };
  if (m.store.term(context).kind === 'conditional') {
    m.stop('unsupported-operation', 'which context is entered depends on the call', item.context.span, 'enter one context');
    return;
  }
  const object = m.object(context);
  if (object?.kind === 'suspended' && object.what === 'context') {
    enterGenerator(m, object.resume, body, item.context.span);
    return;
  }
  enterManager(m, context, s.async, item.context.span, body);
}

/** A generator as a context manager: the body stands at its `yield`, where a throw of the body is thrown. */
function enterGenerator(m: Machine, resume: () => TermId, body: (value: TermId) => void, span: Span): void {
  const outerHandler = m.yieldHandler;
  const outerActivation = m.activation;
  const outerDepth = m.callStack.length;
  const outerLoops = m.loopDepth;
  const parking = new Parking(m);
  m.yieldHandler = (value) => {
    if (m.loopDepth > outerLoops) return m.stop('unsupported-generator', 'a context manager yields in a loop', span, 'yield once');
    m.yieldHandler = outerHandler;
    const innerActivation = m.activation;
    const innerStack = m.callStack.splice(outerDepth);
    m.activation = outerActivation;
    const exits = m.collect(() => {
      body(value);
    });
    m.activation = innerActivation;
    m.callStack.push(...innerStack);
    const { throws, ...others } = exits;
    // A throw goes on inside the generator; the other exits of the body wait until the generator has ended.
    if (throws !== undefined) m.propagate({ throws });
    parking.park(others);
    m.yieldHandler = () => m.stop('unsupported-generator', 'a context manager yields twice', span, 'yield once');
    return m.store.null;
  };
  resume();
  m.yieldHandler = outerHandler;
  parking.release();
}

function enterManager(m: Machine, context: TermId, isAsync: boolean, span: Span, body: (value: TermId) => void): void {
  const [enterName, exitName] = isAsync ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__'];
  const instance = m.object(context);
  if (instance?.kind === 'instance' && findMethod(m, instance.class, exitName) === undefined) {
    m.raise(m.semantics.errors.type, [m.store.string('not a context manager')]);
    return;
  }
  m.enteredContext = undefined;
  const exitMethod = m.member(context, exitName, span);
  const entered = awaitIf(m, isAsync, m.call(m.member(context, enterName, span), { positional: [], keywords: [] }, span));
  const effectContext = m.enteredContext;
  m.enteredContext = undefined;
  if (m.dead) return;
  const leave = (exception: TermId): TermId => {
    const none = { kind: 'value' as const, value: m.store.null };
    return awaitIf(m, isAsync, m.call(exitMethod, { positional: [none, { kind: 'value', value: exception }, none], keywords: [] }, span));
  };
  const swallowedStates: State[] = [];
  const guarded = (): void => {
    if (effectContext !== undefined) m.contexts.push(effectContext);
    const exits = m.collect(() => {
      body(entered);
    });
    if (effectContext !== undefined) m.contexts.pop();
    const { throws, ...others } = exits;
    m.propagate(others);
    if (throws === undefined) return;
    const normal = m.cur;
    m.cur = throws.state;
    const swallowed = leave(throws.value);
    if (!m.dead) {
      const swallows = m.semantics.truthy(m, swallowed, span);
      m.branchDo(
        swallows,
        () => undefined,
        () => {
          m.leave('throw', throws.value);
        },
      );
    }
    // A swallowed throw goes on after the statement, where the exit must not run again.
    const after = m.cur;
    m.cur = normal;
    swallowedStates.push(after);
  };

  afterwards(m, guarded, 'without-throws', () => {
    leave(m.store.null);
  });
  for (const state of swallowedStates) m.join(state);
}

function awaitIf(m: Machine, isAsync: boolean, value: TermId): TermId {
  if (!isAsync || m.dead) return value;
  const object = m.object(value);
  return object?.kind === 'suspended' && object.what === 'coroutine' ? object.resume() : value;
}
