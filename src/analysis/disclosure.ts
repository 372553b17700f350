/** What a value tells whoever receives it: the outermost calls and inputs that it, or a choice inside it, depends on. */
import { TRUE } from './guards.js';
import { propositionChildren, termChildren, type Store } from './store.js';
import type { Guard, LoopIndex, TermId } from './terms.js';

/** Source terms: the resource of a call where the inventory names one, else the call; inputs as themselves. */
export function disclosedSources(store: Store, value: TermId): readonly TermId[] {
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
  visitTerm(value);
  return [...sources];
}
