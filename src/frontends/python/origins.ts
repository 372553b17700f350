/**
 * Which objects an expression may be, as far as a write to them matters: something that a name leads to, an object that
 * is made where it is written to (whoever has it later has run the code that writes), or anything.
 *
 * One reading of all code collects what locals are bound to; locals are followed through every binding that they have.
 */
import { ORIGIN_DEPTH_MAX, ORIGIN_STEPS_MAX } from '../../base/limits.js';
import type { Expression, FunctionId, Target } from '../../ir/nodes.js';
import type { IrClass, IrFunction, Module } from '../../ir/program.js';
import { forEachChildOfExpression, forEachChildOfPattern, forEachChildOfStatement, forEachChildOfTarget, forEachHeadExpression, type NodeVisitor } from '../../ir/walk.js';
import type { ProgramParts } from './context.js';

export type Place =
  /** An access path: `py:git#Repo.git`, `@module` or `@module::name.member`. */
  | { readonly kind: 'known'; readonly identity: string }
  /** Made by the code that writes, or the instance of a method. */
  | { readonly kind: 'own' }
  | { readonly kind: 'unknown' };

type Origin = { readonly kind: 'value'; readonly value: Expression } | Place;

export interface Code extends ProgramParts {
  readonly modules: ReadonlyMap<string, Module>;
}

const OWN: Place = { kind: 'own' };
const UNKNOWN: Place = { kind: 'unknown' };
/** What could not be followed to its end may be anything, by any name. */
const ANYWHERE: Place = { kind: 'known', identity: '*' };
/** Builtins that make a new container of their arguments. */
export const CONTAINERS: ReadonlySet<string> = new Set(['py:builtins#list', 'py:builtins#dict', 'py:builtins#set', 'py:builtins#bytearray', 'py:collections#defaultdict', 'py:collections#OrderedDict', 'py:collections#deque', 'py:collections#Counter', 'py:copy#copy', 'py:copy#deepcopy']);

export class Origins {
  private readonly code: Code;
  private readonly locals = new Map<string, Origin[]>();
  private readonly returned = new Map<FunctionId, (Expression | undefined)[]>();

  constructor(code: Code) {
    this.code = code;
    for (const definition of code.classes.values()) for (const { function: id } of definition.methods) this.bindReceiver(code.functions.get(id), definition);
    for (const fn of code.functions.values()) {
      for (const parameter of fn.parameters) if (!this.locals.has(`${fn.id}::${parameter.name}`)) this.add(fn.id, parameter.name, UNKNOWN);
      const visit = this.collector(fn.id);
      forEachHeadExpression(fn, visit.expression);
      fn.body.forEach(visit.statement);
    }
    const visit = this.collector(undefined);
    for (const module of code.modules.values()) {
      for (const binding of module.bindings.values()) if (binding.kind === 'value') visit.expression(binding.value);
      module.effects.forEach(visit.statement);
    }
    for (const definition of code.classes.values()) for (const one of definition.fields) if (one.default !== undefined) visit.expression(one.default);
  }

  /** Everything that the value of an expression may be. */
  places(node: Expression): readonly Place[] {
    this.budget = ORIGIN_STEPS_MAX;
    const seen = new Set<string>();
    return this.follow(node, ORIGIN_DEPTH_MAX).filter((place) => {
      const key = place.kind === 'known' ? place.identity : `.${place.kind}`;
      return !seen.has(key) && seen.add(key).size > 0;
    });
  }
  private budget = 0;
  /** Locals whose bindings are being followed: through themselves they are nothing else. */
  private readonly following = new Set<string>();

  private follow(node: Expression, steps: number): readonly Place[] {
    this.budget -= 1;
    if (steps <= 0 || this.budget <= 0) return [ANYWHERE];
    const again = (inner: Expression): readonly Place[] => this.follow(inner, steps - 1);
    switch (node.kind) {
      case 'external':
        return [{ kind: 'known', identity: node.identity }];
      case 'module-variable':
        return this.variable(node.module, node.name, steps);
      case 'local': {
        const key = `${node.owner}::${node.name}`;
        if (this.following.has(key)) return [];
        this.following.add(key);
        const found = (this.locals.get(key) ?? [UNKNOWN]).flatMap((origin) => (origin.kind === 'value' ? again(origin.value) : [origin]));
        this.following.delete(key);
        return found;
      }
      case 'member':
        return again(node.object).flatMap((place) => (place.kind === 'known' ? this.member(place.identity, node.name, steps) : [UNKNOWN]));
      case 'index': {
        const isModules = again(node.object).some((place) => place.kind === 'known' && place.identity === 'py:sys#modules');
        if (!isModules) return [UNKNOWN];
        return node.index.kind === 'constant' && node.index.value.type === 'string' ? [this.moduleNamed(node.index.value.value)] : [ANYWHERE];
      }
      case 'conditional':
        return [...again(node.then), ...again(node.otherwise)];
      case 'logical':
        return [...again(node.left), ...again(node.right)];
      case 'assign-expression':
      case 'await':
        return again(node.value);
      case 'call':
      case 'new':
        return this.isMade(node, steps) ? [OWN] : this.calledPlaces(node, steps);
      case 'list':
      case 'record':
      case 'comprehension':
      case 'constant':
      case 'template':
      case 'closure':
        return [OWN];
      case 'slice':
      case 'unary':
      case 'binary':
      case 'yield':
      case 'unsupported':
        return [UNKNOWN];
    }
  }

  /** A module variable is itself, and what it is bound to. */
  private variable(module: string, name: string, steps: number): readonly Place[] {
    const self: Place = { kind: 'known', identity: `@${module}::${name}` };
    const binding = this.code.modules.get(module)?.bindings.get(name);
    switch (binding?.kind) {
      case 'external':
        return [{ kind: 'known', identity: binding.identity }];
      case 'module':
        return [{ kind: 'known', identity: `@${binding.module}` }];
      case 'alias':
        return steps <= 0 ? [self, ANYWHERE] : this.variable(binding.module, binding.name, steps - 1);
      case 'value':
        return steps <= 0 ? [self, ANYWHERE] : [self, ...this.follow(binding.value, steps - 1).filter((place) => place.kind === 'known')];
      case 'function':
      case 'class':
      case 'unsupported':
      case undefined:
        return [self];
    }
  }

  private member(identity: string, name: string, steps: number): readonly Place[] {
    if (identity === '*') return [{ kind: 'known', identity }];
    if (name === '__dict__') return [{ kind: 'known', identity }];
    if (identity.startsWith('@') && !identity.includes('::')) {
      const module = identity.slice(1);
      if (this.code.modules.get(module)?.bindings.has(name) !== true && this.code.modules.has(`${module}.${name}`)) return [{ kind: 'known', identity: `@${module}.${name}` }];
      return this.variable(module, name, steps - 1);
    }
    return [{ kind: 'known', identity: memberIdentity(identity, name) }];
  }

  /** Whether a call makes a new object: a class by its binding, or by the convention of its name where it is a library's. */
  private isMade(node: Extract<Expression, { kind: 'call' | 'new' }>, steps: number): boolean {
    const callees = this.follow(node.callee, steps - 1);
    if (callees.length === 0) return false;
    return callees.every((place) => {
      if (place.kind !== 'known') return place.kind === 'own' && node.callee.kind === 'local' && this.isReceiverClass(node.callee.owner, node.callee.name);
      const { identity } = place;
      if (CONTAINERS.has(identity) || identity === 'py:builtins#object.__new__') return true;
      if (!identity.startsWith('@')) return /[#.]_*\p{Lu}[^#.]*$/u.test(identity);
      const [module = '', name = ''] = identity.slice(1).split('::');
      const binding = this.code.modules.get(module)?.bindings.get(name);
      if (binding?.kind === 'class') return !(this.code.classes.get(binding.class)?.methods.some((method) => method.name === '__new__') ?? true);
      return binding?.kind === 'function' && this.returnsOwn(binding.function, steps);
    });
  }

  private moduleNamed(name: string): Place {
    return { kind: 'known', identity: this.code.modules.has(name) ? `@${name}` : `py:${name}` };
  }

  private returnsOwn(id: FunctionId, steps: number): boolean {
    const fn = this.code.functions.get(id);
    const returned = this.returned.get(id) ?? [];
    if (fn === undefined || fn.decorators.length > 0 || steps <= 1) return false;
    return fn.generator || (returned.length > 0 && returned.every((value) => value === undefined || this.follow(value, steps - 2).every((place) => place.kind === 'own')));
  }

  private calledPlaces(node: Extract<Expression, { kind: 'call' | 'new' }>, steps: number): readonly Place[] {
    const callee = this.follow(node.callee, steps - 1);
    const identity = callee.length === 1 && callee[0]?.kind === 'known' ? callee[0].identity : undefined;
    const [first, second] = node.arguments;
    if (identity === 'py:builtins#vars' && first?.kind === 'positional') return this.follow(first.value, steps - 1);
    if (identity === 'py:builtins#globals') return [{ kind: 'known', identity: '*' }];
    if ((identity === 'py:importlib#import_module' || identity === 'py:builtins#__import__') && first?.kind === 'positional' && first.value.kind === 'constant' && first.value.value.type === 'string') {
      return [this.moduleNamed(first.value.value.value)];
    }
    if (identity === 'py:builtins#getattr' && first?.kind === 'positional' && second?.kind === 'positional' && second.value.kind === 'constant' && second.value.value.type === 'string') {
      return this.follow({ kind: 'member', span: node.span, object: first.value, name: second.value.value.value, optional: false }, steps - 1);
    }
    return [UNKNOWN];
  }

  private bindReceiver(fn: IrFunction | undefined, definition: IrClass): void {
    const first = fn?.parameters[0];
    if (fn === undefined || first === undefined || (first.kind !== 'positional' && first.kind !== 'positional-only')) return;
    const isBuiltin = (name: string): boolean => fn.decorators.some((decorator) => decorator.kind === 'external' && decorator.identity === `py:builtins#${name}`);
    if (isBuiltin('staticmethod')) return;
    const bound = this.code.modules.get(definition.module)?.bindings.get(definition.name);
    const ofClass = bound?.kind === 'class' && bound.class === definition.id ? ({ kind: 'known', identity: `@${definition.module}::${definition.name}` } as const) : UNKNOWN;
    const isClass = isBuiltin('classmethod') || ['__init_subclass__', '__class_getitem__', '__new__'].includes(fn.name);
    // What a metaclass makes are classes, which all of the release shares.
    this.add(fn.id, first.name, isClass ? ofClass : this.isMetaclass(definition) ? UNKNOWN : OWN);
    if (isClass) this.receiverClasses.add(`${fn.id}::${first.name}`);
  }
  /** A class of classes, by its bases; a library's metaclass by the convention of its name. */
  private isMetaclass({ bases }: IrClass, steps = ORIGIN_DEPTH_MAX): boolean {
    return bases.some((base) =>
      this.places(base).some((place) => {
        if (place.kind !== 'known') return false;
        if (place.identity === 'py:builtins#type' || /^py:.*Meta(?:class)?$/.test(place.identity)) return true;
        const [module = '', name = ''] = place.identity.slice(1).split('::');
        const binding = this.code.modules.get(module)?.bindings.get(name);
        const inner = binding?.kind === 'class' ? this.code.classes.get(binding.class) : undefined;
        return inner !== undefined && steps > 0 && this.isMetaclass(inner, steps - 1);
      }),
    );
  }

  private readonly receiverClasses = new Set<string>();

  private isReceiverClass(owner: string, name: string): boolean {
    return this.receiverClasses.has(`${owner}::${name}`);
  }

  private add(owner: string, name: string, origin: Origin): void {
    const key = `${owner}::${name}`;
    const known = this.locals.get(key);
    if (known === undefined) this.locals.set(key, [origin]);
    else known.push(origin);
  }

  private collector(fn: FunctionId | undefined): NodeVisitor {
    const bind = (target: Target, origin: Origin): void => {
      if (target.kind === 'local') this.add(target.owner, target.name, origin);
    };
    const visit: NodeVisitor = {
      expression: (node) => {
        if (node.kind === 'assign-expression') bind(node.target, { kind: 'value', value: node.value });
        forEachChildOfExpression(node, { ...visit, target: node.kind === 'assign-expression' ? inside : visit.target });
      },
      // Reached for whatever is not bound to a value in plain sight.
      target: (node) => {
        bind(node, UNKNOWN);
        forEachChildOfTarget(node, visit);
      },
      pattern: (node) => {
        if (node.kind === 'capture') bind(node.target, UNKNOWN);
        if (node.kind === 'mapping' && node.rest !== undefined) bind(node.rest, OWN);
        forEachChildOfPattern(node, { ...visit, target: inside });
      },
      statement: (node) => {
        let known = true;
        if (node.kind === 'assign') node.targets.forEach((target) => { forEachTargetVariable(target, (one) => { bind(one, one === target ? { kind: 'value', value: node.value } : UNKNOWN); }); });
        else if (node.kind === 'define-function' || node.kind === 'define-class') bind(node.target, OWN);
        else if (node.kind === 'try') node.handlers.forEach(({ name }) => { if (name !== undefined) bind(name, OWN); });
        else if (node.kind !== 'delete') known = false;
        if (node.kind === 'return' && fn !== undefined) this.returned.set(fn, [...(this.returned.get(fn) ?? []), node.value]);
        forEachChildOfStatement(node, { ...visit, target: known ? inside : visit.target });
      },
    };
    /** Targets whose variables are bound already: only what is in them is read. */
    const inside = (node: Target): void => {
      forEachChildOfTarget(node, { ...visit, target: inside });
    };
    return visit;
  }
}

function forEachTargetVariable(target: Target, visit: (variable: Target) => void): void {
  if (target.kind === 'unpack') for (const element of target.elements) forEachTargetVariable(element.target, visit);
  else visit(target);
}

export function memberIdentity(identity: string, name: string): string {
  if (identity.startsWith('@')) return identity.includes('::') ? `${identity}.${name}` : `${identity}::${name}`;
  return identity.includes('#') ? `${identity}.${name}` : `${identity}#${name}`;
}
