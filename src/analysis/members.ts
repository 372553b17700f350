/** Members of values: instances and classes of the project, modules, library access paths and builtin values. */
import type { FunctionId } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { decorate, makeClosure } from './closures.js';
import { celTerm } from './cel-terms.js';
import { readAttribute } from './inventory-calls.js';
import type { Machine } from './machine.js';
import { loadTime, PROJECT_MODULE_PREFIX, readModuleVariable } from './modules.js';
import { patchOf } from './patches.js';
import { UNBOUND } from './state.js';
import type { TermId } from './terms.js';

export type Ancestor =
  { readonly kind: 'project'; readonly class: TermId; readonly identity: string } | { readonly kind: 'external'; readonly identity: string };

/** A class and its ancestors in the order in which members are looked up. Stops and returns undefined where a base is not proved. */
export function classLineage(m: Machine, classTerm: TermId, span: Span): readonly Ancestor[] | undefined {
  const known = lineageCache.get(m)?.get(classTerm);
  if (known !== undefined) return known;
  const result = linearise(m, classTerm, [], span);
  if (result === undefined) return undefined;
  if (!lineageCache.has(m)) lineageCache.set(m, new Map());
  lineageCache.get(m)!.set(classTerm, result);
  return result;
}

/** The C3 order: a class before its bases, the bases as they are written, each ancestor once. */
function linearise(m: Machine, value: TermId, trail: readonly TermId[], span: Span): readonly Ancestor[] | undefined {
  const term = m.store.term(value);
  if (term.kind === 'external') return m.library.lineage(term.identity).map((identity) => ({ kind: 'external', identity }));
  if (term.kind !== 'class' || trail.includes(value)) {
    m.stop('unsupported-class', 'a base class is computed', span, 'name the base class');
    return undefined;
  }
  const definition = m.program.classes.get(term.class)!;
  const bases: (readonly Ancestor[])[] = [];
  for (const base of definition.bases) {
    const loaded = loadTime(m, definition.module, () => m.evaluate(base));
    if (loaded.kind !== 'value') {
      m.stop('unsupported-class', `the base of class ${definition.name} is not proved`, base.span, 'name the base class');
      return undefined;
    }
    const lineage = linearise(m, loaded.value, [...trail, value], span);
    if (lineage === undefined) return undefined;
    bases.push(lineage);
  }
  const merged = mergeOrders([...bases, bases.map((lineage) => lineage[0]!)]);
  if (merged === undefined) {
    m.stop('unsupported-class', `the bases of class ${definition.name} have no common order`, definition.span, 'order the bases as their own bases are');
    return undefined;
  }
  return [{ kind: 'project', class: value, identity: `project:${definition.name}` }, ...merged];
}

function mergeOrders(orders: readonly (readonly Ancestor[])[]): Ancestor[] | undefined {
  const keyOf = (ancestor: Ancestor): string => (ancestor.kind === 'project' ? `class ${String(ancestor.class)}` : ancestor.identity);
  const merged: Ancestor[] = [];
  let left = orders.filter((order) => order.length > 0);
  while (left.length > 0) {
    const next = left.map((order) => order[0]!).find((head) => left.every((order) => !order.slice(1).some((other) => keyOf(other) === keyOf(head))));
    if (next === undefined) return undefined;
    merged.push(next);
    left = left.map((order) => (keyOf(order[0]!) === keyOf(next) ? order.slice(1) : order)).filter((order) => order.length > 0);
  }
  return merged;
}
const lineageCache = new WeakMap<Machine, Map<TermId, readonly Ancestor[]>>();

export function findMethod(m: Machine, classTerm: TermId, name: string): { readonly function: FunctionId; readonly owner: TermId } | undefined {
  const span = { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  for (const ancestor of classLineage(m, classTerm, span) ?? []) {
    if (ancestor.kind !== 'project') continue;
    const term = m.store.term(ancestor.class);
    const definition = term.kind === 'class' ? m.program.classes.get(term.class) : undefined;
    const method = definition?.methods.filter((candidate) => candidate.name === name) ?? [];
    if (method.length > 0) return { function: method.at(-1)!.function, owner: ancestor.class };
  }
  return undefined;
}

export function readMember(m: Machine, object: TermId, name: string, span: Span): TermId {
  if (m.dead) return m.store.null;
  return m.overLeaves(object, (leaf) => readLeafMember(m, leaf, name, span));
}

function readLeafMember(m: Machine, leaf: TermId, name: string, span: Span): TermId {
  const builtin = m.semantics.member(m, leaf, name, span);
  if (builtin !== undefined || m.dead) return builtin ?? m.store.null;
  const term = m.store.term(leaf);
  if (term.kind === 'external') return readExternalMember(m, leaf, name, span);
  if (term.kind === 'class') return readClassMember(m, leaf, leaf, name, undefined, span);
  const held = m.object(leaf);
  if (held?.kind === 'instance') {
    const field = held.fields.get(name);
    const ofClass = (): TermId => readClassMember(m, held.class, leaf, name, leaf, span);
    if (field === undefined) return ofClass();
    const unbound = m.store.constant({ type: 'special', name: UNBOUND });
    const unset = m.leaves(field).filter((found) => found.leaf === unbound);
    return m.branch(m.store.guards.any(unset.map(({ when }) => when)), ofClass, () => field);
  }
  const type = m.typeOf(leaf);
  if (type !== undefined && type.includes('#')) return readTypedMember(m, type, leaf, name, span);
  return m.stop(
    'unreviewed-callee',
    `the member ${name} is read from a value whose identity is not proved`,
    span,
    'use a value that a reviewed callee returns',
  );
}

function readExternalMember(m: Machine, leaf: TermId, name: string, span: Span): TermId {
  const term = m.store.term(leaf);
  if (term.kind !== 'external') return m.store.null;
  if (term.identity.startsWith(PROJECT_MODULE_PREFIX)) {
    const module = term.identity.slice(PROJECT_MODULE_PREFIX.length);
    if (m.program.modules.get(module)?.bindings.has(name) === true) return readModuleVariable(m, module, name, span);
    const inner = `${module}.${name}`;
    if (m.program.modules.has(inner)) return m.store.intern({ kind: 'external', identity: `${PROJECT_MODULE_PREFIX}${inner}` });
    return m.stop('unresolved-name', `module ${module} has no ${name}`, span, 'check the import');
  }
  const identity = m.library.canonical(term.identity.includes('#') ? `${term.identity}.${name}` : `${term.identity}#${name}`);
  return finishPath(m, identity, term.self, span);
}

function readTypedMember(m: Machine, type: string, self: TermId, name: string, span: Span): TermId {
  for (const candidate of m.library.lineage(type)) {
    const identity = m.library.canonical(`${candidate}.${name}`);
    if (m.library.entry(identity, 'attribute') !== undefined || m.library.entry(identity, 'call') !== undefined || m.library.isPrefix(identity))
      return finishPath(m, identity, self, span);
  }
  return m.stop('unreviewed-callee', `${type}.${name} has no entry in the inventories`, span, `review ${type}.${name} and add an entry`);
}

function finishPath(m: Machine, identity: string, self: TermId | undefined, span: Span): TermId {
  const patched = patchOf(m, identity);
  if (patched !== undefined)
    return m.stop(
      'monkey-patched',
      `${identity} may be replaced at ${patched.span.file}:${String(patched.span.line)}`,
      span,
      'remove the assignment, or review the handler by hand',
    );
  const constant = m.library.constant(identity);
  if (constant !== undefined) return celTerm(m, constant.ast, new Map(), span);
  const entry = m.library.entry(identity, 'attribute');
  if (entry !== undefined) return readAttribute(m, entry, identity, self, span);
  return m.store.intern({ kind: 'external', identity, ...(self === undefined ? {} : { self }) });
}

function readClassMember(m: Machine, classTerm: TermId, receiver: TermId, name: string, instance: TermId | undefined, span: Span): TermId {
  const write = m.program.foreignWrites.find((candidate) => candidate.identity === '*' || candidate.identity === `*.${name}`);
  if (write !== undefined)
    return m.stop(
      'monkey-patched',
      `the member ${name} may be replaced at ${write.span.file}:${String(write.span.line)}`,
      span,
      'remove the assignment, or review the handler by hand',
    );
  const special = m.semantics.classMember(m, classTerm, name, span);
  if (special !== undefined || m.dead) return special ?? m.store.null;
  const lineage = classLineage(m, classTerm, span);
  if (lineage === undefined) return m.store.null;
  for (const ancestor of lineage) {
    if (ancestor.kind === 'external') {
      const identity = m.library.canonical(`${ancestor.identity}.${name}`);
      if (m.library.entry(identity, 'call') !== undefined || m.library.entry(identity, 'attribute') !== undefined)
        return finishPath(m, identity, receiver, span);
      continue;
    }
    const term = m.store.term(ancestor.class);
    const definition = term.kind === 'class' ? m.program.classes.get(term.class) : undefined;
    if (definition === undefined) continue;
    const method = definition.methods.filter((candidate) => candidate.name === name).at(-1);
    if (method !== undefined) return bindMethod(m, method.function, { owner: ancestor.class, receiver: classTerm, instance }, span);
    const field = definition.fields.filter((candidate) => candidate.name === name).at(-1);
    if (field?.default !== undefined) {
      const value = field.default;
      const loaded = loadTime(m, definition.module, () => m.evaluate(value));
      if (loaded.kind !== 'value') return m.stop('module-state', `the class field ${name} is not proved`, span, 'give the field a constant');
      if (m.holdsSharedObject(loaded.value) && m.shared.mayChangeMember(name))
        return m.stop('shared-state', `the object in the class field ${name} may be changed by other code`, span, 'make the object immutable');
      return loaded.value;
    }
  }
  if (lineage.every((a) => a.kind === 'project' || m.library.isClass(a.identity))) {
    m.raise(m.semantics.errors.attribute, [m.store.string(name)]);
    return m.store.null;
  }
  return m.stop('unreviewed-callee', `the member ${name} may come from a library base class`, span, 'model the base class in an inventory');
}

/** `receiver` is the class that the method was looked up on, which a class method gets; `owner` the one that defines it. */
function bindMethod(
  m: Machine,
  id: FunctionId,
  { owner, receiver, instance }: { readonly owner: TermId; readonly receiver: TermId; readonly instance: TermId | undefined },
  span: Span,
): TermId {
  const fn = m.program.functions.get(id)!;
  const kind = m.semantics.methodKind(m, fn.decorators, owner, span);
  if (m.dead) return m.store.null;
  const closure = makeClosure(m, id, span);
  if (kind === undefined) {
    const decorated = loadTime(m, fn.module, () => decorate(m, id, closure));
    if (decorated.kind !== 'value')
      return m.stop('unsupported-class', `a decorator of the method ${fn.name} is not modelled`, span, 'model the decorator in an inventory');
    const term = m.store.term(decorated.value);
    if (term.kind !== 'function' || term.self !== undefined)
      return m.stop('unsupported-class', `the method ${fn.name} is replaced by its decorator`, span, 'review the handler by hand');
    return instance === undefined ? decorated.value : m.store.intern({ ...term, self: instance });
  }
  if (kind === 'static') return closure;
  if (kind === 'class') return m.store.intern({ kind: 'function', function: id, self: receiver });
  if (instance === undefined) return closure;
  const bound = m.store.intern({ kind: 'function', function: id, self: instance });
  return kind === 'property' ? m.call(bound, { positional: [], keywords: [] }, span) : bound;
}
