/**
 * A summary for one concrete call: arguments and known inputs put in, everything that follows folded, loops over known
 * lists unrolled. What remains open are facts about the world and inputs that were not given. Same store, so that two
 * summaries that are specialised to one call can be compared term by term.
 */
import { literalAt, literalTerm, type Literal } from './literal.js';
import type { Fold } from './fold.js';
import { FALSE, TRUE } from './guards.js';
import { Rewriter, type Substitution } from './rewrite.js';
import type { Store } from './store.js';
import type { Context, Dimension, EffectOutcome, Outcome, Summary } from './summary.js';
import type { Guard, TermId } from './terms.js';
import type { Span } from '../ir/span.js';
import { unreachable } from '../base/errors.js';

export interface ConcreteCall {
  /** Must be an object. */
  readonly arguments: Literal;
  /** Values of registered inputs; null: known to be unset. An input that is not listed stays open. */
  readonly inputs: ReadonlyMap<string, string | null>;
  /** Facts declared for evaluation, as a guard that holds; TRUE when there are none. */
  readonly facts?: Guard;
}

export function specialise(summary: Summary, call: ConcreteCall, fold: Fold): Summary {
  const { store } = summary;
  const rewriter = new Rewriter(store, fold, callSubstitution(store, call, fold));
  const facts = call.facts === undefined ? TRUE : rewriter.guard(call.facts);
  return rewriteSummary(summary, rewriter, facts);
}

export function callSubstitution(store: Store, call: ConcreteCall, fold: Fold): Substitution {
  return {
    has: (path) => literalAt(call.arguments, path) !== undefined,
    argument: (path) => {
      const value = literalAt(call.arguments, path);
      return value === undefined ? 'absent' : literalTerm(store, value);
    },
    input: (name, type) => {
      const value = call.inputs.get(name);
      return value === undefined ? undefined : inputTerm(store, value, type, fold);
    },
  };
}

/** The text of an input as the type that the reader gives it. */
function inputTerm(store: Store, value: string | null, type: string | undefined, fold: Fold): TermId | undefined {
  if (value === null) return store.null;
  const inner = type === undefined ? 'str' : (/^optional<(.*)>$/.exec(type)?.[1] ?? type);
  const text = store.string(value);
  switch (inner) {
    case 'str':
      return text;
    case 'int':
      return /^-?\d+$/.test(value) ? store.int(BigInt(value)) : undefined;
    case 'bool':
      return value === 'true' ? store.true : value === 'false' ? store.false : undefined;
    case 'json':
    case 'float':
      // Known, but not to this analysis: stays a value that only equals itself.
      return undefined;
    default:
      return fold.term(store, inner, [text]) ?? store.intern({ kind: 'apply', fn: inner, args: [text], type: inner });
  }
}

interface Placed {
  readonly outcome: Outcome;
  readonly spans: readonly Span[];
}

/** All outcomes under a rewriter. */
export function rewriteSummary(summary: Summary, rewriter: Rewriter, facts: Guard = TRUE): Summary {
  const { guards } = summary.store;
  const placed = summary.outcomes.map((outcome, at): Placed => ({ outcome, spans: summary.spans[at] ?? [] }));
  const effects = placed.filter((p): p is Placed & { outcome: EffectOutcome } => p.outcome.kind === 'effect').sort((a, b) => a.outcome.order - b.outcome.order);
  const others = placed.filter((p) => p.outcome.kind !== 'effect').map((p) => ({ ...p, outcome: rewriteOutcome(p.outcome, rewriter) }));
  const unrolled = rewriteEffects(effects, rewriter, TRUE);
  const all: Placed[] = [...unrolled.map((p, order) => ({ ...p, outcome: { ...p.outcome, order } })), ...others];
  const happening = all.flatMap((p): Placed[] => {
    const when = guards.and(p.outcome.when, facts);
    // An effect that cannot happen stays as evidence of what this side does in other calls.
    return when === FALSE && p.outcome.kind !== 'effect' ? [] : [{ ...p, outcome: { ...p.outcome, when } }];
  });
  return {
    ...summary,
    domain: rewriter.guard(summary.domain),
    serving: rewriter.guard(summary.serving),
    outcomes: happening.map((p) => p.outcome),
    spans: happening.map((p) => p.spans),
  };
}

function rewriteOutcome(outcome: Outcome, rewriter: Rewriter): Outcome {
  switch (outcome.kind) {
    case 'effect':
      return rewriteEffect(outcome, rewriter);
    case 'disclose':
      return { ...outcome, when: rewriter.guard(outcome.when), source: rewriter.term(outcome.source) };
    case 'exit':
      return { ...outcome, when: rewriter.guard(outcome.when), effectsBefore: rewriter.guard(outcome.effectsBefore) };
    case 'escalate':
      return { ...outcome, when: rewriter.guard(outcome.when) };
    default:
      return unreachable(outcome);
  }
}

type PlacedEffect = Placed & { readonly outcome: EffectOutcome };

/**
 * Effects in program order. The effects of a loop that is unrolled appear once an iteration, under the condition that the
 * iteration is reached and the effect happens in it.
 */
function rewriteEffects(effects: readonly PlacedEffect[], rewriter: Rewriter, under: Guard): PlacedEffect[] {
  const { store } = rewriter;
  const out: PlacedEffect[] = [];
  for (let at = 0; at < effects.length;) {
    const effect = effects[at]!;
    const index = effect.outcome.loops[0];
    const record = index === undefined ? undefined : store.loop(index);
    const group = record === undefined ? [] : effects.slice(at, at + record.effects.length);
    const complete =
      record !== undefined && group.length === record.effects.length && group.length > 0 && group.every((member) => member.outcome.loops[0] === index);
    const unrolled = complete ? rewriter.unroll(index!) : undefined;
    if (unrolled === undefined || record === undefined) {
      const rewritten = rewriteEffect(effect.outcome, rewriter);
      out.push({ ...effect, outcome: { ...rewritten, when: store.guards.and(under, rewritten.when) } });
      at += 1;
      continue;
    }
    const outer = store.guards.and(under, rewriter.guard(effect.outcome.when));
    for (const iteration of unrolled.iterations) {
      const reached = store.guards.and(outer, iteration.reached);
      const inner = group.map((member, k): PlacedEffect => ({
        ...member,
        outcome: { ...member.outcome, when: record.effects[k]!.when, loops: member.outcome.loops.slice(1) },
      }));
      out.push(...rewriteEffects(inner, iteration.rewriter, reached));
    }
    at += group.length;
  }
  return out;
}

function rewriteEffect(effect: EffectOutcome, rewriter: Rewriter): EffectOutcome {
  const loops = effect.loops.map((loop) => rewriter.loop(loop));
  const gone = loops.includes('absent');
  return {
    ...effect,
    when: gone ? FALSE : rewriter.guard(effect.when),
    call: rewriter.term(effect.call),
    dimensions: effect.dimensions.map((dimension) => rewriteDimension(dimension, rewriter)),
    contexts: effect.contexts.map((context): Context => ({
      ...context,
      dimensions: context.dimensions.map((dimension) => rewriteDimension(dimension, rewriter)),
    })),
    loops: loops.filter((loop) => loop !== 'absent'),
  };
}

function rewriteDimension(dimension: Dimension, rewriter: Rewriter): Dimension {
  const value = rewriter.term(dimension.value);
  return { ...dimension, value, exact: dimension.exact && value !== rewriter.absent };
}
