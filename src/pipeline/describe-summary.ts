/** A summary in words: what calls can do, what they tell, how they end, and what could not be decided. */
import type { Store } from '../analysis/store.js';
import { FALSE } from '../analysis/guards.js';
import type { Summary } from '../analysis/summary.js';
import { propositionsOf, theoryOf } from '../analysis/theory.js';
import type { Guard } from '../analysis/terms.js';
import { unreachable } from '../base/errors.js';
import type { Reviewed } from '../compatibility/decide.js';
import { describeDisclosure, describeEffect, describeGuard } from '../compatibility/describe.js';
import { cubeGuard } from '../compatibility/cubes.js';
import { deedOf, type Deed } from '../compatibility/doings.js';
import type { Condition, Fact, Value } from '../compatibility/facts.js';
import { FactReader } from '../compatibility/read-facts.js';
import { sharedFacts } from '../compatibility/story.js';
import type { DescribedEffect, Reason } from '../compatibility/verdict.js';
import type { Span } from '../ir/span.js';

export interface DescribedOutcome {
  readonly text: string;
  readonly when: string;
  readonly condition: Condition;
  readonly span?: Span;
}

export interface DescribedDisclosure extends DescribedOutcome {
  readonly told: Value;
  readonly channel: string;
}

export interface DescribedExit extends DescribedOutcome {
  readonly how: 'return' | 'throw';
  /** Identity of the exception, where it is known. */
  readonly type?: string;
}

export interface PlacedEffect extends DescribedEffect {
  readonly deed: Deed;
  /** The effect's call first, then the calls that lead to it, outward. */
  readonly chain: readonly Span[];
}

export interface SummaryView {
  /** In program order. */
  readonly effects: readonly PlacedEffect[];
  /** Facts on which every effect depends: the conditions of effects do not repeat them. */
  readonly provided: readonly Fact[];
  readonly disclosures: readonly DescribedDisclosure[];
  readonly exits: readonly DescribedExit[];
  readonly escalations: readonly (Reason & { readonly when: string })[];
  /** The arguments that the profile supports, in words. */
  readonly domain: string;
  readonly inputs: readonly string[];
  /** The release is proved not to serve the tool. */
  readonly absent: boolean;
}

export function describeSummary(summary: Summary, reviewed: Reviewed): SummaryView {
  const { store } = summary;
  const possible = possibleCalls(summary, reviewed);
  const effects: { readonly order: number; readonly effect: PlacedEffect }[] = [];
  const shared = sharedFacts([summary], possible);
  const reader = new FactReader(store, possible);
  const effectReader = new FactReader(store, store.guards.and(possible, cubeGuard(store.guards, shared)));
  const view = { disclosures: [] as DescribedDisclosure[], exits: [] as DescribedExit[], escalations: [] as (Reason & { when: string })[] };
  for (const [index, outcome] of summary.outcomes.entries()) {
    if (store.guards.and(outcome.when, possible) === FALSE) continue;
    const chain = summary.spans[index] ?? [];
    const [span] = chain;
    const place = span === undefined ? {} : { span };
    const when = describeGuard(store, outcome.when, possible);
    switch (outcome.kind) {
      case 'effect':
        effects.push({ order: outcome.order, effect: { ...describeEffect(store, outcome, possible, span), deed: deedOf(effectReader, outcome, span, effectReader.condition(outcome.when)), chain } });
        break;
      case 'disclose':
        view.disclosures.push({ text: describeDisclosure(store, outcome), when, condition: reader.condition(outcome.when), told: reader.value(outcome.source), channel: outcome.channel, ...place });
        break;
      case 'exit':
        view.exits.push({
          text: exitText(outcome.how, outcome.type, outcome.effectsBefore, store, possible),
          when,
          condition: reader.condition(outcome.when),
          how: outcome.how,
          ...(outcome.type === undefined ? {} : { type: outcome.type }),
          ...place,
        });
        break;
      case 'escalate':
        view.escalations.push({ code: outcome.code, message: outcome.message, side: 'source', next: outcome.next, when, ...place });
        break;
      default:
        unreachable(outcome);
    }
  }
  return {
    effects: effects.sort((left, right) => left.order - right.order).map(({ effect }) => effect),
    provided: reader.facts(shared),
    ...view,
    domain: describeGuard(store, summary.domain),
    inputs: summary.inputs,
    absent: summary.absent,
  };
}

function possibleCalls(summary: Summary, reviewed: Reviewed): Guard {
  const { store } = summary;
  const mentioned = propositionsOf(store, [...summary.outcomes.map((outcome) => outcome.when), summary.domain]);
  return store.guards.and(summary.domain, theoryOf(store, mentioned, reviewed.knowledge));
}

function exitText(how: 'return' | 'throw', type: string | undefined, effectsBefore: Guard, store: Store, possible: Guard): string {
  if (how === 'return') return 'returns a result';
  const what = `refuses with ${type === undefined ? 'an error whose type is not known' : (type.split('#').at(-1) ?? type)}`;
  return store.guards.and(effectsBefore, possible) === FALSE ? what : `${what}, after an effect when ${describeGuard(store, effectsBefore, possible)}`;
}
