/**
 * A summary as text: one outcome a line, effects in program order, then what is told, how the call ends and what could not
 * be decided; then each loop that they speak of. Conditions are those among the calls that the profile supports.
 */
import { canonicalOutcomes } from '../../src/analysis/canonical-outcomes.js';
import { FALSE, TRUE } from '../../src/analysis/guards.js';
import type { Context, Dimension, Outcome, Summary } from '../../src/analysis/summary.js';
import { propositionChildren, termChildren, type Store } from '../../src/analysis/store.js';
import { propositionsOf, theoryOf, type Knowledge } from '../../src/analysis/theory.js';
import type { Guard, LoopIndex, TermId } from '../../src/analysis/terms.js';
import { unreachable } from '../../src/base/errors.js';
import { TermPrinter } from './print-terms.js';

export function printSummary(summary: Summary, knowledge: Knowledge): string {
  const { store } = summary;
  const mentioned = propositionsOf(store, [...summary.outcomes.map((outcome) => outcome.when), summary.domain, summary.serving]);
  const possible = store.guards.all([summary.domain, summary.serving, theoryOf(store, mentioned, knowledge)]);
  const outcomes = canonicalOutcomes(summary).map((placed) => placed.outcome);
  const loops = new LoopNumbers(store, outcomes);
  const print = new TermPrinter(store, (loop) => loops.name(loop));
  const lines = [
    ...(summary.serving === TRUE ? [] : [`serves${print.when(summary.serving)}`]),
    ...(summary.absent ? ['the tool is not served'] : []),
    ...outcomes.filter((outcome) => store.guards.and(outcome.when, possible) !== FALSE).map((outcome) => outcomeLine(store, outcome, possible, loops, print)),
    ...loops.all.flatMap((loop) => loopLines(store, loop, loops, print)),
    ...summary.inputs.map((input) => `reads ${input}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function outcomeLine(store: Store, outcome: Outcome, possible: Guard, loops: LoopNumbers, print: TermPrinter): string {
  const when = print.when(outcome.when, possible);
  switch (outcome.kind) {
    case 'effect': {
      const marks = [...(outcome.protective ? ['protective'] : []), ...(outcome.baseline ? ['baseline'] : [])].map((mark) => `${mark} `);
      const inside = outcome.loops.map((loop) => ` in ${loops.name(loop)}`);
      const under = outcome.contexts.map((context) => ` under ${operationText(context, print)}`);
      return `${marks.join('')}effect ${operationText(outcome, print)}${under.join('')}${inside.join('')}${when}`;
    }
    case 'disclose':
      return `tells ${outcome.channel} ${print.term(outcome.source)}${when}`;
    case 'exit': {
      const how = outcome.how === 'return' ? 'returns' : `throws ${outcome.type ?? 'an unknown type'}`;
      const here = store.guards.and(possible, outcome.when);
      const after = store.guards.and(outcome.effectsBefore, here) === FALSE ? '' : `, after an effect${print.when(outcome.effectsBefore, here)}`;
      return `${how}${when}${after}`;
    }
    case 'escalate':
      return `stops ${outcome.code}: ${outcome.message}${when}`;
    default:
      return unreachable(outcome);
  }
}

function operationText({ operation, dimensions }: Context, print: TermPrinter): string {
  const text = (dimension: Dimension): string => `${dimension.name}: ${dimension.exact ? '' : 'about '}${print.term(dimension.value)}`;
  return dimensions.length === 0 ? operation : `${operation} { ${dimensions.map(text).join(', ')} }`;
}

function loopLines(store: Store, index: LoopIndex, loops: LoopNumbers, print: TermPrinter): string[] {
  const loop = store.loop(index);
  return [
    `${loops.name(index)} over ${print.term(loop.over)}`,
    ...loop.effects.map((effect) => `  an effect${print.when(effect.when)}`),
    ...loop.exits.map((exit) => `  left by ${exit.name}${exit.value === undefined ? '' : ` with ${print.term(exit.value)}`}${print.when(exit.when)}`),
    ...loop.carried.map((slot) => `  carries ${slot.name}: ${print.term(slot.initial)}, then ${print.term(slot.next)}`),
  ];
}

/** Loops in the order in which outcomes speak of them. */
class LoopNumbers {
  readonly all: LoopIndex[] = [];
  readonly #store: Store;
  readonly #seenTerms = new Set<TermId>();
  readonly #seenGuards = new Set<Guard>();

  constructor(store: Store, outcomes: readonly Outcome[]) {
    this.#store = store;
    for (const outcome of outcomes) {
      if (outcome.kind === 'effect') {
        for (const loop of outcome.loops) this.#loop(loop);
        for (const dimension of [...outcome.dimensions, ...outcome.contexts.flatMap((context) => context.dimensions)]) this.#term(dimension.value);
      }
      if (outcome.kind === 'disclose') this.#term(outcome.source);
      if (outcome.kind === 'exit') this.#guard(outcome.effectsBefore);
      this.#guard(outcome.when);
    }
  }

  name(loop: LoopIndex): string {
    return `loop ${this.all.indexOf(loop) + 1}`;
  }

  #loop(index: LoopIndex): void {
    if (this.all.includes(index)) return;
    this.all.push(index);
    const loop = this.#store.loop(index);
    this.#term(loop.over);
    for (const effect of loop.effects) this.#guard(effect.when);
    for (const exit of loop.exits) {
      this.#guard(exit.when);
      if (exit.value !== undefined) this.#term(exit.value);
    }
    for (const slot of loop.carried) {
      this.#term(slot.initial);
      this.#term(slot.next);
    }
  }

  #term(id: TermId): void {
    if (this.#seenTerms.has(id)) return;
    this.#seenTerms.add(id);
    const { terms, guards, loops } = termChildren(this.#store.term(id));
    for (const term of terms) this.#term(term);
    for (const guard of guards) this.#guard(guard);
    for (const loop of loops) this.#loop(loop);
  }

  #guard(guard: Guard): void {
    if (guard <= TRUE || this.#seenGuards.has(guard)) return;
    this.#seenGuards.add(guard);
    for (const id of this.#store.guards.order([...this.#store.guards.support(guard)])) {
      const { terms, loops } = propositionChildren(this.#store.proposition(id));
      for (const term of terms) this.#term(term);
      for (const loop of loops) this.#loop(loop);
    }
  }
}
