/**
 * What always holds between propositions, as one guard: it is what makes two diagrams with different words for related
 * facts comparable. Everything here is true of every run; leaving a rule out only makes verdicts more cautious.
 *
 * Rules look at one subject (a term, a call, a loop) at a time, so the work is near linear in the propositions.
 */
import type { Relation } from '../profile/inventory.js';
import type { Fold } from './fold.js';
import { FALSE, TRUE } from './guards.js';
import { Rewriter } from './rewrite.js';
import { termChildren, type Store } from './store.js';
import { pathText } from './store-keys.js';
import { TEXT_TESTS, textOf } from './text-tests.js';
import { TYPE_UNION } from './terms.js';
import type { Guard, JsonType, Proposition, PropositionId, TermId } from './terms.js';

/** What the theory must be told about the world that the summaries come from. */
export interface Knowledge {
  readonly fold: Fold;
  /** Whether every instance of `identity` is one of `ancestor`; true for equal identities. */
  readonly isSubclass: (identity: string, ancestor: string) => boolean;
  /** Known exception classes, so that two unrelated types with a common descendant are not taken for exclusive. */
  readonly classes: readonly string[];
  readonly relations: readonly Relation[];
  /** Extra condition of a relation over its variables; undefined where it cannot be said, and the relation is not used. */
  readonly relationHolds: (store: Store, relation: Relation, variables: ReadonlyMap<string, TermId>) => Guard | undefined;
}

interface Known {
  readonly id: PropositionId;
  readonly proposition: Proposition;
  readonly guard: Guard;
}

export function theoryOf(store: Store, ids: Iterable<PropositionId>, knowledge: Knowledge): Guard {
  return new Theory(store, ids, knowledge).build();
}

/** The propositions that a set of guards mentions. */
export function propositionsOf(store: Store, guards: Iterable<Guard>): Set<PropositionId> {
  const found = new Set<PropositionId>();
  for (const guard of guards) for (const variable of store.guards.support(guard)) found.add(variable);
  return found;
}

const HEX_DIGITS = '0123456789abcdef';
const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'integer', 'float', 'string', 'array', 'object'];

class Theory {
  private readonly store: Store;
  private readonly knowledge: Knowledge;
  private readonly known: Known[];
  private readonly clauses: Guard[] = [];
  private readonly byPath = new Map<string, { path: readonly (string | number)[]; guard: Guard }>();
  private readonly typesOf = new Map<TermId, { is: JsonType; guard: Guard }[]>();
  private readonly typesByPath = new Map<string, { is: JsonType; guard: Guard }[]>();
  private readonly strictPathsOf = new Map<TermId, readonly (readonly (string | number)[])[]>();

  constructor(store: Store, ids: Iterable<PropositionId>, knowledge: Knowledge) {
    this.store = store;
    this.knowledge = knowledge;
    const ordered = store.guards.order(new Set(ids));
    this.known = ordered.map((id) => ({ id, proposition: store.proposition(id), guard: store.guards.variable(id) }));
    for (const { proposition, guard } of this.known) {
      if (proposition.kind !== 'type') continue;
      push(this.typesOf, proposition.of, { is: proposition.is, guard });
      const of = store.term(proposition.of);
      if (of.kind === 'argument') push(this.typesByPath, pathText(of.path), { is: proposition.is, guard });
    }
  }

  build(): Guard {
    this.presence();
    this.types();
    this.constants();
    this.texts();
    this.throwing();
    this.exits();
    this.relations();
    // Clauses whose variables are neighbours in the order are joined first, so that the diagram grows from small pieces.
    return this.store.guards.all(this.clauses);
  }

  private imply(premise: Guard, conclusion: Guard): void {
    const clause = this.store.guards.implies(premise, conclusion);
    if (clause !== TRUE) this.clauses.push(clause);
  }
  private exclude(left: Guard, right: Guard): void {
    this.imply(left, this.store.guards.not(right));
  }
  private atMostOne(choices: readonly Guard[]): void {
    const { guards } = this.store;
    let seen: Guard = FALSE;
    for (const choice of choices) {
      this.exclude(choice, seen);
      seen = guards.or(seen, choice);
    }
  }

  /** A path needs its prefixes, and any proposition about a value needs the value. */
  private presence(): void {
    for (const { proposition, guard } of this.known)
      if (proposition.kind === 'has') this.byPath.set(pathText(proposition.path), { path: proposition.path, guard });
    for (const { path, guard } of this.byPath.values()) {
      const parent = this.nearestPrefix(path.slice(0, -1));
      if (parent !== undefined) this.imply(guard, parent);
      this.containerOf(path, guard);
    }
    for (const { proposition, guard } of this.known) {
      for (const term of subjects(proposition)) {
        for (const path of this.strictPaths(term)) {
          const parent = this.nearestPrefix(path);
          if (parent !== undefined) this.imply(guard, parent);
          this.containerOf(path, guard);
        }
      }
    }
  }

  private nearestPrefix(path: readonly (string | number)[]): Guard | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const found = this.byPath.get(pathText(path.slice(0, length)));
      if (found !== undefined) return found.guard;
    }
    return undefined;
  }

  /** What has a member at this path is an object or an array. */
  private containerOf(path: readonly (string | number)[], guard: Guard): void {
    for (let length = path.length - 1; length > 0; length -= 1) {
      const text = pathText(path.slice(0, length));
      const wanted: JsonType = typeof path[length] === 'number' ? 'array' : 'object';
      for (const type of this.typesByPath.get(text) ?? []) if (type.is !== wanted) this.exclude(guard, type.guard);
    }
  }

  /** Argument paths without which a term has no value; what stands under a condition does not count. */
  private strictPaths(id: TermId): readonly (readonly (string | number)[])[] {
    const before = this.strictPathsOf.get(id);
    if (before !== undefined) return before;
    const found = new Map<string, readonly (string | number)[]>();
    const seen = new Set<TermId>();
    const stack = [id];
    while (stack.length > 0) {
      const next = stack.pop()!;
      if (seen.has(next)) continue;
      seen.add(next);
      const term = this.store.term(next);
      if (term.kind === 'argument' && term.path.length > 0) found.set(pathText(term.path), term.path);
      if (term.kind === 'apply' || term.kind === 'element' || term.kind === 'error') stack.push(...termChildren(term).terms);
      // The world of a call and what it discloses may mention values that are not there.
      if (term.kind === 'observe' || term.kind === 'fresh' || term.kind === 'opaque') stack.push(...term.args);
    }
    const paths = [...found.values()];
    this.strictPathsOf.set(id, paths);
    return paths;
  }

  /** One value has one type. */
  private types(): void {
    for (const [subject, types] of this.typesOf) {
      this.atMostOne(types.map((type) => type.guard));
      const term = this.store.term(subject);
      if (term.kind !== 'argument' || types.length < JSON_TYPES.length) continue;
      const present = this.byPath.get(pathText(term.path));
      if (present !== undefined) this.imply(present.guard, this.store.guards.any(types.map((type) => type.guard)));
    }
  }

  /** A value that equals a constant equals no other, and every proposition about it is settled. */
  private constants(): void {
    const bySubject = new Map<TermId, { constant: TermId; guard: Guard; id: PropositionId }[]>();
    for (const { id, proposition, guard } of this.known) {
      // Being null is spelled as a type.
      if (proposition.kind === 'type' && proposition.is === 'null') push(bySubject, proposition.of, { constant: this.store.null, guard, id });
      if (proposition.kind !== 'equal') continue;
      const { left, right } = proposition;
      if (this.store.term(left).kind === 'constant') push(bySubject, right, { constant: left, guard, id });
      else if (this.store.term(right).kind === 'constant') push(bySubject, left, { constant: right, guard, id });
    }
    if (bySubject.size === 0) return;
    const users = this.usersOf(new Set(bySubject.keys()));
    for (const [subject, equals] of bySubject) {
      this.atMostOne(equals.map((e) => e.guard));
      for (const { constant, guard, id } of equals) {
        const rewriter = new Rewriter(this.store, this.knowledge.fold, { terms: new Map([[subject, constant]]) });
        for (const user of users.get(subject) ?? []) {
          if (user.id === id) continue;
          const settled = rewriter.proposition(user.id);
          if (settled === TRUE) this.imply(guard, user.guard);
          else if (settled === FALSE) this.exclude(guard, user.guard);
        }
      }
      this.booleanCases(subject, equals);
    }
  }

  /** A boolean is true or false. */
  private booleanCases(subject: TermId, equals: readonly { constant: TermId; guard: Guard }[]): void {
    const isTrue = equals.find((e) => e.constant === this.store.true);
    const isFalse = equals.find((e) => e.constant === this.store.false);
    if (isTrue === undefined || isFalse === undefined) return;
    const type = this.typesOf.get(subject)?.find((candidate) => candidate.is === 'boolean');
    if (type !== undefined) this.imply(type.guard, this.store.guards.or(isTrue.guard, isFalse.guard));
  }

  /** Which propositions mention each of these terms (other than deep inside loops, which are left alone). */
  private usersOf(wanted: ReadonlySet<TermId>): Map<TermId, Known[]> {
    const users = new Map<TermId, Known[]>();
    for (const known of this.known) {
      const { proposition } = known;
      if (proposition.kind !== 'type' && proposition.kind !== 'equal' && proposition.kind !== 'test') continue;
      const seen = new Set<TermId>();
      const stack = [...subjects(proposition)];
      while (stack.length > 0) {
        const next = stack.pop()!;
        if (seen.has(next)) continue;
        seen.add(next);
        if (wanted.has(next)) push(users, next, known);
        const term = this.store.term(next);
        if (term.kind === 'apply' || term.kind === 'list' || term.kind === 'record') stack.push(...termChildren(term).terms);
      }
    }
    return users;
  }

  /** Tests over one text with literal operands. */
  private texts(): void {
    const bySubject = new Map<TermId, { fn: string; operand: string; guard: Guard }[]>();
    for (const { proposition, guard } of this.known) {
      if (proposition.kind !== 'test' || !TEXT_TESTS.has(proposition.fn)) continue;
      const [subject, operand] = proposition.args;
      if (subject === undefined) continue;
      // Only text passes a test over text.
      for (const type of this.typesOf.get(subject) ?? []) {
        if (type.is === 'string') this.imply(guard, type.guard);
        else this.exclude(guard, type.guard);
      }
      const text = operand === undefined ? '' : this.operandText(operand);
      if (text !== undefined) push(bySubject, subject, { fn: proposition.fn.slice('text.'.length), operand: text, guard });
    }
    for (const tests of bySubject.values()) {
      for (const left of tests) for (const right of tests) if (left !== right) this.textPair(left, right);
    }
  }

  private operandText(id: TermId): string | undefined {
    const term = this.store.term(id);
    return textOf(this.store, id) ?? (term.kind === 'constant' && term.value.type === 'int' ? term.value.value : undefined);
  }

  /** `left` and `right` hold of one text. */
  private textPair(left: TextTest, right: TextTest): void {
    const [a, b] = [left.operand, right.operand];
    const pair = `${left.fn} ${right.fn}`;
    const isHexText = (text: string): boolean => /^[0-9a-f]*$/.test(text);
    switch (pair) {
      case 'startsWith startsWith':
        if (a.startsWith(b)) this.imply(left.guard, right.guard);
        else if (!b.startsWith(a)) this.exclude(left.guard, right.guard);
        return;
      case 'endsWith endsWith':
        if (a.endsWith(b)) this.imply(left.guard, right.guard);
        else if (!b.endsWith(a)) this.exclude(left.guard, right.guard);
        return;
      case 'contains contains':
      case 'startsWith contains':
      case 'endsWith contains':
        if (a.includes(b)) this.imply(left.guard, right.guard);
        return;
      case 'isHex isHex':
        if (a !== b) this.exclude(left.guard, right.guard);
        return;
      case 'isHex startsWith':
      case 'isHex endsWith':
      case 'isHex contains':
        if (!isHexText(b) || b.length > Number(a)) this.exclude(left.guard, right.guard);
        return;
      case 'isHex only':
        if (Array.from(HEX_DIGITS).every((digit) => b.includes(digit))) this.imply(left.guard, right.guard);
        return;
      case 'only only':
        if ([...a].every((character) => b.includes(character))) this.imply(left.guard, right.guard);
        return;
      case 'only startsWith':
      case 'only endsWith':
      case 'only contains':
        if ([...b].some((character) => !a.includes(character))) this.exclude(left.guard, right.guard);
        return;
      case 'isEmpty startsWith':
      case 'isEmpty endsWith':
      case 'isEmpty contains':
        if (b !== '') this.exclude(left.guard, right.guard);
        return;
      case 'isEmpty only':
        this.imply(left.guard, right.guard);
        return;
      case 'isEmpty isHex':
        if (b !== '0') this.exclude(left.guard, right.guard);
        return;
      default:
        return;
    }
  }

  /** Every exception of the one type, or of one of several, is of the other. */
  private isSubtype(type: string, ancestor: string): boolean {
    const ancestors = ancestor.split(TYPE_UNION);
    return type.split(TYPE_UNION).every((one) => ancestors.some((other) => this.knowledge.isSubclass(one, other)));
  }

  /** One call throws at most one exception. */
  private throwing(): void {
    const byCall = new Map<TermId, { type: string | undefined; guard: Guard }[]>();
    for (const { proposition, guard } of this.known) if (proposition.kind === 'throws') push(byCall, proposition.call, { type: proposition.type, guard });
    for (const all of byCall.values()) {
      for (const left of all) {
        if (left.type === undefined) continue;
        for (const right of all) {
          if (left === right) continue;
          if (right.type === undefined || this.isSubtype(left.type, right.type)) this.imply(left.guard, right.guard);
          else if (this.exclusive(left.type, right.type)) this.exclude(left.guard, right.guard);
        }
      }
    }
  }

  private exclusive(left: string, right: string): boolean {
    if (this.isSubtype(left, right) || this.isSubtype(right, left)) return false;
    return !this.knowledge.classes.some((identity) => this.isSubtype(identity, left) && this.isSubtype(identity, right));
  }

  /** A loop is left by one exit. */
  private exits(): void {
    const byLoop = new Map<number, Guard[]>();
    for (const { proposition, guard } of this.known) if (proposition.kind === 'exists') push(byLoop, proposition.loop, guard);
    for (const exits of byLoop.values()) this.atMostOne(exits);
  }

  /** Reviewed implications between the throws of two calls in the same world. */
  private relations(): void {
    if (this.knowledge.relations.length === 0) return;
    const byCallee = new Map<string, { call: TermId; type: string | undefined; guard: Guard }[]>();
    for (const { proposition, guard } of this.known) {
      if (proposition.kind !== 'throws') continue;
      const call = this.store.term(proposition.call);
      if (call.kind === 'observe') push(byCallee, call.behaviour.callee, { call: proposition.call, type: proposition.type, guard });
    }
    for (const relation of this.knowledge.relations) {
      for (const premise of byCallee.get(relation.if.callee) ?? []) {
        if (relation.if.type !== undefined && (premise.type === undefined || !this.isSubtype(premise.type, relation.if.type))) continue;
        for (const conclusion of byCallee.get(relation.implies.callee) ?? []) {
          const { type } = relation.implies;
          if (conclusion.type !== undefined && (type === undefined || !this.isSubtype(type, conclusion.type))) continue;
          const variables = this.match(relation, premise.call, conclusion.call);
          if (variables === undefined) continue;
          const when = relation.when === undefined ? TRUE : this.knowledge.relationHolds(this.store, relation, variables);
          if (when !== undefined) this.imply(this.store.guards.and(when, premise.guard), conclusion.guard);
        }
      }
    }
  }

  private match(relation: Relation, premise: TermId, conclusion: TermId): Map<string, TermId> | undefined {
    const [left, right] = [this.store.term(premise), this.store.term(conclusion)];
    if (left.kind !== 'observe' || right.kind !== 'observe' || left.world !== right.world) return undefined;
    const variables = new Map<string, TermId>();
    const bind = (patterns: readonly string[], args: readonly TermId[]): boolean => {
      // A function has no receiver, and its patterns name none.
      const actual = patterns.length === args.length - 1 && args[0] === this.store.null ? args.slice(1) : args;
      return (
        patterns.length === actual.length &&
        patterns.every((pattern, at) => {
          if (pattern === '_') return true;
          const before = variables.get(pattern);
          if (before === undefined) variables.set(pattern, actual[at]!);
          return before === undefined || before === actual[at];
        })
      );
    };
    return bind(relation.if.arguments, left.args) && bind(relation.implies.arguments, right.args) ? variables : undefined;
  }
}

interface TextTest {
  readonly fn: string;
  readonly operand: string;
  readonly guard: Guard;
}

function subjects(proposition: Proposition): readonly TermId[] {
  switch (proposition.kind) {
    case 'has':
    case 'exists':
      return [];
    case 'type':
      return [proposition.of];
    case 'equal':
      return [proposition.left, proposition.right];
    case 'test':
      return proposition.args;
    case 'throws':
      return [proposition.call];
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
