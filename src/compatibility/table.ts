/**
 * The decision table of a pair for people: few rows, each a set of calls in which the answer and its reasons are the same.
 * Rows are cut along what differs (which effects can happen, what is violated, what stops the analysis), never along
 * facts that make no difference; the first row that fits a call has its answer. `report.ts` has the same answer for programs.
 */
import { CLASS_ROWS_MAX, TABLE_PIECES_MAX } from '../base/limits.js';
import { FALSE, TRUE } from '../analysis/guards.js';
import type { Summary } from '../analysis/summary.js';
import type { Guard, PropositionId } from '../analysis/terms.js';
import { effectsOf, escalationsOf } from './compare.js';
import { cover, cubeGuard, type Cube } from './cubes.js';
import { escalationReasons, factsOf, type Reviewed } from './decide.js';
import { doingsOf, NOTHING_KNOWN, refusedIn, type Doings } from './doings.js';
import { explainViolations, type Explained } from './explain.js';
import { ALWAYS, type Condition, type Fact } from './facts.js';
import { entailed, FactReader } from './read-facts.js';
import { pairVerdict, regionsOf, type Regions } from './regions.js';
import { withinLimits } from './within-limits.js';
import type { PairVerdict, Reason, Verdict } from './verdict.js';

export interface TableRow {
  readonly verdict: Verdict;
  /** Over arguments and inputs, without what `PairTable.common` says. */
  readonly calls: Condition;
  readonly source: Doings;
  readonly target: Doings;
  /** Never empty for `changed` and `escalated`. */
  readonly reasons: readonly Reason[];
  /** Facts about the world on which the answer turns: where the target refuses, or may do more. */
  readonly turnsOn?: Condition;
}

export interface PairTable {
  readonly verdict: PairVerdict;
  /** Holds in the calls of all rows but the last. */
  readonly common: readonly Fact[];
  /** Changes first. The first row whose condition holds for a call is the one of that call; the last one holds all others. */
  readonly rows: readonly TableRow[];
  /** Rows that were left out. */
  readonly more: number;
  /** Inputs that both sides read: the table holds where both have the same value. Sorted. */
  readonly equalInputs: readonly string[];
}

export interface TableOptions {
  /** One row for every case of a condition, instead of few rows. */
  readonly allClasses: boolean;
}

const VERDICT_ORDER: readonly Verdict[] = ['changed', 'escalated', 'narrower', 'equal'];

export function tabulatePair(source: Summary, target: Summary, reviewed: Reviewed, options: TableOptions): PairTable {
  return withinLimits(
    () => new Tabulator(source, target, reviewed, options).table(),
    (reason): PairTable => ({
      verdict: 'escalated',
      common: [],
      rows: [{ verdict: 'escalated', calls: ALWAYS, source: NOTHING_KNOWN, target: NOTHING_KNOWN, reasons: [reason] }],
      more: 0,
      equalInputs: [],
    }),
  );
}

class Tabulator {
  readonly #source: Summary;
  readonly #target: Summary;
  readonly #options: TableOptions;
  readonly #regions: Regions;
  /** Supported and possible, facts about the world included. */
  readonly #runs: Guard;
  readonly #world: ReadonlySet<PropositionId>;
  readonly #sourceOnly: ReadonlySet<PropositionId>;
  readonly #targetOnly: ReadonlySet<PropositionId>;
  readonly #acts: { readonly source: Guard; readonly target: Guard };

  constructor(source: Summary, target: Summary, reviewed: Reviewed, options: TableOptions) {
    const { store } = source;
    this.#source = source;
    this.#target = target;
    this.#options = options;
    this.#regions = regionsOf(source, target, reviewed);
    this.#runs = store.guards.and(this.#regions.comparison.domain, this.#regions.theory);
    this.#world = this.#regions.world;
    this.#sourceOnly = factsOf(source, target, this.#regions.comparison).sourceOnly;
    this.#targetOnly = factsOf(target, source, this.#regions.comparison).sourceOnly;
    this.#acts = { source: this.#may(actsIn(source)), target: this.#may(actsIn(target)) };
  }

  table(): PairTable {
    const { byVerdict, possible } = this.#regions;
    const { guards } = this.#source.store;
    const pieces = VERDICT_ORDER.flatMap((verdict) => this.#pieces(verdict).map((piece) => ({ verdict, piece })));
    const common = this.#common(pieces.slice(0, -1).map(({ piece }) => piece));
    let left = guards.and(possible, cubeGuard(guards, common));
    let more = 0;
    const rows = pieces.flatMap(({ verdict, piece }, index): readonly TableRow[] => {
      const last = index === pieces.length - 1;
      if (!this.#options.allClasses) {
        const calls = last ? ALWAYS : this.#calls(verdict, piece, left, common.length > 0);
        left = guards.and(left, guards.not(piece));
        return [this.#row(verdict, piece, calls)];
      }
      const reader = new FactReader(this.#source.store, left);
      const { cubes, count } = cover(guards, piece, left, CLASS_ROWS_MAX);
      more += count - cubes.length;
      return cubes.map((cube) => this.#row(verdict, guards.and(cubeGuard(guards, cube), piece), { anyOf: [reader.facts(cube)], more: 0, always: [] }));
    });
    const inputs = new Set(this.#target.inputs);
    return {
      verdict: pairVerdict(this.#regions, guards.or(byVerdict.equal, byVerdict.narrower)),
      common: new FactReader(this.#source.store, possible).facts(common),
      rows,
      more,
      equalInputs: this.#source.inputs.filter((name) => inputs.has(name)),
    };
  }

  /** `all` of the calls that are left may be the answer only where something else is said of them. */
  #calls(verdict: Verdict, piece: Guard, left: Guard, all: boolean): Condition {
    const { store } = this.#source;
    const short = new FactReader(store, store.guards.and(left, this.#cared(verdict))).condition(piece);
    return !all && short.anyOf.some((facts) => facts.length === 0) ? new FactReader(store, left).condition(piece) : short;
  }

  /** Calls in which neither side acts need no condition to keep them out: to do nothing is a part of whatever the source does. */
  #cared(verdict: Verdict): Guard {
    const { guards } = this.#source.store;
    if (verdict !== 'narrower') return TRUE;
    return guards.not(guards.all([this.#regions.byVerdict.equal, guards.not(this.#acts.source), guards.not(this.#acts.target)]));
  }

  /** What holds in all of these: which arguments are given and of what type, and what is known of inputs. */
  #common(pieces: readonly Guard[]): Cube {
    const { store } = this.#source;
    const { guards } = store;
    const { possible } = this.#regions;
    const all = guards.any(pieces);
    if (this.#options.allClasses || all === FALSE || cover(guards, all, possible, 2).count < 2) return [];
    return entailed(store, all, possible, (proposition) => {
      const { kind } = store.proposition(proposition);
      return kind === 'has' || kind === 'type' || store.guardSources(guards.variable(proposition)).argumentPaths.size === 0;
    });
  }

  /** Over arguments and inputs: the condition can hold. */
  #may(condition: Guard): Guard {
    const { guards } = this.#source.store;
    return guards.exists(guards.and(condition, this.#runs), this.#world);
  }

  #pieces(verdict: Verdict): readonly Guard[] {
    const { guards } = this.#source.store;
    const region = this.#regions.byVerdict[verdict];
    if (region === FALSE) return [];
    if (this.#options.allClasses) return [region];
    switch (verdict) {
      case 'equal':
        return [region];
      case 'narrower': {
        const gone = guards.and(this.#acts.source, guards.not(this.#acts.target));
        return split([region], [gone], this.#source, guards.and(this.#regions.possible, this.#cared(verdict)));
      }
      case 'changed':
        return split([region], [...this.#violationKinds(), this.#acts.source], this.#source, this.#regions.possible);
      case 'escalated':
        return split([region], this.#stops(), this.#source, this.#regions.possible);
    }
  }

  /** Where a violation can happen, by what it is about. */
  #violationKinds(): readonly Guard[] {
    const byKind = new Map<string, Guard>();
    for (const violation of this.#regions.comparison.violations) {
      const about = violation.kind === 'effect' || violation.kind === 'bound' ? violation.target.outcome.operation : '';
      const key = `${violation.kind} ${about}`;
      byKind.set(key, this.#source.store.guards.or(byKind.get(key) ?? FALSE, violation.when));
    }
    return [...byKind].sort(([left], [right]) => (left < right ? 1 : -1)).map(([, when]) => this.#may(when));
  }

  #stops(): readonly Guard[] {
    const byMessage = new Map<string, Guard>();
    for (const { outcome } of [...escalationsOf(this.#target), ...escalationsOf(this.#source)]) {
      const key = `${outcome.code} ${outcome.message}`;
      byMessage.set(key, this.#source.store.guards.or(byMessage.get(key) ?? FALSE, outcome.when));
    }
    return [...byMessage.values()].map((when) => this.#may(when));
  }

  #row(verdict: Verdict, piece: Guard, calls: Condition): TableRow {
    const { guards } = this.#source.store;
    const { comparison } = this.#regions;
    const here = guards.and(piece, this.#runs);
    const sides: Explained = { source: this.#source, target: this.#target, possible: here };
    const violation = guards.all([here, guards.not(comparison.contained), guards.not(comparison.undecided)]);
    const refusedAnew = guards.all([here, refusedIn(this.#target), guards.not(refusedIn(this.#source))]);
    const source = doingsOf(this.#source, here, { refusedIn: verdict === 'narrower' ? here : violation, conditions: false });
    const target = doingsOf(this.#target, here, { refusedIn: verdict === 'narrower' ? refusedAnew : here, conditions: false });
    switch (verdict) {
      case 'equal':
        return { verdict, calls, source, target, reasons: [] };
      case 'narrower':
        return { verdict, calls, source, target, reasons: [], ...this.#turnsOn(refusedAnew, here, this.#targetOnly) };
      case 'changed':
        return { verdict, calls, source, target, reasons: explainViolations(comparison, sides, guards.witness(violation) ?? new Map<number, boolean>()) };
      case 'escalated': {
        const stops = escalationReasons(this.#source, this.#target, here);
        const violations = violation === FALSE ? [] : explainViolations(comparison, sides, guards.witness(violation)!);
        return { verdict, calls, source, target, reasons: [...stops, ...violations], ...this.#turnsOn(violation, here, this.#sourceOnly) };
      }
    }
  }

  /** `condition` as far as it is about these facts. */
  #turnsOn(condition: Guard, here: Guard, facts: ReadonlySet<PropositionId>): { readonly turnsOn?: Condition } {
    const { store } = this.#source;
    const { guards } = store;
    if (condition === FALSE) return {};
    const others = new Set([...guards.support(condition), ...guards.support(here)].filter((id) => !facts.has(id)));
    const inside = guards.exists(condition, others);
    const possible = guards.exists(here, others);
    if (guards.entails(possible, inside)) return {};
    return { turnsOn: new FactReader(store, possible).condition(inside) };
  }
}

function actsIn(summary: Summary): Guard {
  return summary.store.guards.any(effectsOf(summary).filter((at) => !at.outcome.baseline).map((at) => at.outcome.when));
}

/** Cuts regions along each condition where both parts are short to say: a row that nobody can read helps nobody. */
function split(regions: readonly Guard[], conditions: readonly Guard[], { store }: Summary, possible: Guard): readonly Guard[] {
  const { guards } = store;
  const isShort = (piece: Guard, before: readonly Guard[]): boolean =>
    cover(guards, piece, guards.and(possible, guards.not(guards.any(before))), 1).count <= SPLIT_CASES_MAX;
  let pieces = regions;
  for (const condition of conditions) {
    const cut: Guard[] = [];
    for (const piece of pieces) {
      const parts = [guards.and(piece, condition), guards.and(piece, guards.not(condition))].filter((part) => part !== FALSE);
      if (parts.length > 1 && parts.every((part, at) => isShort(part, [...cut, ...parts.slice(0, at)]))) cut.push(...parts);
      else cut.push(piece);
    }
    if (cut.length > TABLE_PIECES_MAX) break;
    pieces = cut;
  }
  return pieces;
}

/** Cases of a condition that a reader still takes in. */
const SPLIT_CASES_MAX = 3;
