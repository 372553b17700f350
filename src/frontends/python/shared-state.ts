/**
 * Module variables that hold something mutable: containers, and instances of project classes whose methods change them.
 * The evaluator takes such a variable for what loading its module made of it, so a change by anyone is reported.
 */
import type { ClassId, Expression, Statement } from '../../ir/nodes.js';
import type { Binding, IrFunction } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { forEachChildOfExpression, forEachChildOfStatement, forEachChildOfTarget, forEachChildOfPattern, type NodeVisitor } from '../../ir/walk.js';
import { CONTAINERS, type Code, type Origins } from './origins.js';

/** Methods of the language's containers that change them. */
export const MUTATORS: ReadonlySet<string> = new Set(['append', 'extend', 'insert', 'remove', 'pop', 'clear', 'update', 'setdefault', 'popitem', 'add', 'discard', 'sort', 'reverse', 'appendleft', 'extendleft', 'popleft', 'rotate', 'subtract', 'move_to_end', 'difference_update', 'intersection_update', 'symmetric_difference_update', '__setitem__', '__delitem__', '__ior__', '__iadd__']);

export interface Escape {
  readonly identity: string;
  readonly span: Span;
}

export class SharedState {
  private readonly code: Code;
  private readonly origins: Origins;

  constructor(code: Code, origins: Origins) {
    this.code = code;
    this.origins = origins;
  }

  /** Whether the path starts at a module variable whose content the evaluator knows. */
  holdsState(identity: string): boolean {
    if (!identity.startsWith('@')) return false;
    const [module = '', path = ''] = identity.slice(1).split('::');
    const name = path.split('.')[0] ?? '';
    return this.isState(this.code.modules.get(module)?.bindings.get(name), path.includes('.'));
  }

  private isState(binding: Binding | undefined, inside: boolean): boolean {
    if (binding?.kind === 'class') return inside;
    if (binding?.kind !== 'value') return binding?.kind === 'unsupported';
    const { value } = binding;
    if (value.kind === 'list') return value.as !== 'tuple';
    if (value.kind !== 'call' && value.kind !== 'new') return value.kind === 'record' || value.kind === 'comprehension';
    return this.origins.places(value.callee).some((place) => place.kind === 'known' && (place.identity.startsWith('@') || CONTAINERS.has(place.identity)));
  }

  /**
   * State that leaves the place where its changes would be seen: handed to project code, returned or stored, where some
   * project code changes what it is handed; and instances whose own methods change them.
   */
  escapes(): Escape[] {
    const found: Escape[] = [];
    const changing = this.changingClasses();
    for (const [module, { bindings }] of this.code.modules) {
      for (const [name, binding] of bindings) {
        const made = binding.kind === 'value' && (binding.value.kind === 'call' || binding.value.kind === 'new') ? this.classOf(binding.value.callee) : undefined;
        if (made !== undefined && changing.has(made)) found.push({ identity: `@${module}::${name}`, span: binding.span });
      }
    }
    if (this.changesStrangers()) this.forEachLeaving((node, span) => {
      if (node.kind === 'module-variable' && this.isState(this.code.modules.get(node.module)?.bindings.get(node.name), false)) found.push({ identity: `@${node.module}::${node.name}`, span });
    });
    return found;
  }

  private classOf(callee: Expression): ClassId | undefined {
    for (const place of this.origins.places(callee)) {
      if (place.kind !== 'known' || !place.identity.startsWith('@')) continue;
      const [module = '', name = ''] = place.identity.slice(1).split('::');
      const binding = this.code.modules.get(module)?.bindings.get(name);
      if (binding?.kind === 'class') return binding.class;
    }
    return undefined;
  }

  /** Classes with a method, other than the one that makes instances, that writes to its instance; and their subclasses. */
  private changingClasses(): ReadonlySet<ClassId> {
    const changing = new Set<ClassId>();
    for (const definition of this.code.classes.values()) {
      for (const method of definition.methods) {
        const fn = this.code.functions.get(method.function);
        const self = fn?.parameters[0]?.name;
        if (fn === undefined || self === undefined || /^__(?:init|post_init|new)__$/.test(method.name)) continue;
        if (changesReceiver(fn, self)) changing.add(definition.id);
      }
    }
    for (let grew = true; grew; ) {
      grew = false;
      for (const definition of this.code.classes.values()) {
        if (changing.has(definition.id) || !definition.bases.some((base) => changing.has(this.classOf(base) ?? ''))) continue;
        changing.add(definition.id);
        grew = true;
      }
    }
    return changing;
  }

  /** Whether any project code changes elements or members of something that it did not make. */
  private changesStrangers(): boolean {
    const found: string[] = [];
    const stranger = (node: Expression): boolean => this.origins.places(node).some((place) => place.kind === 'unknown');
    const visit: NodeVisitor = {
      expression: (node) => {
        if (node.kind === 'call' && node.callee.kind === 'member' && MUTATORS.has(node.callee.name) && stranger(node.callee.object)) found.push(node.callee.name);
        if (found.length === 0) forEachChildOfExpression(node, visit);
      },
      target: (node) => {
        if ((node.kind === 'member' || node.kind === 'index') && stranger(node.object)) found.push(node.kind);
        forEachChildOfTarget(node, visit);
      },
      pattern: (node) => { forEachChildOfPattern(node, visit); },
      statement: (node) => {
        if (node.kind === 'augmented-assign' && node.target.kind === 'local' && stranger(node.target)) found.push(node.target.name);
        if (found.length === 0) forEachChildOfStatement(node, visit);
      },
    };
    for (const fn of this.code.functions.values()) if (found.length === 0) fn.body.forEach(visit.statement);
    return found.length > 0;
  }

  /** Every value that leaves: passed to what is no library, returned, yielded, or stored in an object. */
  private forEachLeaving(leaves: (node: Expression, span: Span) => void): void {
    const leave = (node: Expression | undefined): void => {
      if (node === undefined) return;
      if (node.kind === 'conditional') [node.then, node.otherwise].forEach(leave);
      else if (node.kind === 'logical') [node.left, node.right].forEach(leave);
      else if (node.kind === 'assign-expression' || node.kind === 'await') leave(node.value);
      else leaves(node, node.span);
    };
    const visit: NodeVisitor = {
      expression: (node) => {
        if (node.kind === 'call' || node.kind === 'new') {
          const library = this.origins.places(node.callee).every((place) => place.kind === 'known' && !place.identity.startsWith('@')) || (node.callee.kind === 'member' && node.callee.object.kind === 'constant');
          if (!library) for (const argument of node.arguments) leave(argument.value);
        } else if (node.kind === 'yield') leave(node.value);
        forEachChildOfExpression(node, visit);
      },
      target: (node) => { forEachChildOfTarget(node, visit); },
      pattern: (node) => { forEachChildOfPattern(node, visit); },
      statement: (node: Statement) => {
        if (node.kind === 'return') leave(node.value);
        if (node.kind === 'assign' && node.targets.some((target) => target.kind === 'member' || target.kind === 'index')) leave(node.value);
        forEachChildOfStatement(node, visit);
      },
    };
    for (const fn of this.code.functions.values()) fn.body.forEach(visit.statement);
    for (const module of this.code.modules.values()) module.effects.forEach(visit.statement);
  }
}

/** Whether a method writes members or elements of its instance, or changes a container in it. */
function changesReceiver(fn: IrFunction, self: string): boolean {
  const found: string[] = [];
  const isSelf = (node: Expression): boolean => (node.kind === 'local' ? node.name === self && node.owner === fn.id : (node.kind === 'member' || node.kind === 'index') && isSelf(node.object));
  const visit: NodeVisitor = {
    expression: (node) => {
      if (node.kind === 'call' && node.callee.kind === 'member' && MUTATORS.has(node.callee.name) && node.callee.object.kind !== 'local' && isSelf(node.callee.object)) found.push(node.callee.name);
      forEachChildOfExpression(node, visit);
    },
    target: (node) => {
      if ((node.kind === 'member' || node.kind === 'index') && isSelf(node.object)) found.push(node.kind);
      forEachChildOfTarget(node, visit);
    },
    pattern: (node) => { forEachChildOfPattern(node, visit); },
    statement: (node) => { forEachChildOfStatement(node, visit); },
  };
  fn.body.forEach(visit.statement);
  return found.length > 0;
}
