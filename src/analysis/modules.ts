/**
 * Module-level names. A name that is assigned once is evaluated when first read, as the loading of its module would
 * have, and is then the same on every path. What the load closure may have changed stops.
 */
import type { Binding } from '../ir/program.js';
import type { ModuleId } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';
import { decorate, makeClass, makeClosure } from './closures.js';
import { TRUE } from './guards.js';
import type { Machine, ModuleValue } from './machine.js';
import { patchOf } from './patches.js';
import type { TermId } from './terms.js';

/** Identity of a project module as a value. */
export const PROJECT_MODULE_PREFIX = '@';

export function readModuleVariable(m: Machine, module: ModuleId, name: string, span: Span): TermId {
  if (m.dead) return m.store.null;
  const key = `${module}::${name}`;
  const write = m.program.foreignWrites.find(
    (w) => w.identity === '*' || w.identity === `*.${name}` || w.identity === `@${key}` || w.identity.startsWith(`@${key}.`),
  );
  if (write !== undefined)
    return m.stop('module-state', `${name} of module ${module} is written at ${write.span.file}:${String(write.span.line)}`, span, 'assign the name once');
  let known = m.moduleValues.get(key);
  if (known === undefined) {
    m.moduleValues.set(key, { kind: 'evaluating' });
    known = evaluateBinding(m, module, name, span);
    m.moduleValues.set(key, known);
  }
  switch (known.kind) {
    case 'value':
      if (m.phase === 'call' && m.holdsSharedObject(known.value) && m.shared.mayChangeModuleVariable(module, name)) {
        return m.stop(
          'shared-state',
          `the object in ${name} of module ${module} outlives the call and may be changed by other code`,
          span,
          'make the object immutable or local, or keep the release on one epoch',
        );
      }
      return known.value;
    case 'evaluating':
      return m.stop('module-state', `${name} of module ${module} is needed while it is being computed`, span, 'break the cycle');
    case 'stopped':
      return m.stop(known.code, known.message, span, known.next);
    default:
      return unreachable(known);
  }
}

function evaluateBinding(m: Machine, module: ModuleId, name: string, span: Span): ModuleValue {
  const binding = m.program.modules.get(module)?.bindings.get(name);
  if (binding === undefined) return { kind: 'stopped', code: 'unresolved-name', message: `module ${module} has no ${name}`, next: 'check the import' };
  if (binding.kind === 'unsupported')
    return {
      kind: 'stopped',
      code: binding.code,
      message: `${name}: ${binding.detail} (${binding.span.file}:${String(binding.span.line)})`,
      next: 'bind the name once, unconditionally',
    };
  return loadTime(m, module, () => bindingValue(m, module, binding, span));
}

function bindingValue(m: Machine, module: ModuleId, binding: Exclude<Binding, { kind: 'unsupported' }>, span: Span): TermId {
  const file = m.program.modules.get(module)?.file;
  if (file !== undefined) m.usedFiles.add(file);
  switch (binding.kind) {
    case 'function': {
      const closure = makeClosure(m, binding.function, binding.span);
      return decorate(m, binding.function, closure);
    }
    case 'class':
      return makeClass(m, binding.class, binding.span);
    case 'external':
      return externalValue(m, binding.identity, span);
    case 'module':
      return m.store.intern({ kind: 'external', identity: `${PROJECT_MODULE_PREFIX}${binding.module}` });
    case 'alias':
      return readModuleVariable(m, binding.module, binding.name, span);
    case 'value':
      return m.evaluate(binding.value);
    default:
      return unreachable(binding);
  }
}

/** A library thing by the name that it was imported under. */
export function externalValue(m: Machine, name: string, span: Span): TermId {
  const identity = m.library.canonical(name);
  const patched = patchOf(m, identity);
  if (patched !== undefined)
    return m.stop(
      'monkey-patched',
      `${identity} may be replaced at ${patched.span.file}:${String(patched.span.line)}`,
      span,
      'remove the assignment, or review the handler by hand',
    );
  if (m.library.constant(identity) !== undefined) {
    const at = Math.max(identity.lastIndexOf('#'), identity.lastIndexOf('.'));
    return m.member(m.store.intern({ kind: 'external', identity: identity.slice(0, at) }), identity.slice(at + 1), span);
  }
  return m.store.intern({ kind: 'external', identity });
}

/** Evaluates as module loading does: on a path of its own, whose objects exist on every path. */
export function loadTime(m: Machine, module: ModuleId, body: () => TermId): ModuleValue {
  const saved = {
    cur: m.cur,
    exits: m.exits,
    outcomes: m.outcomes,
    phase: m.phase,
    activation: m.activation,
    stack: m.callStack.splice(0),
    contexts: m.contexts.splice(0),
    yieldHandler: m.yieldHandler,
    depth: m.loopDepth,
  };
  m.cur = { guard: TRUE, frames: new Map(), heap: new Map(), world: m.store.intern({ kind: 'world', after: [], name: 'load' }) };
  m.exits = {};
  m.outcomes = [];
  m.phase = 'setup';
  m.yieldHandler = undefined;
  m.loopDepth = 0;
  m.activations.push({ function: `${module}#<module>`, module });
  m.activation = m.activations.length - 1;
  m.cur.frames.set(m.activation, new Map());
  const value = body();
  for (const [allocation, object] of m.cur.heap) m.moduleHeap.set(allocation, object);
  for (const [activation, frame] of m.cur.frames) m.moduleFrames.set(activation, frame);
  const stopped = m.outcomes.find((found) => found.outcome.kind === 'escalate')?.outcome;
  const threw = m.exits.throws !== undefined;
  const dead = m.dead;
  m.cur = saved.cur;
  m.exits = saved.exits;
  m.outcomes = saved.outcomes;
  m.phase = saved.phase;
  m.activation = saved.activation;
  m.callStack.push(...saved.stack);
  m.contexts.push(...saved.contexts);
  m.yieldHandler = saved.yieldHandler;
  m.loopDepth = saved.depth;
  if (stopped?.kind === 'escalate') return { kind: 'stopped', code: stopped.code, message: stopped.message, next: stopped.next };
  if (dead)
    return {
      kind: 'stopped',
      code: 'module-state',
      message: threw ? 'loading the module throws' : 'loading the module does not end',
      next: 'check the module',
    };
  // A throw that only may happen ends the load; what runs later saw it succeed.
  return { kind: 'value', value };
}
