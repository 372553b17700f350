/**
 * The load-closure scan: writes anywhere in the release that could change what a proved name means. It over-approximates:
 * a write to an object that is not known is a write to that member of anything (`*.name`), and what could write anything
 * at all is reported as `*`. Objects that the writing code has made itself are left out: whoever holds one has run that code.
 */
import type { Argument, Expression, Statement, Target } from '../../ir/nodes.js';
import type { ForeignWrite } from '../../ir/program.js';
import type { Span } from '../../ir/span.js';
import { forEachChildOfExpression, forEachChildOfPattern, forEachChildOfStatement, forEachChildOfTarget, forEachHeadExpression, type NodeVisitor } from '../../ir/walk.js';
import { memberIdentity, Origins, type Code, type Place } from './origins.js';
import { scanText } from './scan-text.js';
import { MUTATORS, SharedState } from './shared-state.js';

/** Any name whatever may have been changed. */
export const ANYTHING = '*';

type How = ForeignWrite['how'];

/** Calls after which any name may mean anything, and calls that change the process. */
const DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['py:builtins#exec', ANYTHING],
  ['py:builtins#eval', ANYTHING],
  ['py:importlib#reload', ANYTHING],
  ['py:site#addsitedir', ANYTHING],
  ['py:operator#setitem', ANYTHING],
  ['py:operator#delitem', ANYTHING],
  ['py:os#putenv', 'py:os#environ'],
  ['py:os#unsetenv', 'py:os#environ'],
  ['py:os#chdir', 'py:os#getcwd'],
  ['py:os#fchdir', 'py:os#getcwd'],
]);
/** Named otherwise than as a callee, these may be called with anything. */
const NEVER_A_VALUE: ReadonlySet<string> = new Set(['setattr', 'delattr', 'exec', 'eval', 'globals', '__import__'].map((name) => `py:builtins#${name}`));
/** Lists that decide which module a name imports. */
const IMPORT_STATE = /^py:sys#(?:path|meta_path|path_hooks|path_importer_cache)$/;

/** `sources` are the lines of each file; `unread` are places that were not lowered at all. */
export function scanWrites(code: Code, sources: ReadonlyMap<string, readonly string[]>, unread: readonly Span[]): readonly ForeignWrite[] {
  return new WriteScan(code, sources).run(unread);
}

class WriteScan {
  private readonly code: Code;
  private readonly sources: ReadonlyMap<string, readonly string[]>;
  private readonly origins: Origins;
  private readonly shared: SharedState;
  private readonly writes = new Map<string, ForeignWrite>();
  private readonly visit: NodeVisitor;
  /** In code of no function, `locals()` is the namespace of the module. */
  private atModuleLevel = false;

  constructor(code: Code, sources: ReadonlyMap<string, readonly string[]>) {
    this.code = code;
    this.sources = sources;
    this.origins = new Origins(code);
    this.shared = new SharedState(code, this.origins);
    this.visit = {
      expression: (node) => { this.expression(node); },
      target: (node) => { this.target(node, 'attribute'); },
      pattern: (node) => {
        if (node.kind === 'unsupported') this.text(node.span);
        forEachChildOfPattern(node, this.visit);
      },
      statement: (node) => { this.statement(node); },
    };
  }

  run(unread: readonly Span[]): readonly ForeignWrite[] {
    const { visit } = this;
    for (const span of unread) this.text(span);
    this.atModuleLevel = true;
    for (const module of this.code.modules.values()) {
      for (const binding of module.bindings.values()) if (binding.kind === 'value') visit.expression(binding.value);
      module.effects.forEach(visit.statement);
    }
    this.atModuleLevel = false;
    for (const fn of this.code.functions.values()) {
      forEachHeadExpression(fn, visit.expression);
      fn.body.forEach(visit.statement);
    }
    for (const definition of this.code.classes.values()) {
      for (const expression of [...definition.bases, ...definition.decorators]) visit.expression(expression);
      for (const one of definition.fields) if (one.default !== undefined) visit.expression(one.default);
      definition.unsupported.forEach(visit.statement);
    }
    for (const { identity, span } of this.shared.escapes()) this.report(identity, span, 'item');
    return [...this.writes.values()];
  }

  private report(identity: string, span: Span, how: How): void {
    const write: ForeignWrite = { identity: IMPORT_STATE.test(identity) ? ANYTHING : identity, span, how: identity.startsWith('py:os#environ') ? 'environment' : how };
    const key = `${write.identity} ${span.file}:${String(span.line)}`;
    if (!this.writes.has(key)) this.writes.set(key, write);
  }

  /** What is not lowered is read as text. */
  private text(span: Span): void {
    for (const { identity, how } of scanText(this.sources.get(span.file) ?? [], span)) this.report(identity, span, how);
  }

  private statement(node: Statement): void {
    if (node.kind === 'delete') return this.target(node.target, 'delete');
    if (node.kind === 'unsupported') return this.text(node.span);
    // `x += …` changes the object that x is, where it is a list, a set or a mapping.
    if (node.kind === 'augmented-assign' && node.target.kind === 'local') this.items(node.target, node.span);
    forEachChildOfStatement(node, this.visit);
  }

  private target(node: Target, how: How): void {
    if (node.kind === 'member') this.member(node.object, node.name, node.span, how);
    else if (node.kind === 'index') this.items(node.object, node.span, node.index);
    else if (node.kind === 'unsupported') this.text(node.span);
    if (node.kind === 'unpack') for (const element of node.elements) this.target(element.target, how);
    else forEachChildOfTarget(node, this.visit);
  }

  private member(object: Expression, name: string, span: Span, how: How): void {
    for (const place of this.origins.places(object)) {
      if (place.kind === 'unknown') this.report(`*.${name}`, span, how);
      else if (place.kind === 'known') this.report(place.identity === ANYTHING ? ANYTHING : memberIdentity(place.identity, name), span, how);
    }
  }

  /** A write of elements: of `x.__dict__` and `vars(x)` it is one of members. */
  private items(object: Expression, span: Span, index?: Expression): void {
    const name = index?.kind === 'constant' && index.value.type === 'string' ? index.value.value : undefined;
    const owner = namespaceOwner(object);
    const places = this.origins.places(owner ?? object);
    for (const place of places) {
      if (place.kind === 'known' && place.identity === 'py:sys#modules') this.report(name === undefined || this.code.modules.has(name) ? ANYTHING : `py:${name}`, span, 'item');
      else if (place.kind === 'known' && owner !== undefined && name !== undefined) this.report(memberIdentity(place.identity, name), span, 'item');
      else if (place.kind === 'known') this.report(isModule(place) ? ANYTHING : place.identity, span, 'item');
      else if (place.kind === 'unknown' && owner !== undefined) this.report(name === undefined ? ANYTHING : `*.${name}`, span, 'item');
    }
  }

  private expression(node: Expression): void {
    if (node.kind === 'unsupported') {
      if (node.code !== 'unresolved-name') this.text(node.span);
    } else if (node.kind === 'external') {
      if (NEVER_A_VALUE.has(node.identity)) this.report(ANYTHING, node.span, 'global');
    } else if ((node.kind === 'member' || node.kind === 'index') && this.isNamespaceCall(node.object)) {
      // `globals()["x"]` and `globals().get(x)` only read.
      if (node.kind === 'index') this.expression(node.index);
    } else if (node.kind === 'binary' && this.isNamespaceCall(node.right)) this.expression(node.left);
    else if (node.kind === 'call' || node.kind === 'new') this.call(node);
    else forEachChildOfExpression(node, this.visit);
  }

  private isNamespaceCall(node: Expression): boolean {
    if (node.kind !== 'call' || node.callee.kind !== 'external') return false;
    return node.callee.identity === 'py:builtins#globals' || this.isModuleNamespace(node.callee.identity, node.arguments);
  }

  private isModuleNamespace(identity: string, args: readonly Argument[]): boolean {
    return this.atModuleLevel && args.length === 0 && (identity === 'py:builtins#locals' || identity === 'py:builtins#vars');
  }

  private call(node: Extract<Expression, { kind: 'call' | 'new' }>): void {
    const { callee, span } = node;
    const args = node.arguments;
    if (callee.kind === 'member' && MUTATORS.has(callee.name)) this.mutation(callee.object, span);
    for (const place of this.origins.places(callee)) if (place.kind === 'known') this.namedCall(place.identity, callee, args, span);
    // `x.__setattr__(name, value)`, also through `super()`.
    if (callee.kind === 'member' && (callee.name === '__setattr__' || callee.name === '__delattr__')) {
      const through = callee.object.kind === 'call' && callee.object.callee.kind === 'external' && callee.object.callee.identity === 'py:builtins#super';
      const ofType = callee.object.kind === 'external';
      if (!through) this.setattr(ofType ? args[0] : { kind: 'positional', value: callee.object }, args[ofType ? 1 : 0], span);
    }
    if (callee.kind !== 'external') this.expression(callee);
    for (const argument of args) this.expression(argument.value);
  }

  private namedCall(identity: string, callee: Expression, args: readonly Argument[], span: Span): void {
    const dangerous = DANGEROUS.get(identity) ?? (/^py:unittest[.#]mock[.#]patch/.test(identity) ? ANYTHING : undefined);
    if (dangerous !== undefined) this.report(dangerous, span, dangerous === ANYTHING ? 'global' : 'environment');
    if (identity === 'py:builtins#setattr' || identity === 'py:builtins#delattr') this.setattr(args[0], args[1], span);
    if (identity === 'py:importlib#import_module' || identity === 'py:builtins#__import__') {
      const name = args[0]?.kind === 'positional' ? args[0].value : undefined;
      if (name?.kind !== 'constant') this.report(ANYTHING, span, 'global');
    }
    // Its namespace in hand, a caller may write it; looking into it is left out where it is read.
    if (callee.kind === 'external' && (identity === 'py:builtins#globals' || this.isModuleNamespace(identity, args))) this.report(ANYTHING, span, 'global');
  }

  private setattr(object: Argument | undefined, name: Argument | undefined, span: Span): void {
    if (object?.kind !== 'positional' || name?.kind !== 'positional') return this.report(ANYTHING, span, 'setattr');
    if (name.value.kind === 'constant' && name.value.value.type === 'string') return this.member(object.value, name.value.value.value, span, 'setattr');
    for (const place of this.origins.places(object.value)) {
      if (place.kind === 'unknown') this.report(ANYTHING, span, 'setattr');
      else if (place.kind === 'known') this.report(isModule(place) ? ANYTHING : place.identity, span, 'setattr');
    }
  }

  /** A container's own method changes it: the environment, the import state, or a variable that holds a container. */
  private mutation(object: Expression, span: Span): void {
    if (namespaceOwner(object) !== undefined) return this.items(object, span);
    if (this.isNamespaceCall(object)) return this.report(ANYTHING, span, 'item');
    for (const place of this.origins.places(object)) {
      if (place.kind !== 'known') continue;
      if (place.identity === 'py:sys#modules' || place.identity === ANYTHING) this.report(ANYTHING, span, 'item');
      else if (/^py:(?:os#environ|sys#)/.test(place.identity) || this.shared.holdsState(place.identity)) this.report(place.identity, span, 'item');
    }
  }
}

/** `x` of `x.__dict__` and `vars(x)`. */
function namespaceOwner(node: Expression): Expression | undefined {
  if (node.kind === 'member' && node.name === '__dict__') return node.object;
  const first = node.kind === 'call' && node.callee.kind === 'external' && node.callee.identity === 'py:builtins#vars' ? node.arguments[0] : undefined;
  return first?.kind === 'positional' ? first.value : undefined;
}

function isModule(place: Extract<Place, { kind: 'known' }>): boolean {
  return place.identity.startsWith('@') && !place.identity.includes('::');
}
