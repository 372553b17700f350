/**
 * Outcomes in an order that depends on what they say only, never on how the handler is written down. Effects keep their
 * order where both can happen in one run; where they exclude each other, content decides. What is told, and how the call
 * ends, is one outcome for each thing told and each way to end.
 */
import type { Span } from '../ir/span.js';
import { FALSE } from './guards.js';
import type { Store } from './store.js';
import type { Context, Dimension, DiscloseOutcome, EffectOutcome, ExitOutcome, Outcome, Summary } from './summary.js';

export interface PlacedOutcome {
  readonly outcome: Outcome;
  readonly spans: readonly Span[];
}

export function canonicalOutcomes(summary: Summary): PlacedOutcome[] {
  const { store } = summary;
  const placed = summary.outcomes.map((outcome, at): PlacedOutcome => ({ outcome, spans: summary.spans[at] ?? [] })).filter((p) => p.outcome.when !== FALSE);
  const effects = placed.filter((p): p is PlacedOutcome & { outcome: EffectOutcome } => p.outcome.kind === 'effect');
  const others = merged(
    store,
    placed.filter((p) => p.outcome.kind !== 'effect'),
  );
  const keyed = others.map((p) => ({ p, key: outcomeKey(store, p.outcome) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return [...orderedEffects(store, effects), ...keyed.map((k) => k.p)];
}

/** The first, by content, of the effects that nothing still to come must precede; again and again. */
function orderedEffects(store: Store, effects: readonly (PlacedOutcome & { outcome: EffectOutcome })[]): PlacedOutcome[] {
  const { guards } = store;
  let left = [...effects].sort((a, b) => a.outcome.order - b.outcome.order).map((p) => ({ p, key: outcomeKey(store, p.outcome) }));
  const out: PlacedOutcome[] = [];
  while (left.length > 0) {
    const free = left.filter((candidate, at) => left.slice(0, at).every((before) => guards.disjoint(before.p.outcome.when, candidate.p.outcome.when)));
    const next = free.reduce((first, candidate) => (candidate.key < first.key ? candidate : first));
    out.push({ ...next.p, outcome: { ...next.p.outcome, order: out.length } });
    left = left.filter((candidate) => candidate !== next);
  }
  return out;
}

/** Joins disclosures of one source to one channel, and exits of one kind. */
function merged(store: Store, placed: readonly PlacedOutcome[]): PlacedOutcome[] {
  const { guards } = store;
  const out = new Map<string, PlacedOutcome>();
  placed.forEach((p, at) => {
    const { outcome } = p;
    const key =
      outcome.kind === 'disclose'
        ? `d${outcome.channel} ${store.termKey(outcome.source)}`
        : outcome.kind === 'exit'
          ? `x${outcome.how} ${outcome.type ?? ''}`
          : `o${String(at)}`;
    const before = out.get(key);
    if (before === undefined) out.set(key, p);
    else out.set(key, { outcome: join(before.outcome, outcome), spans: earlier(before.spans, p.spans) });
  });
  function join(left: Outcome, right: Outcome): Outcome {
    const when = guards.or(left.when, right.when);
    if (left.kind === 'exit' && right.kind === 'exit') {
      const effectsBefore = guards.or(guards.and(left.when, left.effectsBefore), guards.and(right.when, right.effectsBefore));
      return { ...left, when, effectsBefore } satisfies ExitOutcome;
    }
    return { ...(left as DiscloseOutcome), when };
  }
  return [...out.values()].map((p) =>
    p.outcome.kind === 'exit' ? { ...p, outcome: { ...p.outcome, effectsBefore: guards.and(p.outcome.when, p.outcome.effectsBefore) } } : p,
  );
}

function earlier(left: readonly Span[], right: readonly Span[]): readonly Span[] {
  const place = (spans: readonly Span[]): string =>
    JSON.stringify(spans.map((span) => [span.file, String(span.line).padStart(9, '0'), String(span.column).padStart(9, '0')]));
  return place(left) <= place(right) ? left : right;
}

/** Content of an outcome, its place in the order apart. */
export function outcomeKey(store: Store, outcome: Outcome): string {
  const guard = store.guardKey(outcome.when);
  const dimensions = (all: readonly Dimension[]): unknown => all.map((d) => [d.name, store.termKey(d.value), d.exact]);
  switch (outcome.kind) {
    case 'effect':
      return JSON.stringify([
        'a',
        outcome.operation,
        dimensions(outcome.dimensions),
        guard,
        store.termKey(outcome.call),
        [outcome.behaviour.callee, outcome.behaviour.form, outcome.behaviour.range, outcome.behaviour.entry],
        outcome.protective,
        outcome.baseline,
        outcome.contexts.map((context: Context) => [context.operation, dimensions(context.dimensions)]),
        outcome.loops.map((loop) => store.loopKey(loop)),
      ]);
    case 'disclose':
      return JSON.stringify(['b', outcome.channel, store.termKey(outcome.source), guard]);
    case 'exit':
      return JSON.stringify(['c', outcome.how, outcome.type ?? null, guard, store.guardKey(outcome.effectsBefore)]);
    case 'escalate':
      return JSON.stringify(['d', outcome.code, outcome.message, outcome.next, guard]);
  }
}
