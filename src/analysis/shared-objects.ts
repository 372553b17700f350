/**
 * Which variables may hold an object that some code of the release changes after the server has begun to serve.
 *
 * An object that outlives a call (made while modules load or the server is set up) may be read by a call only if nothing
 * anywhere changes it. This is decided over the whole program, by name and without running anything, and errs on the side
 * of "may change": a change through an alias, an argument or a method reaches every variable that could be its origin.
 */
import type { Expression, Pattern, Target } from '../ir/nodes.js';
import type { IrFunction, Program } from '../ir/program.js';
import { deepVisitor, forEachHeadExpression } from '../ir/walk.js';
import type { Library } from './library.js';
import { externalPath } from './load-closure.js';

/** Key of a variable: `@module::name` or `function::name`; of a member of whatever object: `.name`. */
type Key = string;

export class SharedObjects {
  private readonly changed = new Set<Key>();
  /** Variables whose objects a variable may share. */
  private readonly origins = new Map<Key, Set<Key>>();
  private readonly functionsByName = new Map<string, IrFunction[]>();
  private readonly mutators: ReadonlySet<string>;
  private readonly library: Library;
  private readonly program: Program;

  constructor(program: Program, library: Library, mutators: ReadonlySet<string>) {
    this.program = program;
    this.library = library;
    this.mutators = mutators;
    for (const fn of program.functions.values()) {
      const named = this.functionsByName.get(fn.name) ?? [];
      named.push(fn);
      this.functionsByName.set(fn.name, named);
    }
    const visitor = deepVisitor({
      expression: (node) => {
        this.expression(node);
      },
      statement: (node) => {
        switch (node.kind) {
          case 'assign':
            for (const target of node.targets) this.bind(target, node.value);
            return;
          case 'augmented-assign':
            this.change(targetObject(node.target));
            return;
          case 'delete':
            if (node.target.kind === 'member' || node.target.kind === 'index') this.change(node.target.object);
            return;
          case 'for-each':
            this.bind(node.target, node.iterable);
            return;
          case 'with':
            for (const item of node.items) if (item.target !== undefined) this.bind(item.target, item.context);
            return;
          case 'match':
            for (const one of node.cases) this.bindPattern(one.pattern, node.subject);
            return;
          case 'assert':
          case 'break':
          case 'continue':
          case 'defer':
          case 'define-class':
          case 'define-function':
          case 'expression':
          case 'if':
          case 'return':
          case 'spawn':
          case 'throw':
          case 'try':
          case 'unsupported':
          case 'while':
            return;
        }
      },
    });
    for (const fn of program.functions.values()) {
      for (const statement of fn.body) visitor.statement(statement);
      forEachHeadExpression(fn, (head) => {
        visitor.expression(head);
      });
    }
    for (const module of program.modules.values()) {
      for (const statement of module.effects) visitor.statement(statement);
      for (const [name, binding] of module.bindings) {
        if (binding.kind === 'alias') this.share(`@${module.id}::${name}`, new Set([`@${binding.module}::${binding.name}`]));
        if (binding.kind !== 'value') continue;
        visitor.expression(binding.value);
        this.share(`@${module.id}::${name}`, this.roots(binding.value));
      }
    }
    this.spread();
  }

  mayChangeModuleVariable(module: string, name: string): boolean {
    return this.changed.has(`@${module}::${name}`);
  }
  mayChangeVariable(owner: string, name: string): boolean {
    return this.changed.has(`${owner}::${name}`);
  }
  mayChangeMember(name: string): boolean {
    return this.changed.has(`.${name}`);
  }

  private expression(node: Expression): void {
    if (node.kind === 'assign-expression') this.bind(node.target, node.value);
    if (node.kind === 'comprehension') for (const clause of node.clauses) if (clause.kind === 'for') this.bind(clause.target, clause.iterable);
    if (node.kind === 'call' || node.kind === 'new') this.call(node);
  }

  private call(node: Extract<Expression, { kind: 'call' | 'new' }>): void {
    const { callee } = node;
    if (callee.kind === 'member' && this.mutators.has(callee.name)) this.change(callee.object);
    const passed = node.arguments.map((argument) => this.roots(argument.value));
    const external = externalPath(this.program, callee);
    // A reviewed callee does what its model says; a model that changes its arguments is one of the mutators above.
    if (external !== undefined && this.library.entry(this.library.canonical(external), 'call') !== undefined) return;
    const name = callee.kind === 'member' || callee.kind === 'local' || callee.kind === 'module-variable' ? callee.name : undefined;
    const candidates = name === undefined ? [] : (this.functionsByName.get(name) ?? []);
    const receiver = callee.kind === 'member' ? this.roots(callee.object) : new Set<Key>();
    if (candidates.length === 0) {
      // Some method of a library value, or a class, or an unknown function: only the last two could keep and change what they get.
      if (callee.kind !== 'member' || external !== undefined) for (const roots of passed) for (const root of roots) this.changed.add(root);
      return;
    }
    for (const fn of candidates) {
      const parameters = fn.parameters.map((parameter) => `${fn.id}::${parameter.name}`);
      // Keyword and spread arguments may go anywhere.
      for (const parameter of parameters) for (const roots of [receiver, ...passed]) this.share(parameter, roots);
    }
  }

  private bind(target: Target, value: Expression): void {
    switch (target.kind) {
      case 'local':
        this.share(`${target.owner}::${target.name}`, this.roots(value));
        return;
      case 'module-variable':
        this.share(`@${target.module}::${target.name}`, this.roots(value));
        return;
      case 'member':
      case 'index':
        this.change(target.object);
        if (target.kind === 'member') this.changed.add(`.${target.name}`);
        return;
      case 'unpack':
        for (const element of target.elements) this.bind(element.target, value);
        return;
      case 'unsupported':
        return;
    }
  }

  private bindPattern(pattern: Pattern, subject: Expression): void {
    switch (pattern.kind) {
      case 'capture':
        this.bind(pattern.target, subject);
        if (pattern.pattern !== undefined) this.bindPattern(pattern.pattern, subject);
        return;
      case 'or':
        for (const alternative of pattern.alternatives) this.bindPattern(alternative, subject);
        return;
      case 'sequence':
        for (const element of pattern.elements) this.bindPattern(element.pattern, subject);
        return;
      case 'mapping':
        for (const entry of pattern.entries) this.bindPattern(entry.pattern, subject);
        if (pattern.rest !== undefined) this.bind(pattern.rest, subject);
        return;
      case 'class':
        for (const inner of pattern.positional) this.bindPattern(inner, subject);
        for (const keyword of pattern.keywords) this.bindPattern(keyword.pattern, subject);
        return;
      case 'wildcard':
      case 'value':
      case 'unsupported':
        return;
    }
  }

  private change(object: Expression | undefined): void {
    if (object === undefined) return;
    for (const root of this.roots(object)) this.changed.add(root);
    let at: Expression | undefined = object;
    while (at !== undefined) {
      if (at.kind === 'member') this.changed.add(`.${at.name}`);
      at = at.kind === 'member' || at.kind === 'index' ? at.object : undefined;
    }
  }

  private share(variable: Key, roots: ReadonlySet<Key>): void {
    let known = this.origins.get(variable);
    if (known === undefined) this.origins.set(variable, (known = new Set()));
    for (const root of roots) if (root !== variable) known.add(root);
  }

  /** Variables that the value of an expression may share an object with. */
  private roots(node: Expression): ReadonlySet<Key> {
    const found = new Set<Key>();
    const visit = (at: Expression): void => {
      switch (at.kind) {
        case 'local':
          found.add(`${at.owner}::${at.name}`);
          return;
        case 'module-variable':
          found.add(`@${at.module}::${at.name}`);
          return;
        case 'member':
          found.add(`.${at.name}`);
          visit(at.object);
          return;
        case 'index':
        case 'slice':
          visit(at.object);
          return;
        case 'call':
        case 'new':
          // What a method gives may be part of its object; what a function gives may be what it was given.
          if (at.callee.kind === 'member') visit(at.callee.object);
          for (const argument of at.arguments) visit(argument.value);
          return;
        case 'conditional':
          visit(at.then);
          visit(at.otherwise);
          return;
        case 'logical':
          visit(at.left);
          visit(at.right);
          return;
        case 'assign-expression':
        case 'await':
          visit(at.value);
          return;
        case 'list':
          for (const element of at.elements) visit(element.value);
          return;
        case 'record':
          for (const entry of at.entries) visit(entry.value);
          return;
        case 'comprehension':
          visit(at.value);
          return;
        case 'constant':
        case 'external':
        case 'closure':
        case 'unary':
        case 'binary':
        case 'template':
        case 'yield':
        case 'unsupported':
          return;
      }
    };
    visit(node);
    return found;
  }

  /** A change of a variable's object is a change of the object of every variable that it may come from. */
  private spread(): void {
    const queue = [...this.changed];
    while (queue.length > 0) {
      for (const origin of this.origins.get(queue.pop()!) ?? []) {
        if (this.changed.has(origin)) continue;
        this.changed.add(origin);
        queue.push(origin);
      }
    }
  }
}

function targetObject(target: Target): Expression | undefined {
  if (target.kind === 'member' || target.kind === 'index') return target.object;
  return target.kind === 'local' || target.kind === 'module-variable' ? target : undefined;
}
