/**
 * Two releases under one profile: both summaries in one store, what was reviewed about them, and the two questions that
 * are asked of a pair: all supported calls, or one concrete call.
 */
import { Rewriter } from '../analysis/rewrite.js';
import { callSubstitution, rewriteSummary } from '../analysis/specialise.js';
import { Store } from '../analysis/store.js';
import type { Summary } from '../analysis/summary.js';
import type { Literal } from '../analysis/literal.js';
import { decideCall, type PendingCall, type Reviewed } from '../compatibility/decide.js';
import { reportPair } from '../compatibility/report.js';
import { tellCall, type CallStory } from '../compatibility/story.js';
import { tabulatePair, type PairTable, type TableOptions } from '../compatibility/table.js';
import type { CallDecision, PairReport } from '../compatibility/verdict.js';
import { canonicalJson } from '../base/canonical-json.js';
import { PAIRS_KEPT_MAX, STORES_KEPT_MAX } from '../base/limits.js';
import type { Profile } from '../profile/profile.js';
import { analyseSide, requestSide, type SideRequest } from './analyse.js';
import { describeSummary, type SummaryView } from './describe-summary.js';
import { PipelineError } from './errors.js';
import { factsGuard } from './facts.js';
import type { FactValues, InputValues, SidedInputs } from './inputs.js';
import { requireSemantics } from './languages.js';
import type { Analysed } from './remembered.js';
import { reviewedOf } from './reviewed.js';
import type { OpenRelease, Session } from './session.js';

export interface PairQuestion {
  readonly source: OpenRelease;
  readonly target: OpenRelease;
  readonly profile: Profile;
  readonly inputs: SidedInputs;
  /** Whether equal trees, inputs and dependencies settle the answer; the evaluator must find the same without. */
  readonly shortcut: boolean;
}

type LiteralObject = Extract<Literal, { kind: 'object' }>;

interface Pair {
  readonly source: Analysed;
  readonly target: Analysed;
  readonly reviewed: Reviewed;
  readonly sourceRequest: SideRequest;
}

export interface Answer<Decision> {
  readonly decision: Decision;
  /** Settled by equal trees, inputs and dependencies. */
  readonly byDefinition: boolean;
}

export interface SummaryAnswer extends Analysed {
  /** The name under which this release serves the tool. */
  readonly served: string;
  readonly view: SummaryView;
}

/** Answers questions about pairs, and keeps what it has read for the next question about the same pair. */
export class Pairs {
  readonly #session: Session;
  readonly #kept = new Map<string, Promise<Pair>>();
  readonly #stores = new Map<string, Store>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** One release alone. */
  async summary(open: OpenRelease, profile: Profile, inputs: InputValues): Promise<SummaryAnswer> {
    const request = requestSide(this.#session, open, profile, inputs);
    const { source, reviewed } = await this.#pair(profile, request, request);
    return { ...source, served: request.servedName, view: describeSummary(withInputs(source.summary, inputs, reviewed), reviewed) };
  }

  /** Everything about all supported calls, for programs: with predicates, which take most of the time. */
  async report(question: PairQuestion): Promise<Answer<PairReport>> {
    const { source, target, pair, byDefinition } = await this.#known(question);
    const { arguments: declared, additionalArguments } = question.profile;
    const shape = { arguments: declared.map((argument) => argument.name), additionalArguments };
    const report = reportPair(source, target, shape, pair.reviewed);
    return { decision: byDefinition ? { ...report, verdict: 'compatible' } : report, byDefinition };
  }

  /** The decision table for people. */
  async table(question: PairQuestion, options: TableOptions): Promise<Answer<PairTable>> {
    const { source, target, pair, byDefinition } = await this.#known(question);
    const table = tabulatePair(source, target, pair.reviewed, options);
    return { decision: byDefinition ? { ...table, verdict: 'compatible' } : table, byDefinition };
  }

  async decide(question: PairQuestion, call: Literal, facts: FactValues): Promise<Answer<CallDecision>> {
    const sides = this.#sides(question);
    const { source, target, reviewed, pending } = await this.#pending(question, call, facts, sides);
    const decision = withinArguments(decideCall(source.summary, target.summary, pending, reviewed), question.profile, pending.arguments);
    if (!question.shortcut || !isSameByDefinition(question, ...sides)) return { decision, byDefinition: false };
    return { decision: { ...decision, verdict: 'equal', reasons: [] }, byDefinition: true };
  }

  /** What both releases do in the call, for people. */
  async tell(question: PairQuestion, call: Literal, facts: FactValues): Promise<CallStory> {
    const { source, target, reviewed, pending } = await this.#pending(question, call, facts, this.#sides(question));
    return tellCall(source.summary, target.summary, pending, reviewed);
  }

  async #pending(
    question: PairQuestion,
    call: Literal,
    facts: FactValues,
    sides: readonly [SideRequest, SideRequest],
  ): Promise<Pair & { readonly pending: PendingCall & { readonly arguments: LiteralObject } }> {
    if (call.kind !== 'object')
      throw new PipelineError('call-invalid', 'the arguments of a call are a JSON object', { next: 'Write them as {"name": value}.' });
    const pair = await this.#pair(question.profile, ...sides);
    const declared = factsGuard([pair.source.summary, pair.target.summary], question.profile, pair.sourceRequest.library, facts);
    return { ...pair, pending: { arguments: call, inputs: question.inputs, facts: declared } };
  }

  /** Both summaries with what is known of the deployment put in. */
  async #known(question: PairQuestion): Promise<{ readonly source: Summary; readonly target: Summary; readonly pair: Pair; readonly byDefinition: boolean }> {
    const sides = this.#sides(question);
    const pair = await this.#pair(question.profile, ...sides);
    const known = (summary: Summary, inputs: InputValues): Summary => withInputs(summary, inputs, pair.reviewed);
    return {
      source: known(pair.source.summary, question.inputs.source),
      target: known(pair.target.summary, question.inputs.target),
      pair,
      byDefinition: question.shortcut && isSameByDefinition(question, ...sides),
    };
  }

  #sides({ source, target, profile, inputs }: PairQuestion): readonly [SideRequest, SideRequest] {
    return [requestSide(this.#session, source, profile, inputs.source), requestSide(this.#session, target, profile, inputs.target)];
  }

  #pair(profile: Profile, source: SideRequest, target: SideRequest): Promise<Pair> {
    const key = `${source.key} ${target.key}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= PAIRS_KEPT_MAX && oldest.done !== true) this.#kept.delete(oldest.value);
    const pair = this.#read(profile, source, target);
    this.#kept.set(key, pair);
    return pair;
  }

  /** One store for two releases, so that what they share is the same term and their servers are set up once for all tools. */
  #storeOf(source: SideRequest, target: SideRequest): Store {
    const key = [source, target].map(({ open: { release } }) => `${release.identity.tree}#${release.subpath}`).join(' ');
    const known = this.#stores.get(key);
    if (known !== undefined) return known;
    const oldest = this.#stores.keys().next();
    if (this.#stores.size >= STORES_KEPT_MAX && oldest.done !== true) this.#stores.delete(oldest.value);
    const store = new Store();
    this.#stores.set(key, store);
    return store;
  }

  async #read(profile: Profile, sourceRequest: SideRequest, targetRequest: SideRequest): Promise<Pair> {
    const store = this.#storeOf(sourceRequest, targetRequest);
    const semantics = await requireSemantics(profile.language);
    const source = await analyseSide(this.#session, store, sourceRequest);
    const target = sourceRequest.key === targetRequest.key ? source : await analyseSide(this.#session, store, targetRequest);
    const inventories = this.#session.profiles.inventoriesOf(profile);
    return {
      source,
      target,
      sourceRequest,
      reviewed: reviewedOf({ profile, inventories, semantics, source: sourceRequest.library, target: targetRequest.library }),
    };
  }
}

/** Keys that a profile neither lists nor allows are outside of what it covers. */
function withinArguments(decision: CallDecision, profile: Profile, call: LiteralObject): CallDecision {
  if (profile.additionalArguments) return decision;
  const declared = new Set(profile.arguments.map((argument) => argument.name));
  const strangers = [...call.members.keys()].filter((key) => !declared.has(key));
  if (strangers.length === 0) return decision;
  const message = `The profile covers no argument ${strangers.map((key) => JSON.stringify(key)).join(', ')}.`;
  return {
    ...decision,
    verdict: 'escalated',
    reasons: [{ code: 'outside-domain', message, side: 'both', next: 'Review the call by hand, or widen the profile.' }],
  };
}

/** What is known of the deployment put in; arguments stay open. */
function withInputs(summary: Summary, inputs: InputValues, reviewed: Reviewed): Summary {
  if (inputs.size === 0) return summary;
  const { fold } = reviewed.knowledge;
  const { input } = callSubstitution(summary.store, { arguments: { kind: 'object', members: new Map() }, inputs }, fold);
  return rewriteSummary(summary, new Rewriter(summary.store, fold, input === undefined ? {} : { input }));
}

function isSameByDefinition(question: PairQuestion, source: SideRequest, target: SideRequest): boolean {
  const [left, right] = [question.source.release, question.target.release];
  const same = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);
  return (
    left.identity.tree === right.identity.tree &&
    left.subpath === right.subpath &&
    source.servedName === target.servedName &&
    same(source.dependencies, target.dependencies) &&
    same(Object.fromEntries(question.inputs.source), Object.fromEntries(question.inputs.target))
  );
}
