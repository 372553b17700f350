/**
 * Hash-consing of terms, propositions and loops, with the decision diagrams over the propositions.
 *
 * Guarantees: equal content has one id; every id has a canonical key that depends on content only (not on ids, order of
 * discovery or the store), so two stores agree and the variable order is the same everywhere. Several summaries can be
 * read into one store, where equal terms of two releases are then the same id.
 */
import type { ConstantValue } from '../ir/nodes.js';
import { FALSE, Guards, TRUE } from './guards.js';
import { pathText, pathKinds, constantParts, localKey, propositionLocalKey, behaviourParts, shortDigest } from './store-keys.js';
import type { Guard, Loop, LoopIndex, Proposition, PropositionId, Term, TermId } from './terms.js';

/** What a value depends on. */
export interface Sources {
  /** Argument paths, as JSON pointer text. */
  readonly argumentPaths: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
  /** Results of calls that read or change the world, or are fresh. */
  readonly calls: ReadonlySet<TermId>;
}

export class Store {
  readonly guards = new Guards();
  private readonly terms: Term[] = [];
  private readonly termIds = new Map<string, TermId>();
  private readonly termKeys: (string | undefined)[] = [];
  private readonly propositions: Proposition[] = [];
  private readonly propositionIds = new Map<string, PropositionId>();
  private readonly loops: Loop[] = [];
  private readonly loopIds = new Map<string, LoopIndex>();
  private readonly loopKeys: (string | undefined)[] = [];
  private readonly guardKeys = new Map<Guard, string>([
    [FALSE, 'F'],
    [TRUE, 'T'],
  ]);
  private readonly sourcesOf = new Map<TermId, Sources>();

  readonly null: TermId = this.intern({ kind: 'constant', value: { type: 'null' } });
  readonly true: TermId = this.intern({ kind: 'constant', value: { type: 'boolean', value: true } });
  readonly false: TermId = this.intern({ kind: 'constant', value: { type: 'boolean', value: false } });
  readonly startWorld: TermId = this.intern({ kind: 'world', after: [] });

  term(id: TermId): Term {
    return this.terms[id]!;
  }
  proposition(id: PropositionId): Proposition {
    return this.propositions[id]!;
  }
  loop(index: LoopIndex): Loop {
    return this.loops[index]!;
  }

  /** Adds a term as it is. Prefer the constructors of `construct.ts`, which simplify. */
  intern(term: Term): TermId {
    const local = localKey(term);
    const known = this.termIds.get(local);
    if (known !== undefined) return known;
    const id = this.terms.length;
    this.terms.push(term);
    this.termKeys.push(undefined);
    this.termIds.set(local, id);
    return id;
  }

  internLoop(loop: Loop): LoopIndex {
    const local = JSON.stringify([
      loop.over,
      loop.depth,
      loop.exits.map((e) => [e.name, e.when, e.value ?? null]),
      loop.carried.map((c) => [c.name, c.initial, c.next]),
      loop.effects.map((e) => [e.key, e.when]),
    ]);
    const known = this.loopIds.get(local);
    if (known !== undefined) return known;
    const id = this.loops.length;
    this.loops.push(loop);
    this.loopKeys.push(undefined);
    this.loopIds.set(local, id);
    return id;
  }

  constant(value: ConstantValue): TermId {
    return this.intern({ kind: 'constant', value });
  }
  string(value: string): TermId {
    return this.constant({ type: 'string', value });
  }
  boolean(value: boolean): TermId {
    return value ? this.true : this.false;
  }
  int(value: number | bigint): TermId {
    return this.constant({ type: 'int', value: String(value) });
  }

  /** The diagram variable of a proposition. No simplification: see `construct.ts`. */
  propositionGuard(proposition: Proposition): Guard {
    const local = propositionLocalKey(proposition);
    let id = this.propositionIds.get(local);
    if (id === undefined) {
      id = this.guards.declare(this.propositionKey(proposition));
      this.propositions.push(proposition);
      this.propositionIds.set(local, id);
    }
    return this.guards.variable(id);
  }

  /**
   * Canonical text by which variables are ordered: what arguments and inputs decide comes before facts about the world,
   * since the former choose which of the latter matter; then the argument path, the value or call that is spoken of, kind
   * and content, since what is said of one thing depends on each other.
   */
  propositionKey(proposition: Proposition): string {
    const spoken = (subject: TermId, others: readonly TermId[], ...rest: string[]): string => {
      const isWorld = proposition.kind === 'throws' || [subject, ...others].some((term) => this.sources(term).calls.size > 0);
      return [isWorld ? '1' : '0', this.firstPath(subject, ...others), this.termKey(subject), ...rest, ...others.map((other) => this.termKey(other))].join(
        '\u0000',
      );
    };
    switch (proposition.kind) {
      case 'has':
        return `0\u0000${pathText(proposition.path)}\u0000\u0000a\u0000${pathKinds(proposition.path)}`;
      case 'type':
        return spoken(proposition.of, [], 'b', proposition.is);
      case 'equal': {
        const constantFirst = this.term(proposition.left).kind === 'constant';
        return constantFirst ? spoken(proposition.right, [proposition.left], 'c') : spoken(proposition.left, [proposition.right], 'c');
      }
      case 'test': {
        const [subject, ...others] = proposition.args;
        return subject === undefined ? `0\u0000~\u0000\u0000d\u0000${proposition.fn}` : spoken(subject, others, 'd', proposition.fn);
      }
      case 'throws':
        return spoken(proposition.call, [], 'e', proposition.type ?? '');
      case 'exists':
        return `1\u0000~\u0000${this.loopKey(proposition.loop)}\u0000f\u0000${proposition.exit}`;
    }
  }

  private firstPath(...terms: TermId[]): string {
    let first: string | undefined;
    for (const term of terms) for (const path of this.sources(term).argumentPaths) if (first === undefined || path < first) first = path;
    return first ?? '~';
  }

  /** Content digest, the same in every store. */
  termKey(id: TermId): string {
    const known = this.termKeys[id];
    if (known !== undefined) return known;
    // Children first, without recursion: a chain of worlds is as long as the handler has effects.
    const stack = [id];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      if (this.termKeys[top] !== undefined) {
        stack.pop();
        continue;
      }
      const term = this.term(top);
      const missing = termChildren(term).terms.filter((child) => this.termKeys[child] === undefined);
      if (missing.length > 0) {
        for (const child of missing) stack.push(child);
        continue;
      }
      this.termKeys[top] = shortDigest(JSON.stringify(this.keyParts(term)));
      stack.pop();
    }
    return this.termKeys[id]!;
  }

  private keyParts(term: Term): unknown[] {
    const key = (id: TermId): string => this.termKey(id);
    switch (term.kind) {
      case 'constant':
        return ['constant', ...constantParts(term.value)];
      case 'argument':
        return ['argument', ...term.path];
      case 'input':
        return ['input', term.name, term.type ?? null];
      case 'external':
        return ['external', term.identity, term.self === undefined ? null : key(term.self)];
      case 'function':
        return ['function', term.function, term.frame ?? null, term.self === undefined ? null : key(term.self)];
      case 'class':
        return ['class', term.class, term.frame ?? null];
      case 'apply':
        return ['apply', term.fn, term.type ?? null, ...term.args.map(key)];
      case 'observe':
        return [
          'observe',
          behaviourParts(term.behaviour),
          key(term.world),
          term.type ?? null,
          term.resource === undefined ? null : key(term.resource),
          ...term.args.map(key),
        ];
      case 'fresh':
        return ['fresh', behaviourParts(term.behaviour), term.serial, term.type ?? null, ...term.args.map(key)];
      case 'opaque':
        return ['opaque', term.digest, key(term.world), ...term.args.map(key)];
      case 'list':
        return ['list', term.as, ...term.segments.map((s) => [this.guardKey(s.when), s.kind === 'items' ? s.items.map(key) : ['...', key(s.of)]])];
      case 'record':
        return [
          'record',
          term.type ?? null,
          term.rest === undefined ? null : key(term.rest),
          term.fields.map((f) => [this.guardKey(f.when), key(f.key), key(f.value)]),
          (term.removed ?? []).map((r) => [this.guardKey(r.when), key(r.key)]),
        ];
      case 'conditional':
        return ['conditional', this.guardKey(term.when), key(term.then), key(term.otherwise)];
      case 'element':
        return ['element', term.depth, key(term.of), term.type ?? null];
      case 'loop':
        return ['loop', this.loopKey(term.loop), term.name, term.type ?? null];
      case 'carried':
        return ['carried', term.depth, term.name, term.type ?? null];
      case 'error':
        return ['error', key(term.call), term.type ?? null];
      case 'world':
        return ['world', term.name ?? null, ...term.after.map(key)];
      case 'object':
        return ['object', term.allocation];
    }
  }

  loopKey(index: LoopIndex): string {
    const known = this.loopKeys[index];
    if (known !== undefined) return known;
    const loop = this.loop(index);
    const key = shortDigest(
      JSON.stringify([
        this.termKey(loop.over),
        loop.depth,
        loop.exits.map((e) => [e.name, this.guardKey(e.when), e.value === undefined ? null : this.termKey(e.value)]),
        loop.carried.map((c) => [c.name, this.termKey(c.initial), this.termKey(c.next)]),
        loop.effects.map((e) => [e.key, this.guardKey(e.when)]),
      ]),
    );
    this.loopKeys[index] = key;
    return key;
  }

  guardKey(guard: Guard): string {
    const known = this.guardKeys.get(guard);
    if (known !== undefined) return known;
    const node = this.guards.inspect(guard)!;
    const key = shortDigest(`${this.propositionKey(this.proposition(node.variable))}\u0002${this.guardKey(node.high)}\u0002${this.guardKey(node.low)}`);
    this.guardKeys.set(guard, key);
    return key;
  }

  /** Everything a term depends on, through conditions too. */
  sources(id: TermId): Sources {
    const known = this.sourcesOf.get(id);
    if (known !== undefined) return known;
    const collector = new SourceCollector(this);
    collector.addTerm(id);
    const sources = collector.finish();
    this.sourcesOf.set(id, sources);
    return sources;
  }

  guardSources(guard: Guard): Sources {
    const collector = new SourceCollector(this);
    collector.addGuard(guard);
    return collector.finish();
  }

  /** Whether a proposition is settled by arguments and inputs alone. */
  isWorldFact(id: PropositionId): boolean {
    const collector = new SourceCollector(this);
    collector.addProposition(this.proposition(id));
    return collector.finish().calls.size > 0;
  }
}

/** Children of a term, for walks that need no meaning. */
export function termChildren(term: Term): { terms: readonly TermId[]; guards: readonly Guard[]; loops: readonly LoopIndex[] } {
  switch (term.kind) {
    case 'constant':
    case 'argument':
    case 'input':
    case 'class':
    case 'carried':
    case 'object':
      return { terms: [], guards: [], loops: [] };
    case 'external':
    case 'function':
      return { terms: term.self === undefined ? [] : [term.self], guards: [], loops: [] };
    case 'apply':
    case 'fresh':
      return { terms: term.args, guards: [], loops: [] };
    case 'observe':
      return { terms: [...term.args, term.world, ...(term.resource === undefined ? [] : [term.resource])], guards: [], loops: [] };
    case 'opaque':
      return { terms: [...term.args, term.world], guards: [], loops: [] };
    case 'list':
      return { terms: term.segments.flatMap((s) => (s.kind === 'items' ? s.items : [s.of])), guards: term.segments.map((s) => s.when), loops: [] };
    case 'record': {
      const removed = term.removed ?? [];
      return {
        terms: [...term.fields.flatMap((f) => [f.key, f.value]), ...removed.map((r) => r.key), ...(term.rest === undefined ? [] : [term.rest])],
        guards: [...term.fields.map((f) => f.when), ...removed.map((r) => r.when)],
        loops: [],
      };
    }
    case 'conditional':
      return { terms: [term.then, term.otherwise], guards: [term.when], loops: [] };
    case 'element':
      return { terms: [term.of], guards: [], loops: [] };
    case 'loop':
      return { terms: [], guards: [], loops: [term.loop] };
    case 'error':
      return { terms: [term.call], guards: [], loops: [] };
    case 'world':
      return { terms: term.after, guards: [], loops: [] };
  }
}

export function propositionChildren(proposition: Proposition): { terms: readonly TermId[]; loops: readonly LoopIndex[] } {
  switch (proposition.kind) {
    case 'has':
      return { terms: [], loops: [] };
    case 'type':
      return { terms: [proposition.of], loops: [] };
    case 'equal':
      return { terms: [proposition.left, proposition.right], loops: [] };
    case 'test':
      return { terms: proposition.args, loops: [] };
    case 'throws':
      return { terms: [proposition.call], loops: [] };
    case 'exists':
      return { terms: [], loops: [proposition.loop] };
  }
}

class SourceCollector {
  private readonly argumentPaths = new Set<string>();
  private readonly inputs = new Set<string>();
  private readonly calls = new Set<TermId>();
  private readonly seenTerms = new Set<TermId>();
  private readonly seenGuards = new Set<Guard>();
  private readonly seenLoops = new Set<LoopIndex>();
  private readonly pending: TermId[] = [];
  private draining = false;
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  addTerm(id: TermId): void {
    if (this.seenTerms.has(id)) return;
    this.seenTerms.add(id);
    this.pending.push(id);
    if (this.draining) return;
    this.draining = true;
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) this.visit(next);
    this.draining = false;
  }

  private visit(id: TermId): void {
    const term = this.store.term(id);
    if (term.kind === 'argument') this.argumentPaths.add(pathText(term.path));
    if (term.kind === 'input') this.inputs.add(term.name);
    if (term.kind === 'observe' || term.kind === 'fresh' || term.kind === 'opaque') this.calls.add(id);
    const children = termChildren(term);
    for (const child of children.terms) this.addTerm(child);
    for (const guard of children.guards) this.addGuard(guard);
    for (const loop of children.loops) this.addLoop(loop);
  }

  addGuard(guard: Guard): void {
    if (guard <= TRUE || this.seenGuards.has(guard)) return;
    this.seenGuards.add(guard);
    for (const variable of this.store.guards.support(guard)) this.addProposition(this.store.proposition(variable));
  }

  addProposition(proposition: Proposition): void {
    if (proposition.kind === 'has') this.argumentPaths.add(pathText(proposition.path));
    const children = propositionChildren(proposition);
    for (const child of children.terms) this.addTerm(child);
    for (const loop of children.loops) this.addLoop(loop);
  }

  private addLoop(index: LoopIndex): void {
    if (this.seenLoops.has(index)) return;
    this.seenLoops.add(index);
    const loop = this.store.loop(index);
    this.addTerm(loop.over);
    for (const exit of loop.exits) {
      this.addGuard(exit.when);
      if (exit.value !== undefined) this.addTerm(exit.value);
    }
    for (const carried of loop.carried) {
      this.addTerm(carried.initial);
      this.addTerm(carried.next);
    }
    for (const effect of loop.effects) this.addGuard(effect.when);
  }

  finish(): Sources {
    return { argumentPaths: this.argumentPaths, inputs: this.inputs, calls: this.calls };
  }
}
