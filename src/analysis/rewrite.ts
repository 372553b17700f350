/**
 * Substitution in terms, propositions and guards, with everything simplified again on the way up.
 *
 * Guarantees: the meaning under the substitution is kept exactly; every distinct term and proposition is rewritten once;
 * long chains of terms need no stack. A loop over a collection that becomes known is unrolled, so that a fact about the
 * loop becomes facts about its elements.
 *
 * A value that the call does not contain is `absent`: what is computed from it is absent too, and a proposition about it
 * is false. Guards test presence before they look, so such propositions decide nothing.
 */
import { unreachable } from '../base/errors.js';
import { LOOP_UNROLL_MAX, REWRITE_LEAVES_MAX } from '../base/limits.js';
import { conditional, equal, has, hasType, leaves, list, throws } from './construct.js';
import type { Fold } from './fold.js';
import { FALSE, TRUE } from './guards.js';
import { compareNumbers, isText, sizeOf } from './rewrite-folds.js';
import { propositionChildren, termChildren, type Store } from './store.js';
import { concat, TEXT_TESTS, testText } from './text-tests.js';
import type { Guard, Loop, LoopIndex, Proposition, PropositionId, RecordField, Segment, Term, TermId } from './terms.js';

/** What is replaced; undefined keeps the term. */
export interface Substitution {
  readonly argument?: (path: readonly (string | number)[]) => TermId | 'absent' | undefined;
  readonly has?: (path: readonly (string | number)[]) => boolean | undefined;
  readonly input?: (name: string, type: string | undefined) => TermId | undefined;
  readonly terms?: ReadonlyMap<TermId, TermId>;
}

/** One iteration of an unrolled loop. */
export interface Iteration {
  readonly rewriter: Rewriter;
  /** The element is there and no earlier exit was taken. */
  readonly reached: Guard;
  /** Condition of each exit of the loop inside this iteration, given that it is reached. */
  readonly exits: readonly Guard[];
}
export interface Unrolled {
  readonly iterations: readonly Iteration[];
  /** Values carried out of the loop when no exit is taken, by name. */
  readonly after: ReadonlyMap<string, TermId>;
}

interface Binding {
  readonly elements: ReadonlyMap<number, TermId>;
  readonly carried: ReadonlyMap<string, TermId>;
}

const carriedKey = (depth: number, name: string): string => `${String(depth)}:${name}`;

export class Rewriter {
  readonly store: Store;
  readonly absent: TermId;
  private readonly fold: Fold;
  private readonly substitution: Substitution;
  private readonly binding: Binding;
  private readonly terms = new Map<TermId, TermId>();
  private readonly propositions = new Map<PropositionId, Guard>();
  private readonly guards = new Map<Guard, Guard>();
  private readonly loops = new Map<LoopIndex, LoopIndex | 'absent'>();
  private readonly unrolled = new Map<LoopIndex, Unrolled | undefined>();

  constructor(store: Store, fold: Fold, substitution: Substitution, binding: Binding = { elements: new Map(), carried: new Map() }) {
    this.store = store;
    this.fold = fold;
    this.substitution = substitution;
    this.binding = binding;
    this.absent = store.constant({ type: 'special', name: 'absent' });
  }

  term(id: TermId): TermId {
    const known = this.terms.get(id);
    if (known !== undefined) return known;
    const stack = [id];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      if (this.terms.has(top)) {
        stack.pop();
        continue;
      }
      const missing = this.needs(top).filter((child) => !this.terms.has(child));
      if (missing.length > 0) {
        for (const child of missing) stack.push(child);
        continue;
      }
      this.terms.set(top, this.substitution.terms?.get(top) ?? this.rebuild(top));
      stack.pop();
    }
    return this.terms.get(id)!;
  }

  guard(guard: Guard): Guard {
    if (guard <= TRUE) return guard;
    const known = this.guards.get(guard);
    if (known !== undefined) return known;
    const result = this.store.guards.map(guard, (variable) => this.proposition(variable));
    this.guards.set(guard, result);
    return result;
  }

  proposition(id: PropositionId): Guard {
    const known = this.propositions.get(id);
    if (known !== undefined) return known;
    const result = this.rebuildProposition(this.store.proposition(id));
    this.propositions.set(id, result);
    return result;
  }

  private needs(id: TermId): TermId[] {
    if (this.substitution.terms?.has(id) === true) return [];
    const children = termChildren(this.store.term(id));
    const needed = [...children.terms];
    for (const guard of children.guards) {
      if (guard <= TRUE || this.guards.has(guard)) continue;
      for (const variable of this.store.guards.support(guard))
        if (!this.propositions.has(variable)) needed.push(...propositionChildren(this.store.proposition(variable)).terms);
    }
    return needed;
  }

  /** All children are already in `this.terms`. */
  private rebuild(id: TermId): TermId {
    const { store } = this;
    const term = store.term(id);
    const again = (child: TermId): TermId => this.terms.get(child) ?? this.term(child);
    const anyAbsent = (children: readonly TermId[]): boolean => children.some((child) => again(child) === this.absent);
    switch (term.kind) {
      case 'constant':
      case 'class':
      case 'object':
        return id;
      case 'argument': {
        const value = this.substitution.argument?.(term.path);
        return value === 'absent' ? this.absent : (value ?? id);
      }
      case 'input':
        return this.substitution.input?.(term.name, term.type) ?? id;
      case 'external':
      case 'function':
        if (term.self === undefined) return id;
        return anyAbsent([term.self]) ? this.absent : store.intern({ ...term, self: again(term.self) });
      case 'apply': {
        if (anyAbsent(term.args)) return this.absent;
        const args = term.args.map(again);
        if (args.every((arg, at) => arg === term.args[at])) return id;
        return this.apply(term, args);
      }
      case 'observe':
        if (anyAbsent(term.args)) return this.absent;
        return store.intern({
          ...term,
          args: term.args.map(again),
          world: again(term.world),
          ...(term.resource === undefined ? {} : { resource: again(term.resource) }),
        });
      case 'fresh':
        return anyAbsent(term.args) ? this.absent : store.intern({ ...term, args: term.args.map(again) });
      case 'opaque':
        return anyAbsent(term.args) ? this.absent : store.intern({ ...term, args: term.args.map(again), world: again(term.world) });
      case 'list':
        return this.rebuildList(term, again);
      case 'record':
        return this.rebuildRecord(term, again);
      case 'conditional':
        return conditional(store, this.guard(term.when), again(term.then), again(term.otherwise));
      case 'element': {
        const bound = this.binding.elements.get(term.depth);
        if (bound !== undefined) return bound;
        return anyAbsent([term.of]) ? this.absent : store.intern({ ...term, of: again(term.of) });
      }
      case 'carried':
        return this.binding.carried.get(carriedKey(term.depth, term.name)) ?? id;
      case 'loop':
        return this.loopValue(term);
      case 'error':
        return anyAbsent([term.call]) ? this.absent : store.intern({ ...term, call: again(term.call) });
      case 'world':
        return store.intern({ ...term, after: term.after.map(again) });
      default:
        return unreachable(term);
    }
  }

  private apply(term: Extract<Term, { kind: 'apply' }>, args: readonly TermId[]): TermId {
    const { store } = this;
    const folded = this.fold.term(store, term.fn, args);
    if (folded !== undefined) return folded;
    if (term.fn === 'text.concat' && args.every((arg) => isText(store, arg))) return concat(store, args);
    if (term.fn === 'size') {
      const size = sizeOf(store, args[0]!);
      if (size !== undefined) return store.int(size);
    }
    return store.intern({ ...term, args });
  }

  private rebuildList(term: Extract<Term, { kind: 'list' }>, again: (id: TermId) => TermId): TermId {
    const segments: Segment[] = [];
    for (const segment of term.segments) {
      const when = this.guard(segment.when);
      if (when === FALSE) continue;
      const items = segment.kind === 'items' ? segment.items.map(again) : [again(segment.of)];
      if (items.includes(this.absent)) return this.absent;
      segments.push(segment.kind === 'items' ? { kind: 'items', when, items } : { kind: 'spread', when, of: items[0]! });
    }
    return list(this.store, term.as, segments);
  }

  private rebuildRecord(term: Extract<Term, { kind: 'record' }>, again: (id: TermId) => TermId): TermId {
    const fields: RecordField[] = [];
    for (const field of term.fields) {
      const when = this.guard(field.when);
      if (when === FALSE) continue;
      const rebuilt = { when, key: again(field.key), value: again(field.value) };
      if (rebuilt.key === this.absent || rebuilt.value === this.absent) return this.absent;
      fields.push(rebuilt);
    }
    const removed = (term.removed ?? []).map((r) => ({ when: this.guard(r.when), key: again(r.key) })).filter((r) => r.when !== FALSE);
    const rest = term.rest === undefined ? undefined : again(term.rest);
    if (rest === this.absent) return this.absent;
    return this.store.intern({
      kind: 'record',
      fields,
      ...(rest === undefined ? {} : { rest }),
      ...(removed.length === 0 ? {} : { removed }),
      ...(term.type === undefined ? {} : { type: term.type }),
    });
  }

  private rebuildProposition(proposition: Proposition): Guard {
    const { store } = this;
    switch (proposition.kind) {
      case 'has': {
        const value = this.substitution.has?.(proposition.path);
        return value === undefined ? has(store, proposition.path) : value ? TRUE : FALSE;
      }
      case 'type': {
        const of = this.term(proposition.of);
        return of === this.absent ? FALSE : hasType(store, of, proposition.is);
      }
      case 'equal': {
        const left = this.term(proposition.left);
        const right = this.term(proposition.right);
        return left === this.absent || right === this.absent ? FALSE : equal(store, left, right);
      }
      case 'test': {
        const args = proposition.args.map((arg) => this.term(arg));
        return args.includes(this.absent) ? FALSE : this.test(proposition.fn, args);
      }
      case 'throws': {
        const call = this.term(proposition.call);
        return call === this.absent ? FALSE : throws(store, call, proposition.type);
      }
      case 'exists':
        return this.exitTaken(proposition.loop, proposition.exit);
      default:
        return unreachable(proposition);
    }
  }

  private test(fn: string, args: readonly TermId[]): Guard {
    const { store } = this;
    if (TEXT_TESTS.has(fn)) return testText(store, fn, args);
    const folded = this.fold.test(store, fn, args) ?? compareNumbers(store, fn, args);
    if (folded !== undefined) return folded;
    const at = args.findIndex((arg) => store.term(arg).kind === 'conditional');
    if (at >= 0) {
      const cases = leaves(store, args[at]!);
      if (cases.length <= REWRITE_LEAVES_MAX) {
        return store.guards.any(
          cases.map(({ when, leaf }) =>
            store.guards.and(
              when,
              this.test(
                fn,
                args.map((arg, index) => (index === at ? leaf : arg)),
              ),
            ),
          ),
        );
      }
    }
    return store.propositionGuard({ kind: 'test', fn, args });
  }

  // Loops

  private exitTaken(index: LoopIndex, exit: string): Guard {
    const { guards } = this.store;
    const unrolled = this.unroll(index);
    const at = this.store.loop(index).exits.findIndex((candidate) => candidate.name === exit);
    if (unrolled !== undefined && at >= 0) return guards.any(unrolled.iterations.map((iteration) => guards.and(iteration.reached, iteration.exits[at]!)));
    const loop = this.loop(index);
    if (loop === 'absent') return FALSE;
    // An exit that can no longer be taken is gone from the rewritten loop's conditions.
    if (at >= 0 && this.store.loop(loop).exits[at]?.when === FALSE) return FALSE;
    return this.store.propositionGuard({ kind: 'exists', loop, exit });
  }

  private loopValue(term: Extract<Term, { kind: 'loop' }>): TermId {
    const { store } = this;
    const record = store.loop(term.loop);
    const unrolled = this.unroll(term.loop);
    if (unrolled !== undefined) {
      const value = this.unrolledValue(record, term.name, unrolled);
      if (value !== undefined) return value;
    }
    const loop = this.loop(term.loop);
    return loop === 'absent' ? this.absent : store.intern({ ...term, loop });
  }

  private unrolledValue(record: Loop, name: string, unrolled: Unrolled): TermId | undefined {
    const { store } = this;
    // Lists that an inventory expression builds element by element.
    if (name === 'map' && record.exits.length === 0) {
      const image = record.carried.find((c) => c.name === 'map')?.next;
      if (image !== undefined)
        return list(
          store,
          'list',
          unrolled.iterations.map((i): Segment => ({ kind: 'items', when: i.reached, items: [i.rewriter.term(image)] })),
        );
    }
    if (name === 'filter' && record.exits[0]?.name === 'keep') return this.filtered(record, unrolled);
    const at = record.exits.findIndex((exit) => exit.name === name && exit.value !== undefined);
    if (at >= 0) {
      let value: TermId | undefined;
      for (const iteration of [...unrolled.iterations].reverse()) {
        const here = iteration.rewriter.term(record.exits[at]!.value!);
        value = value === undefined ? here : conditional(store, store.guards.and(iteration.reached, iteration.exits[at]!), here, value);
      }
      return value ?? this.absent;
    }
    return unrolled.after.get(name);
  }

  private filtered(record: Loop, unrolled: Unrolled): TermId | undefined {
    const items = this.knownItems(record);
    if (items === undefined) return undefined;
    return list(
      this.store,
      'list',
      items.map((item, at): Segment => ({ kind: 'items', when: this.store.guards.and(item.when, unrolled.iterations[at]!.exits[0]!), items: [item.item] })),
    );
  }

  /** The elements of a loop that is over a known list now. */
  private knownItems(record: Loop): { when: Guard; item: TermId }[] | undefined {
    const over = this.store.term(this.term(record.over));
    // Text is iterated by its characters.
    if (over.kind === 'constant' && over.value.type === 'string' && over.value.value.length <= LOOP_UNROLL_MAX)
      return [...over.value.value].map((character) => ({ when: TRUE, item: this.store.string(character) }));
    if (over.kind !== 'list' || over.as === 'set') return undefined;
    const items: { when: Guard; item: TermId }[] = [];
    for (const segment of over.segments) {
      if (segment.kind !== 'items') return undefined;
      for (const item of segment.items) items.push({ when: segment.when, item });
    }
    return items.length > LOOP_UNROLL_MAX ? undefined : items;
  }

  unroll(index: LoopIndex): Unrolled | undefined {
    if (this.unrolled.has(index)) return this.unrolled.get(index);
    const result = this.computeUnrolled(this.store.loop(index));
    this.unrolled.set(index, result);
    return result;
  }

  private computeUnrolled(record: Loop): Unrolled | undefined {
    const { guards } = this.store;
    const items = this.knownItems(record);
    // A fresh value is another one in each iteration, which copies of the body could not say.
    if (items === undefined || this.mentionsFresh(record)) return undefined;
    let carried = new Map(record.carried.map((c) => [c.name, this.term(c.initial)]));
    let open: Guard = TRUE;
    const iterations: Iteration[] = [];
    for (const { when, item } of items) {
      const rewriter = this.bind(record.depth, item, carried);
      const reached = guards.and(open, when);
      let undecided: Guard = TRUE;
      const exits = record.exits.map((exit) => {
        const taken = guards.and(undecided, rewriter.guard(exit.when));
        undecided = guards.and(undecided, guards.not(taken));
        return taken;
      });
      iterations.push({ rewriter, reached, exits });
      open = guards.and(open, guards.implies(when, undecided));
      const next = new Map<string, TermId>();
      for (const c of record.carried) next.set(c.name, conditional(this.store, when, rewriter.term(c.next), carried.get(c.name)!));
      carried = next;
    }
    return { iterations, after: carried };
  }

  /** The loop with its parts rewritten and its own element and carried values left alone. */
  loop(index: LoopIndex): LoopIndex | 'absent' {
    const known = this.loops.get(index);
    if (known !== undefined) return known;
    const { store } = this;
    const record = store.loop(index);
    const over = this.term(record.over);
    let result: LoopIndex | 'absent' = 'absent';
    if (over !== this.absent) {
      const inside = this.unbind(record.depth);
      result = store.internLoop({
        over,
        depth: record.depth,
        exits: record.exits.map((exit) => ({
          name: exit.name,
          when: inside.guard(exit.when),
          ...(exit.value === undefined ? {} : { value: inside.term(exit.value) }),
        })),
        carried: record.carried.map((c) => ({ name: c.name, initial: this.term(c.initial), next: inside.term(c.next) })),
        effects: record.effects.map((effect) => ({ key: effect.key, when: inside.guard(effect.when) })),
      });
    }
    this.loops.set(index, result);
    return result;
  }

  private bind(depth: number, element: TermId, carried: ReadonlyMap<string, TermId>): Rewriter {
    const all = new Map(this.binding.carried);
    for (const [name, value] of carried) all.set(carriedKey(depth, name), value);
    return new Rewriter(this.store, this.fold, this.substitution, { elements: new Map([...this.binding.elements, [depth, element]]), carried: all });
  }

  private unbind(depth: number): Rewriter {
    if (!this.binding.elements.has(depth)) return this;
    const elements = new Map(this.binding.elements);
    elements.delete(depth);
    const carried = new Map([...this.binding.carried].filter(([key]) => !key.startsWith(`${String(depth)}:`)));
    return new Rewriter(this.store, this.fold, this.substitution, { elements, carried });
  }

  private mentionsFresh(record: Loop): boolean {
    const guards = [...record.exits.map((exit) => exit.when), ...record.effects.map((effect) => effect.when)];
    const terms = [...record.exits.flatMap((exit) => (exit.value === undefined ? [] : [exit.value])), ...record.carried.map((c) => c.next)];
    const calls = [...guards.map((guard) => this.store.guardSources(guard).calls), ...terms.map((term) => this.store.sources(term).calls)];
    return calls.some((set) => [...set].some((call) => this.store.term(call).kind === 'fresh'));
  }
}
