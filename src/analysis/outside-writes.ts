/**
 * Who else may change what a call finds: every place in the release that changes the content of an object which is not
 * surely its own. Code of other tools, of notifications and of earlier calls is not evaluated, so the evaluator asks here
 * which objects of the setup it cannot take for what the setup left (shared-objects.ts).
 *
 * Over-approximates: objects are told apart by the variable or member that they are reached by, and what cannot be
 * followed may be anything. Module variables are the frontend's matter.
 */
import type { Argument, Expression, FunctionId, Statement, Target } from '../ir/nodes.js';
import type { IrFunction, Program } from '../ir/program.js';
import { unreachable } from '../base/errors.js';
import { deepVisitor } from '../ir/walk.js';

export interface OutsideWrites {
  /** Variables whose object is changed, as `owner::name`. */
  readonly variables: ReadonlySet<string>;
  /** Members whose object is changed. */
  readonly members: ReadonlySet<string>;
  /** Members that are assigned by anything but the construction of the instance. */
  readonly fields: ReadonlySet<string>;
  /** Something is changed that could be any object. */
  readonly anything: boolean;
}

/** Methods that change what they are called on, in the languages that there are. */
const CHANGING: ReadonlySet<string> = new Set(
  'append extend insert remove pop clear update setdefault popitem add discard sort reverse appendleft extendleft popleft rotate subtract move_to_end difference_update intersection_update symmetric_difference_update push shift unshift splice fill set delete'.split(' '),
);
/** Library functions that change their first argument. */
const CHANGING_FUNCTIONS: ReadonlySet<string> = new Set('heappush heappop heapify heapreplace heappushpop insort insort_left insort_right shuffle setitem delitem iconcat'.split(' '));
const CONSTRUCTION: ReadonlySet<string> = new Set(['__init__', '__post_init__']);

type Source = { readonly kind: 'value'; readonly value: Expression; readonly deep: boolean } | { readonly kind: 'parameter' } | { readonly kind: 'unknown' };
interface CallPlace {
  readonly fn: IrFunction | undefined;
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

export function outsideWritesOf(program: Program): OutsideWrites {
  return new Finder(program).find();
}

class Finder {
  private readonly program: Program;
  private readonly variables = new Set<string>();
  private readonly members = new Set<string>();
  private readonly fields = new Set<string>();
  private anything = false;
  /** What each variable is given, by `owner::name`. */
  private readonly sources = new Map<string, Source[]>();
  /** Calls by the last name of the callee. */
  private readonly calls = new Map<string, CallPlace[]>();
  private readonly returns = new Map<FunctionId, Expression[]>();
  private readonly methods: ReadonlySet<FunctionId>;
  private readonly open = new Set<string>();

  constructor(program: Program) {
    this.program = program;
    this.methods = new Set([...program.classes.values()].flatMap((one) => one.methods.map((method) => method.function)));
  }

  find(): OutsideWrites {
    const bodies: { fn: IrFunction | undefined; body: readonly Statement[] }[] = [...this.program.functions.values()].map((fn) => ({ fn, body: fn.body }));
    for (const module of this.program.modules.values()) bodies.push({ fn: undefined, body: module.effects });
    for (const { fn, body } of bodies) this.note(fn, body);
    for (const { fn, body } of bodies) this.search(fn, body);
    return { variables: this.variables, members: this.members, fields: this.fields, anything: this.anything };
  }

  // What variables hold

  private note(fn: IrFunction | undefined, body: readonly Statement[]): void {
    for (const parameter of fn?.parameters ?? []) this.gives(`${fn!.id}::${parameter.name}`, { kind: 'parameter' });
    const visit = deepVisitor({
      statement: (s) => {
        if (s.kind === 'assign') for (const target of s.targets) this.noteTarget(target, s.value, false);
        else if (s.kind === 'for-each') this.noteTarget(s.target, s.iterable, true);
        else if (s.kind === 'with') for (const item of s.items) this.noteTarget(item.target, item.context, true);
        else if (s.kind === 'match') this.noteCaptures(s);
        else if (s.kind === 'return' && s.value !== undefined && fn !== undefined) this.returns.set(fn.id, [...(this.returns.get(fn.id) ?? []), s.value]);
      },
      expression: (e) => {
        if (e.kind === 'assign-expression') this.noteTarget(e.target, e.value, false);
        else if (e.kind === 'comprehension') for (const clause of e.clauses) if (clause.kind === 'for') this.noteTarget(clause.target, clause.iterable, true);
        if (e.kind === 'call' || e.kind === 'new') {
          const name = lastName(e.callee);
          if (name !== undefined) this.calls.set(name, [...(this.calls.get(name) ?? []), { fn, callee: e.callee, args: e.arguments }]);
        }
      },
    });
    body.forEach(visit.statement);
  }

  private noteTarget(target: Target | undefined, value: Expression, deep: boolean): void {
    if (target?.kind === 'local') this.gives(`${target.owner}::${target.name}`, { kind: 'value', value, deep });
    else if (target?.kind === 'unpack') for (const element of target.elements) this.noteTarget(element.target, value, true);
  }

  private noteCaptures(s: Extract<Statement, { kind: 'match' }>): void {
    const visit = deepVisitor({
      pattern: (p) => {
        if (p.kind === 'capture') this.noteTarget(p.target, s.subject, true);
        else if (p.kind === 'mapping') this.noteTarget(p.rest, s.subject, true);
      },
    });
    for (const one of s.cases) visit.pattern(one.pattern);
  }

  private gives(variable: string, source: Source): void {
    this.sources.set(variable, [...(this.sources.get(variable) ?? []), source]);
  }

  // Where objects are changed

  private search(fn: IrFunction | undefined, body: readonly Statement[]): void {
    const changedTarget = (target: Target): void => {
      if (target.kind === 'index') this.changed(fn, target.object, false);
      else if (target.kind === 'member') this.assigned(fn, target);
      else if (target.kind === 'unpack') for (const element of target.elements) changedTarget(element.target);
    };
    const visit = deepVisitor({
      target: (t) => {
        if (t.kind === 'index' || t.kind === 'member') changedTarget(t);
      },
      statement: (s) => {
        // In place, where the value can be changed in place.
        if (s.kind === 'augmented-assign' && (s.target.kind === 'local' || s.target.kind === 'member')) this.changed(fn, s.target, false);
      },
      expression: (e) => {
        if (e.kind !== 'call') return;
        if (e.callee.kind === 'member' && CHANGING.has(e.callee.name)) this.changed(fn, e.callee.object, false);
        const first = e.arguments[0];
        if (first !== undefined && CHANGING_FUNCTIONS.has(lastName(e.callee) ?? '')) this.changed(fn, first.value, false);
      },
    });
    body.forEach(visit.statement);
  }

  private assigned(fn: IrFunction | undefined, target: Extract<Target, { kind: 'member' }>): void {
    const isOwn = target.object.kind === 'local' && fn !== undefined && target.object.name === fn.parameters[0]?.name && this.methods.has(fn.id);
    if (isOwn && CONSTRUCTION.has(fn.name)) return;
    if (!isOwn && this.isFresh(target.object)) return;
    this.fields.add(target.name);
  }

  /** The object of an expression is changed; with `deep`, something inside of it. */
  private changed(fn: IrFunction | undefined, e: Expression, deep: boolean): void {
    switch (e.kind) {
      case 'member':
        this.members.add(e.name);
        return;
      case 'index':
        this.changed(fn, e.object, true);
        return;
      case 'slice':
        if (deep) this.changed(fn, e.object, true);
        return;
      case 'local':
        this.changedVariable(fn, e.owner, e.name, deep);
        return;
      case 'conditional':
        this.changed(fn, e.then, deep);
        this.changed(fn, e.otherwise, deep);
        return;
      case 'logical':
        this.changed(fn, e.left, deep);
        this.changed(fn, e.right, deep);
        return;
      case 'assign-expression':
      case 'await':
        this.changed(fn, e.value, deep);
        return;
      case 'call':
      case 'new':
        this.changedResult(fn, e.callee, e.arguments, deep);
        return;
      case 'list':
        if (deep) for (const element of e.elements) this.changed(fn, element.value, deep);
        return;
      case 'record':
        if (deep) for (const entry of e.entries) this.changed(fn, entry.value, deep);
        return;
      case 'comprehension':
        if (deep) for (const clause of e.clauses) if (clause.kind === 'for') this.changed(fn, clause.iterable, deep);
        return;
      case 'binary':
        if (deep) for (const side of [e.left, e.right]) this.changed(fn, side, deep);
        return;
      case 'yield':
        this.anything = true;
        return;
      case 'constant':
      case 'module-variable':
      case 'external':
      case 'closure':
      case 'unary':
      case 'template':
      case 'unsupported':
        return;
      default:
        unreachable(e);
    }
  }

  private changedVariable(fn: IrFunction | undefined, owner: FunctionId, name: string, deep: boolean): void {
    const variable = `${owner}::${name}`;
    if (owner !== fn?.id || this.sources.get(variable)?.some((source) => source.kind === 'parameter') === true) this.variables.add(variable);
    const key = `${variable} ${String(deep)}`;
    if (this.open.has(key)) return;
    this.open.add(key);
    const own = this.program.functions.get(owner);
    for (const source of this.sources.get(variable) ?? []) {
      if (source.kind === 'value') this.changed(own, source.value, deep || source.deep);
      else if (source.kind === 'parameter') this.changedParameter(own, name, deep);
      else this.anything = true;
    }
  }

  /** What the callers in the release pass; what a library passes is its own. */
  private changedParameter(fn: IrFunction | undefined, name: string, deep: boolean): void {
    if (fn === undefined) return;
    for (const call of this.calls.get(fn.name === '__init__' ? (fn.id.split(/[.#]/).at(-2) ?? '') : fn.name) ?? []) {
      const parameter = fn.parameters.find((candidate) => candidate.name === name);
      const position = fn.parameters.findIndex((candidate) => candidate.name === name) - (this.methods.has(fn.id) ? 1 : 0);
      const named = call.args.find((argument) => argument.kind === 'keyword' && argument.name === name);
      const plain = call.args.every((argument) => argument.kind === 'positional' || argument.kind === 'keyword') && (parameter?.kind === 'positional' || parameter?.kind === 'positional-only');
      const at = plain ? call.args.filter((argument) => argument.kind === 'positional')[position] : undefined;
      const passed = named !== undefined ? [named] : at !== undefined ? [at] : plain && position >= 0 ? [] : call.args;
      for (const argument of passed) this.changed(call.fn, argument.value, deep || !plain);
      if (position < 0 && call.callee.kind === 'member') this.changed(call.fn, call.callee.object, deep);
    }
  }

  private changedResult(fn: IrFunction | undefined, callee: Expression, args: readonly Argument[], deep: boolean): void {
    // What a method gives may be part of what it is called on.
    if (callee.kind === 'member' && callee.object.kind !== 'external') this.changed(fn, callee.object, true);
    const functions = this.functionsCalled(callee);
    if (functions === undefined) {
      // A copy made by the language shares its elements.
      if (deep) for (const argument of args) this.changed(fn, argument.value, true);
      return;
    }
    for (const called of functions) {
      if (this.open.has(`result ${called.id}`)) continue;
      this.open.add(`result ${called.id}`);
      for (const value of this.returns.get(called.id) ?? []) this.changed(called, value, deep);
    }
  }

  /** Functions of the release that a call may mean, by name; undefined when there is none of that name. */
  private functionsCalled(callee: Expression): readonly IrFunction[] | undefined {
    const name = lastName(callee);
    if (name === undefined || callee.kind === 'external') return undefined;
    const found = [...this.program.functions.values()].filter((fn) => fn.name === name);
    return found.length === 0 ? undefined : found;
  }

  /** A variable that only ever holds what was made there and then. */
  private isFresh(e: Expression): boolean {
    if (e.kind !== 'local') return e.kind === 'call' && this.isConstruction(e.callee);
    const sources = this.sources.get(`${e.owner}::${e.name}`) ?? [];
    return sources.length > 0 && sources.every((source) => source.kind === 'value' && !source.deep && source.value.kind === 'call' && this.isConstruction(source.value.callee));
  }

  private isConstruction(callee: Expression): boolean {
    if (callee.kind !== 'module-variable') return false;
    return this.program.modules.get(callee.module)?.bindings.get(callee.name)?.kind === 'class';
  }
}

function lastName(callee: Expression): string | undefined {
  switch (callee.kind) {
    case 'local':
    case 'module-variable':
    case 'member':
      return callee.name;
    case 'external':
      return callee.identity.split(/[.#]/).at(-1);
    default:
      return undefined;
  }
}
