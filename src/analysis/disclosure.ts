/**
 * What a value tells whoever receives it: the outermost calls and inputs that it, or a choice inside it, depends on, each
 * with the condition under which it does. A choice is told always; each of its two values only where it is the one.
 */
import { FALSE, TRUE } from './guards.js';
import { propositionChildren, termChildren, type Store } from './store.js';
import type { Guard, LoopIndex, PropositionId, TermId } from './terms.js';

export interface DisclosedSource {
  /** The resource of a call where the inventory names one, else the call; an input as itself. */
  readonly source: TermId;
  readonly when: Guard;
}

/** `path` is the condition under which the value is received at all. */
export function disclosedSources(store: Store, value: TermId, path: Guard): readonly DisclosedSource[] {
  const { guards } = store;
  const told = new Map<TermId, Guard>();
  // A term is made after all that it is made of: the highest number first, each is looked at once, when all who use it were.
  const waiting = new Map<TermId, Guard>();
  const reach = (id: TermId, when: Guard): void => {
    if (when !== FALSE) waiting.set(id, guards.or(waiting.get(id) ?? FALSE, when));
  };
  const whole = new Whole(store);
  const tell = (sources: ReadonlySet<TermId>, when: Guard): void => {
    for (const source of sources) told.set(source, guards.or(told.get(source) ?? FALSE, when));
  };
  reach(value, path);
  while (waiting.size > 0) {
    const id = Math.max(...waiting.keys());
    const when = waiting.get(id)!;
    waiting.delete(id);
    const term = store.term(id);
    switch (term.kind) {
      case 'conditional':
        tell(whole.ofChoice(term.when, when), when);
        reach(term.then, guards.and(when, term.when));
        reach(term.otherwise, guards.and(when, guards.not(term.when)));
        break;
      case 'apply':
        for (const arg of term.args) reach(arg, when);
        break;
      case 'list':
        for (const segment of term.segments) {
          tell(whole.ofChoice(segment.when, when), when);
          const here = guards.and(when, segment.when);
          for (const item of segment.kind === 'items' ? segment.items : [segment.of]) reach(item, here);
        }
        break;
      case 'argument':
      case 'carried':
      case 'class':
      case 'constant':
      case 'element':
      case 'error':
      case 'external':
      case 'fresh':
      case 'function':
      case 'input':
      case 'loop':
      case 'object':
      case 'observe':
      case 'opaque':
      case 'record':
      case 'world':
        // What a loop made is told as a whole: facts about its elements say nothing outside of it.
        tell(whole.ofTerm(id), when);
    }
  }
  return [...told].map(([source, when]) => ({ source, when }));
}

/** All that a term or a condition depends on, whichever of its parts it is in a run. */
class Whole {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  ofTerm(id: TermId): ReadonlySet<TermId> {
    return this.#collect((visit) => {
      visit.term(id);
    });
  }

  /** What a choice between two values depends on, where it is made: facts that are not needed to tell the two apart are left out. */
  ofChoice(choice: Guard, where: Guard): ReadonlySet<TermId> {
    const { guards } = this.#store;
    let [one, other] = [guards.and(where, choice), guards.and(where, guards.not(choice))];
    if (one === FALSE || other === FALSE) return new Set();
    const telling = new Set<TermId>();
    for (const fact of guards.order([...guards.support(choice)])) {
      const sources = this.#ofFact(fact);
      if (sources.size === 0) continue;
      const [oneWithout, otherWithout] = [guards.exists(one, new Set([fact])), guards.exists(other, new Set([fact]))];
      if (guards.disjoint(oneWithout, otherWithout)) [one, other] = [oneWithout, otherWithout];
      else for (const source of sources) telling.add(source);
    }
    return telling;
  }

  #ofFact(fact: PropositionId): ReadonlySet<TermId> {
    return this.#collect((visit) => {
      visit.guard(this.#store.guards.variable(fact));
    });
  }

  #collect(begin: (visit: { readonly term: (id: TermId) => void; readonly guard: (guard: Guard) => void }) => void): ReadonlySet<TermId> {
    const store = this.#store;
    const sources = new Set<TermId>();
    const seenTerms = new Set<TermId>();
    const seenGuards = new Set<Guard>();
    const seenLoops = new Set<LoopIndex>();
    const visitTerm = (id: TermId): void => {
      if (seenTerms.has(id)) return;
      seenTerms.add(id);
      const term = store.term(id);
      if (term.kind === 'input') {
        sources.add(id);
        return;
      }
      if (term.kind === 'observe') {
        // What the call was given is told only through what it answered.
        const resource = term.resource === undefined ? undefined : store.term(term.resource);
        if (resource?.kind === 'constant' && resource.value.type === 'special' && resource.value.name === 'undisclosed') return;
        sources.add(term.resource ?? id);
        return;
      }
      if (term.kind === 'fresh') return;
      if (term.kind === 'opaque') sources.add(id);
      const children = termChildren(term);
      for (const child of children.terms) visitTerm(child);
      for (const guard of children.guards) visitGuard(guard);
      for (const loop of children.loops) visitLoop(loop);
    };
    const visitGuard = (guard: Guard): void => {
      if (guard <= TRUE || seenGuards.has(guard)) return;
      seenGuards.add(guard);
      for (const variable of store.guards.support(guard)) {
        const children = propositionChildren(store.proposition(variable));
        for (const child of children.terms) visitTerm(child);
        for (const loop of children.loops) visitLoop(loop);
      }
    };
    const visitLoop = (index: LoopIndex): void => {
      if (seenLoops.has(index)) return;
      seenLoops.add(index);
      const loop = store.loop(index);
      visitTerm(loop.over);
      for (const exit of loop.exits) {
        visitGuard(exit.when);
        if (exit.value !== undefined) visitTerm(exit.value);
      }
      for (const carried of loop.carried) {
        visitTerm(carried.initial);
        visitTerm(carried.next);
      }
    };
    begin({ term: visitTerm, guard: visitGuard });
    return sources;
  }
}
