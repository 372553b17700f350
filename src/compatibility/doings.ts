/** What one side does in the calls that a report speaks of, as data: its effects, and whether and where it refuses. */
import { FALSE, TRUE, type Guards } from '../analysis/guards.js';
import type { DiscloseOutcome, EffectOutcome, Summary } from '../analysis/summary.js';
import type { Guard } from '../analysis/terms.js';
import type { Span } from '../ir/span.js';
import { effectsOf } from './compare.js';
import { ALWAYS, type Condition, type Value } from './facts.js';
import { FactReader } from './read-facts.js';

export interface DeedDimension {
  readonly name: string;
  readonly value: Value;
  readonly exact: boolean;
}

/** One effect. */
export interface Deed {
  readonly operation: string;
  readonly dimensions: readonly DeedDimension[];
  readonly contexts: readonly { readonly operation: string; readonly dimensions: readonly DeedDimension[] }[];
  readonly protective: boolean;
  readonly baseline: boolean;
  /** `ALWAYS` where the report does not speak of conditions. */
  readonly when: Condition;
  readonly span?: Span;
}

export interface Doings {
  /** Effects that can happen, in program order. */
  readonly deeds: readonly Deed[];
  /** What the caller learns beside its own arguments. */
  readonly told: readonly Value[];
  /** False: this release does not serve the tool. */
  readonly served: boolean;
  readonly refuses: 'always' | 'sometimes' | 'never';
  /** Where it refuses: first what refuses the largest part. */
  readonly refusedAt: readonly Span[];
}

export interface DoingsOptions {
  /** Places where the call is refused are asked for in these runs. */
  readonly refusedIn: Guard;
  /** Whether each effect is told with its condition. */
  readonly conditions: boolean;
}

/** `possible` is the calls that are spoken of. */
export function doingsOf(summary: Summary, possible: Guard, { refusedIn: asked, conditions }: DoingsOptions): Doings {
  const { store } = summary;
  const { guards } = store;
  const reader = new FactReader(store, possible);
  const deeds = effectsOf(summary)
    .filter((at) => guards.and(at.outcome.when, possible) !== FALSE)
    .map((at) => deedOf(reader, at.outcome, summary.spans[at.index]?.[0], conditions ? reader.condition(at.outcome.when) : ALWAYS));
  const refused = refusedIn(summary);
  const refuses = guards.and(refused, possible) === FALSE ? 'never' : guards.entails(possible, refused) ? 'always' : 'sometimes';
  const sources = new Set(
    summary.outcomes.flatMap((outcome) => (outcome.kind === 'disclose' && !isOwn(store, outcome) && guards.and(outcome.when, possible) !== FALSE ? [outcome.source] : [])),
  );
  return { deeds, told: [...sources].map((source) => reader.value(source)), served: !summary.absent, refuses, refusedAt: refusalPlaces(summary, guards.and(possible, asked)) };
}

export const NOTHING_KNOWN: Doings = { deeds: [], told: [], served: true, refuses: 'never', refusedAt: [] };

/** What the caller gave, and constants. */
function isOwn(store: Summary['store'], { source }: DiscloseOutcome): boolean {
  const { kind } = store.term(source);
  return kind === 'argument' || kind === 'constant';
}

export function deedOf(reader: FactReader, effect: EffectOutcome, span: Span | undefined, when: Condition = ALWAYS): Deed {
  const dimension = ({ name, value, exact }: EffectOutcome['dimensions'][number]): DeedDimension => ({ name, value: reader.value(value), exact });
  return {
    operation: effect.operation,
    dimensions: effect.dimensions.map(dimension),
    contexts: effect.contexts.map((context) => ({ operation: context.operation, dimensions: context.dimensions.map(dimension) })),
    protective: effect.protective,
    baseline: effect.baseline,
    when,
    ...(span === undefined ? {} : { span }),
  };
}

/** Where the call ends in a refusal. */
export function refusedIn(summary: Summary): Guard {
  return summary.store.guards.any(summary.outcomes.filter((outcome) => outcome.kind === 'exit' && outcome.how === 'throw').map((outcome) => outcome.when));
}

function refusalPlaces(summary: Summary, here: Guard): readonly Span[] {
  const { guards } = summary.store;
  const exits = summary.outcomes.flatMap((outcome, index) => {
    const span = summary.spans[index]?.[0];
    if (outcome.kind !== 'exit' || outcome.how !== 'throw' || span === undefined || guards.and(outcome.when, here) === FALSE) return [];
    return [{ span, share: shareOf(guards, guards.and(outcome.when, here)) }];
  });
  exits.sort((left, right) => right.share - left.share);
  return [...new Map(exits.map(({ span }) => [`${span.file}:${String(span.line)}`, span])).values()];
}

/** The part of all runs in which a guard holds, if every fact were a toss of a coin: enough to put places in order. */
function shareOf(guards: Guards, guard: Guard): number {
  const known = new Map<Guard, number>([
    [FALSE, 0],
    [TRUE, 1],
  ]);
  const visit = (at: Guard): number => {
    const before = known.get(at);
    const node = guards.inspect(at);
    if (before !== undefined || node === undefined) return before ?? 0;
    const share = (visit(node.high) + visit(node.low)) / 2;
    known.set(at, share);
    return share;
  };
  return visit(guard);
}
