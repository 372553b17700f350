/** Function and class values as they are made on a path: defaults, captured activation, decorators. */
import type { ClassId, FunctionId } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import type { Machine } from './machine.js';
import { findMethod } from './members.js';
import type { TermId } from './terms.js';

/** A function value made on the current path; defaults are evaluated now where the language says so. */
export function makeClosure(m: Machine, id: FunctionId, span: Span): TermId {
  const fn = m.program.functions.get(id);
  if (fn === undefined) return m.stop('unsupported-syntax', `the function ${id} was not lowered`, span, 'report this');
  if (fn.parent !== undefined) m.capture();
  const closure = m.store.intern({ kind: 'function', function: id, ...(fn.parent === undefined ? {} : { frame: m.activation }) });
  if (fn.defaultsAt === 'definition' && fn.parameters.some((p) => p.default !== undefined)) {
    const values = new Map<string, TermId>();
    for (const parameter of fn.parameters) if (parameter.default !== undefined) values.set(parameter.name, m.evaluate(parameter.default));
    m.defaults.set(closure, values);
  }
  return closure;
}

/** Applies the decorators of a function to its closure, the last written first. */
export function decorate(m: Machine, id: FunctionId, closure: TermId): TermId {
  const fn = m.program.functions.get(id);
  if (fn === undefined || fn.decorators.length === 0) return closure;
  const decorators = fn.decorators.map((decorator) => ({ span: decorator.span, value: m.evaluate(decorator) }));
  let value = closure;
  for (const decorator of decorators.reverse()) {
    if (m.dead) return m.store.null;
    value = m.call(decorator.value, { positional: [{ kind: 'value', value }], keywords: [] }, decorator.span);
  }
  return value;
}

export function makeClass(m: Machine, id: ClassId, span: Span): TermId {
  const definition = m.program.classes.get(id);
  if (definition === undefined) return m.stop('unsupported-syntax', `the class ${id} was not lowered`, span, 'report this');
  const bad = definition.unsupported[0];
  if (bad !== undefined)
    return m.stop(
      'unsupported-class',
      `the body of class ${definition.name} does more than define fields and methods`,
      bad.span,
      'move the statement out of the class',
    );
  m.capture();
  let value = m.store.intern({ kind: 'class', class: id, ...(m.activation >= 0 && definition.id.includes('<locals>') ? { frame: m.activation } : {}) });
  if (definition.bases.length > 0 && findMethod(m, value, '__init_subclass__') !== undefined)
    return m.stop('unsupported-class', `a base of class ${definition.name} runs code for each subclass`, span, 'review the handler by hand');
  for (const decorator of [...definition.decorators].reverse()) {
    const callee = m.evaluate(decorator);
    if (m.dead) return m.store.null;
    value = m.call(callee, { positional: [{ kind: 'value', value }], keywords: [] }, decorator.span);
  }
  return value;
}
