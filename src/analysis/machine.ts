/**
 * The evaluator's engine: the current path, the heap, the exits under way and the outcomes found so far.
 *
 * Evaluation is structured and merges paths where control flow meets, so cost grows with code and not with paths. The
 * current state (`cur`) is the one path being extended; whoever branches saves it, evaluates both sides and merges.
 * A path whose guard is false is dead: nothing evaluated on it counts.
 *
 * Guarantees: every effect, disclosure, exit and stop is recorded under the exact condition of its path. What cannot be
 * evaluated ends its path with an escalation; nothing is guessed.
 */
import type { Program } from '../ir/program.js';
import type { Expression, FunctionId, Statement } from '../ir/nodes.js';
import type { Span } from '../ir/span.js';
import { InvariantError } from '../base/errors.js';
import { equal, has, hasType, isNull, leaves, throws, typeOf } from './construct.js';
import { TRUE } from './guards.js';
import type { LanguageSemantics } from './language.js';
import type { Library } from './library.js';
import { cloneState, type CallArguments, type HeapObject, type State } from './state.js';
import { freezeValue } from './freeze.js';
import { Paths } from './paths.js';
import { SharedObjects } from './shared-objects.js';
import { termChildren, type Store } from './store.js';
import type { Context, EscalationCode } from './summary.js';
import type { Guard, TermId } from './terms.js';
import { testText } from './text-tests.js';

export interface Registration {
  readonly role: string;
  readonly when: Guard;
  readonly fields: ReadonlyMap<string, TermId>;
  readonly span: Span;
}

export type ModuleValue =
  | { readonly kind: 'value'; readonly value: TermId }
  | { readonly kind: 'evaluating' }
  | { readonly kind: 'stopped'; readonly code: EscalationCode; readonly message: string; readonly next: string };

/** For stops that have no place of their own: that of the innermost call is given. */
const NO_PLACE: Span = { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 };

export class Machine extends Paths {
  readonly store: Store;
  readonly program: Program;
  readonly library: Library;
  readonly semantics: LanguageSemantics;
  cur: State;
  readonly registrations: Registration[] = [];
  /** Set while the server is being set up; effects and stops of that phase are kept apart. */
  phase: 'setup' | 'call' = 'setup';
  /** State in which the server began to serve, by server term. */
  readonly serving: { readonly server: TermId; readonly state: State }[] = [];
  /** What a `yield` does while a generator runs as a context manager or is consumed. */
  yieldHandler: ((value: TermId) => TermId) | undefined;
  /** Functions that the evaluator itself hands to the release's code (what middleware calls next), by identity. */
  readonly hostFunctions = new Map<string, (args: CallArguments, span: Span) => TermId>();
  /** Context entered by the last `__enter__` whose model is a context. */
  enteredContext: Context | undefined;
  readonly contexts: Context[] = [];
  /** Exceptions being handled, innermost last (bare `raise`). */
  readonly handling: TermId[] = [];
  /** Values of module-level names, by `module::name`. */
  readonly moduleValues = new Map<string, ModuleValue>();
  /** Variables of activations that ran while modules were loaded and that closures may have captured. */
  readonly moduleFrames = new Map<number, ReadonlyMap<string, TermId>>();
  /** Objects made while modules were loaded: the same on every path. */
  readonly moduleHeap = new Map<number, HeapObject>();
  readonly defaults = new Map<TermId, ReadonlyMap<string, TermId>>();
  /** What a function value says that it wraps, by the wrapper: its signature is that of the wrapped one. */
  readonly wrapped = new Map<TermId, TermId>();
  readonly usedBehaviours = new Map<string, import('./terms.js').Behaviour>();
  readonly usedFiles = new Set<string>();
  readonly usedFunctions = new Set<FunctionId>();
  readonly setupAllocations = new Set<number>();
  /** Variables of activations that set the server up, as they were when it began to serve. */
  setupFrames: ReadonlyMap<number, ReadonlyMap<string, TermId>> = new Map();
  /** Activations below this number belong to the setup. */
  setupActivations = 0;
  /** Names that some function of the release assigns outside its own activation. */
  readonly outerWrites: ReadonlySet<string>;
  loopDepth = 0;
  /** Elements of the loops whose bodies are being read, outermost first. */
  readonly iterations: TermId[] = [];
  private sharedObjects: SharedObjects | undefined;
  private allocationCount = 0;
  freshSerial = 0;
  /** Numbers the places where exits wait (pending.ts). */
  parkings = 0;
  /** Numbers the loops over generators. */
  consumptions = 0;

  constructor(store: Store, program: Program, library: Library, semantics: LanguageSemantics) {
    super();
    this.store = store;
    this.program = program;
    this.library = library;
    this.semantics = semantics;
    this.outerWrites = new Set([...program.functions.values()].flatMap((f) => f.writesOuter));
    this.cur = { guard: TRUE, frames: new Map(), heap: new Map(), world: store.intern({ kind: 'world', after: [], name: 'setup' }) };
  }

  /**
   * A machine in the same state that can go on by itself: a server is set up once, and each of its tools is read from
   * there, as if it were read alone.
   */
  fork(): Machine {
    const copy = new Machine(this.store, this.program, this.library, this.semantics);
    copy.cur = cloneState(this.cur);
    copy.phase = this.phase;
    copy.activation = this.activation;
    copy.setupFrames = this.setupFrames;
    copy.setupActivations = this.setupActivations;
    copy.sharedObjects = this.sharedObjects;
    copy.allocationCount = this.allocationCount;
    copy.steps = this.steps;
    copy.freshSerial = this.freshSerial;
    copy.parkings = this.parkings;
    copy.consumptions = this.consumptions;
    copy.outcomes.push(...this.outcomes);
    copy.registrations.push(...this.registrations);
    copy.serving.push(...this.serving);
    copy.activations.push(...this.activations);
    addAll(copy.captured, this.captured);
    addAll(copy.usedFiles, this.usedFiles);
    addAll(copy.usedFunctions, this.usedFunctions);
    addAll(copy.setupAllocations, this.setupAllocations);
    setAll(copy.moduleValues, this.moduleValues);
    setAll(copy.moduleFrames, this.moduleFrames);
    setAll(copy.defaults, this.defaults);
    setAll(copy.wrapped, this.wrapped);
    setAll(copy.usedBehaviours, this.usedBehaviours);
    // What was suspended in the setup would run on the machine that made it.
    const begun = (): TermId => copy.stop('shared-state', 'the call runs something that was begun before it', NO_PLACE, 'begin it in the call');
    const own = (object: HeapObject): HeapObject => (object.kind === 'suspended' ? { ...object, resume: begun } : object);
    for (const [allocation, object] of this.moduleHeap) copy.moduleHeap.set(allocation, own(object));
    for (const [allocation, object] of this.cur.heap) copy.cur.heap.set(allocation, own(object));
    return copy;
  }

  // Values

  allocate(object: HeapObject): TermId {
    const allocation = this.allocationCount;
    this.allocationCount += 1;
    this.cur.heap.set(allocation, object.kind === 'suspended' ? this.once(object, allocation) : object);
    if (this.phase === 'setup') this.setupAllocations.add(allocation);
    return this.store.intern({ kind: 'object', allocation });
  }
  /** A coroutine or generator whose second run stops: in the language it does nothing, or fails. */
  private once(object: Extract<HeapObject, { kind: 'suspended' }>, allocation: number): HeapObject {
    const madeAt = this.loopDepth;
    const again = {
      ...object,
      spent: true,
      resume: () => this.stop('unsupported-generator', `a ${object.what} is run twice`, NO_PLACE, 'make a new one, or a list'),
    };
    const resume = (): TermId => {
      const now = this.cur.heap.get(allocation);
      if (this.loopDepth > madeAt || (now?.kind === 'suspended' && now.spent === true)) return again.resume();
      this.cur.heap.set(allocation, again);
      return object.resume();
    };
    return { ...object, resume };
  }
  object(value: TermId): HeapObject | undefined {
    const term = this.store.term(value);
    return term.kind === 'object' ? (this.cur.heap.get(term.allocation) ?? this.moduleHeap.get(term.allocation)) : undefined;
  }
  /** Whether a value is or holds a mutable object that was made before the call. */
  holdsSharedObject(value: TermId): boolean {
    const seen = new Set<TermId>();
    const visit = (id: TermId): boolean => {
      if (seen.has(id)) return false;
      seen.add(id);
      const term = this.store.term(id);
      if (term.kind === 'object') return this.setupAllocations.has(term.allocation) || this.moduleHeap.has(term.allocation);
      if (term.kind !== 'list' && term.kind !== 'record' && term.kind !== 'conditional') return false;
      return termChildren(term).terms.some(visit);
    };
    return visit(value);
  }

  /** What the release's code may change in objects that outlive calls; computed when first asked. */
  get shared(): SharedObjects {
    this.sharedObjects ??= new SharedObjects(this.program, this.library, this.semantics.mutators);
    return this.sharedObjects;
  }

  /** Replaces the content of a mutable object; only objects of this call may change. */
  update(value: TermId, object: HeapObject, span: Span): void {
    const term = this.store.term(value);
    if (term.kind !== 'object') throw new InvariantError('only objects are updated');
    if (this.phase === 'call' && this.setupAllocations.has(term.allocation)) {
      this.stop('shared-state', 'the call changes an object that outlives it', span, 'make the object local to the call, or keep the release on one epoch');
      return;
    }
    this.cur.heap.set(term.allocation, object);
  }

  newList(content: TermId): TermId {
    return this.allocate({ kind: 'list', as: 'list', content });
  }
  newRecord(content: TermId): TermId {
    return this.allocate({ kind: 'record', content });
  }

  /** The immutable content of a value: object references replaced by what they hold now. */
  freeze(value: TermId): TermId {
    return freezeValue(this, value, new Map(), new Set());
  }
  /** A name for a class that is stable in summaries: library identity, or the class's id in the release. */
  classIdentity(classTerm: TermId): TermId {
    const term = this.store.term(classTerm);
    if (term.kind === 'class') return this.store.string(`project:${this.program.classes.get(term.class)?.name ?? term.class}`);
    if (term.kind === 'external') return this.store.string(term.identity);
    return this.store.string('?');
  }

  /** Static type, looking through objects. */
  typeOf(value: TermId): string | undefined {
    const object = this.object(value);
    if (object === undefined) return typeOf(this.store, value);
    switch (object.kind) {
      case 'list':
        return object.as;
      case 'record':
        return typeOf(this.store, object.content) ?? 'record';
      case 'instance':
      case 'suspended':
        return undefined;
    }
  }

  /** The immutable content of a list or record value (object or term). */
  content(value: TermId): TermId {
    const object = this.object(value);
    return object !== undefined && (object.kind === 'list' || object.kind === 'record') ? object.content : value;
  }

  // Propositions (see construct.ts for their meaning)

  has(path: readonly (string | number)[]): Guard {
    return has(this.store, path);
  }
  hasType(value: TermId, type: import('./terms.js').JsonType): Guard {
    return hasType(this.store, this.content(value), type);
  }
  isNull(value: TermId): Guard {
    return isNull(this.store, value);
  }
  equal(left: TermId, right: TermId): Guard {
    return equal(this.store, left, right);
  }
  throwsGuard(call: TermId, type?: string): Guard {
    return throws(this.store, call, type);
  }
  /** A total test over text (`text.startsWith`, …); see text-tests.ts. */
  textTest(fn: string, args: readonly TermId[]): Guard {
    return testText(this.store, fn, args);
  }
  /** A named pure test of the language, folded on constants by the semantics. */
  test(fn: string, args: readonly TermId[]): Guard {
    const folded = this.semantics.fold.test(this.store, fn, args);
    return folded ?? this.store.propositionGuard({ kind: 'test', fn, args });
  }
  /** A pure application, folded on constants by the semantics. */
  apply(fn: string, args: readonly TermId[], type?: string): TermId {
    const folded = this.semantics.fold.term(this.store, fn, args);
    return folded ?? this.store.intern({ kind: 'apply', fn, args, ...(type === undefined ? {} : { type }) });
  }
  leaves(value: TermId): { when: Guard; leaf: TermId }[] {
    return leaves(this.store, value);
  }

  // The evaluator's other parts, reached through the machine so that they need not import each other.

  evaluate(expression: Expression): TermId {
    return parts.evaluate(this, expression);
  }
  execute(statements: readonly Statement[]): void {
    parts.execute(this, statements);
  }
  /** Calls any value. */
  call(callee: TermId, args: CallArguments, span: Span): TermId {
    return parts.call(this, callee, args, span);
  }
  /** Whether a server that serves at all has made this registration. */
  isRegistered(registration: Registration): boolean {
    return this.serving.length > 0 && this.serving.every((serving) => this.store.guards.entails(serving.state.guard, registration.when));
  }

  /** Reads a member of any value. */
  member(object: TermId, name: string, span: Span): TermId {
    return parts.member(this, object, name, span);
  }
  /** Runs `body` for each element of a value. Returns the condition under which `body` broke off. */
  forEach(iterable: TermId, span: Span, body: (element: TermId) => void): Guard {
    return parts.forEach(this, iterable, span, body);
  }
}

export interface Parts {
  readonly evaluate: (machine: Machine, expression: Expression) => TermId;
  readonly execute: (machine: Machine, statements: readonly Statement[]) => void;
  readonly call: (machine: Machine, callee: TermId, args: CallArguments, span: Span) => TermId;
  readonly member: (machine: Machine, object: TermId, name: string, span: Span) => TermId;
  readonly forEach: (machine: Machine, iterable: TermId, span: Span, body: (element: TermId) => void) => Guard;
}
let parts: Parts;
/** Called once by evaluator.ts. */
export function installParts(installed: Parts): void {
  parts = installed;
}

function addAll<T>(to: Set<T>, from: ReadonlySet<T>): void {
  for (const value of from) to.add(value);
}
function setAll<K, V>(to: Map<K, V>, from: ReadonlyMap<K, V>): void {
  for (const [key, value] of from) to.set(key, value);
}
