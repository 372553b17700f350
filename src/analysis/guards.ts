/**
 * Reduced ordered binary decision diagrams over propositions.
 *
 * Canonical: two formulas are equivalent exactly when they are the same node. The variable order is the order of the
 * variables' text keys, never the order of discovery, so the same code gives the same diagram whatever else was seen.
 * The diagrams know nothing of what a variable means; relations between propositions are a guard of their own (theory.ts).
 */
import { FcdError } from '../base/errors.js';
import { GUARD_NODES_MAX } from '../base/limits.js';

export const FALSE = 0;
export const TRUE = 1;

/**
 * Slots of the operation cache at first and at most, powers of two. An entry that is lost only costs time, but a cache that
 * is small beside the diagrams makes that time exponential: it grows with the nodes.
 */
const OPERATION_SLOTS_MIN = 1 << 14;
const OPERATION_SLOTS_MAX = 1 << 22;
/** Slots for each node. */
const OPERATION_SLOTS_A_NODE = 4;
/** Stands for the third operand of `constrain` in the cache of operations. */
const CONSTRAIN = -1;

export class Guards {
  private variableOf = new Int32Array(1024);
  private highOf = new Int32Array(1024);
  private lowOf = new Int32Array(1024);
  private count = 2;
  /** Open addressing over node ids; 0 is an empty slot, since the constants are never looked up. */
  private unique = new Int32Array(4096);
  private operationMask = OPERATION_SLOTS_MIN - 1;
  private operationTest = new Int32Array(OPERATION_SLOTS_MIN);
  private operationThen = new Int32Array(OPERATION_SLOTS_MIN);
  private operationOtherwise = new Int32Array(OPERATION_SLOTS_MIN);
  private operationResult = new Int32Array(OPERATION_SLOTS_MIN);
  private readonly keys: string[] = [];
  private ranks: number[] = [];
  private readonly sorted: number[] = [];

  /** Declares a variable; `key` decides its place in the order and must be unique. Returns its index. */
  declare(key: string): number {
    const index = this.keys.length;
    this.keys.push(key);
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[this.sorted[middle]!] as string) < key) low = middle + 1;
      else high = middle;
    }
    this.sorted.splice(low, 0, index);
    // Inserting shifts ranks but keeps their relative order, so existing nodes stay ordered.
    for (let at = low; at < this.sorted.length; at += 1) this.ranks[this.sorted[at]!] = at;
    return index;
  }

  variable(index: number): number {
    return this.node(index, TRUE, FALSE);
  }

  private node(variable: number, high: number, low: number): number {
    if (high === low) return high;
    const mask = this.unique.length - 1;
    let slot = hash(variable, high, low) & mask;
    for (;;) {
      const id = this.unique[slot]!;
      if (id === 0) break;
      if (this.variableOf[id] === variable && this.highOf[id] === high && this.lowOf[id] === low) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.count;
    if (id > GUARD_NODES_MAX) throw new FcdError('guard-limit', `a guard needs more than ${String(GUARD_NODES_MAX)} diagram nodes`);
    this.count += 1;
    if (id >= this.variableOf.length) this.growNodes();
    this.variableOf[id] = variable;
    this.highOf[id] = high;
    this.lowOf[id] = low;
    this.unique[slot] = id;
    if (this.count * 2 > this.unique.length) this.growUnique();
    if (this.count * OPERATION_SLOTS_A_NODE > this.operationMask && this.operationMask + 1 < OPERATION_SLOTS_MAX) this.growOperations();
    return id;
  }

  private growNodes(): void {
    const grow = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.variableOf = grow(this.variableOf);
    this.highOf = grow(this.highOf);
    this.lowOf = grow(this.lowOf);
  }

  private growUnique(): void {
    const table = new Int32Array(this.unique.length * 4);
    const mask = table.length - 1;
    for (let id = 2; id < this.count; id += 1) {
      let slot = hash(this.variableOf[id]!, this.highOf[id]!, this.lowOf[id]!) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = id;
    }
    this.unique = table;
  }

  private growOperations(): void {
    const old = { test: this.operationTest, then: this.operationThen, otherwise: this.operationOtherwise, result: this.operationResult };
    const slots = (this.operationMask + 1) * 4;
    this.operationMask = slots - 1;
    this.operationTest = new Int32Array(slots);
    this.operationThen = new Int32Array(slots);
    this.operationOtherwise = new Int32Array(slots);
    this.operationResult = new Int32Array(slots);
    for (let slot = 0; slot < old.test.length; slot += 1)
      if (old.test[slot] !== 0) this.remember(old.test[slot]!, old.then[slot]!, old.otherwise[slot]!, old.result[slot]!);
  }

  /** The result of an operation that was done before; its first operand is never a constant. */
  private recall(first: number, second: number, third: number): number | undefined {
    const slot = hash(first, second, third) & this.operationMask;
    return this.operationTest[slot] === first && this.operationThen[slot] === second && this.operationOtherwise[slot] === third
      ? this.operationResult[slot]!
      : undefined;
  }
  private remember(first: number, second: number, third: number, result: number): void {
    const slot = hash(first, second, third) & this.operationMask;
    this.operationTest[slot] = first;
    this.operationThen[slot] = second;
    this.operationOtherwise[slot] = third;
    this.operationResult[slot] = result;
  }

  /** Variable, high and low branch of an inner node. */
  inspect(guard: number): { variable: number; high: number; low: number } | undefined {
    if (guard <= TRUE) return undefined;
    return { variable: this.variableOf[guard]!, high: this.highOf[guard]!, low: this.lowOf[guard]! };
  }

  private rank(guard: number): number {
    return guard <= TRUE ? Number.POSITIVE_INFINITY : this.ranks[this.variableOf[guard]!]!;
  }

  ite(test: number, then: number, otherwise: number): number {
    if (test === TRUE) return then;
    if (test === FALSE) return otherwise;
    if (then === otherwise) return then;
    if (then === TRUE && otherwise === FALSE) return test;
    if (test === then) then = TRUE;
    if (test === otherwise) otherwise = FALSE;
    const known = this.recall(test, then, otherwise);
    if (known !== undefined) return known;
    const top = Math.min(this.rank(test), this.rank(then), this.rank(otherwise));
    const variable = this.sorted[top]!;
    const high = this.ite(this.cofactor(test, variable, true), this.cofactor(then, variable, true), this.cofactor(otherwise, variable, true));
    const low = this.ite(this.cofactor(test, variable, false), this.cofactor(then, variable, false), this.cofactor(otherwise, variable, false));
    const result = this.node(variable, high, low);
    this.remember(test, then, otherwise, result);
    return result;
  }

  /** Only for a variable at or above the top of `guard`. */
  private cofactor(guard: number, variable: number, value: boolean): number {
    if (guard <= TRUE || this.variableOf[guard] !== variable) return guard;
    return value ? this.highOf[guard]! : this.lowOf[guard]!;
  }

  not(guard: number): number {
    return this.ite(guard, FALSE, TRUE);
  }
  and(left: number, right: number): number {
    return this.ite(left, right, FALSE);
  }
  or(left: number, right: number): number {
    return this.ite(left, TRUE, right);
  }
  xor(left: number, right: number): number {
    return this.ite(left, this.not(right), right);
  }
  implies(left: number, right: number): number {
    return this.ite(left, right, TRUE);
  }
  all(guards: Iterable<number>): number {
    let result = TRUE;
    for (const guard of guards) result = this.and(result, guard);
    return result;
  }
  any(guards: Iterable<number>): number {
    let result = FALSE;
    for (const guard of guards) result = this.or(result, guard);
    return result;
  }
  /** True when `left` holds only where `right` does. */
  entails(left: number, right: number): boolean {
    return this.ite(left, right, TRUE) === TRUE;
  }
  disjoint(left: number, right: number): boolean {
    return this.and(left, right) === FALSE;
  }

  /** The formula with a variable fixed. */
  restrict(guard: number, variable: number, value: boolean): number {
    return this.map(guard, (index) => (index === variable ? (value ? TRUE : FALSE) : undefined));
  }

  /** Replaces variables by formulas (undefined keeps the variable). */
  map(guard: number, replace: (variable: number) => number | undefined): number {
    const cache = new Map<number, number>();
    const visit = (node: number): number => {
      if (node <= TRUE) return node;
      const known = cache.get(node);
      if (known !== undefined) return known;
      const variable = this.variableOf[node]!;
      const test = replace(variable) ?? this.variable(variable);
      const result = this.ite(test, visit(this.highOf[node]!), visit(this.lowOf[node]!));
      cache.set(node, result);
      return result;
    };
    return visit(guard);
  }

  exists(guard: number, variables: ReadonlySet<number>): number {
    return this.quantify(guard, variables, (high, low) => this.or(high, low));
  }
  forAll(guard: number, variables: ReadonlySet<number>): number {
    return this.quantify(guard, variables, (high, low) => this.and(high, low));
  }
  private quantify(guard: number, variables: ReadonlySet<number>, combine: (high: number, low: number) => number): number {
    const cache = new Map<number, number>();
    const visit = (node: number): number => {
      if (node <= TRUE) return node;
      const known = cache.get(node);
      if (known !== undefined) return known;
      const variable = this.variableOf[node]!;
      const high = visit(this.highOf[node]!);
      const low = visit(this.lowOf[node]!);
      const result = variables.has(variable) ? combine(high, low) : this.node(variable, high, low);
      cache.set(node, result);
      return result;
    };
    return visit(guard);
  }

  /**
   * A formula that agrees with `guard` wherever `care` holds, canonical for the pair, without variables that only `care`
   * has (Coudert and Madre's restriction). It lets the condition of a merge forget the path that led to both branches.
   */
  constrain(guard: number, care: number): number {
    if (care === TRUE || guard <= TRUE) return guard;
    if (care === FALSE) return FALSE;
    if (guard === care) return TRUE;
    const known = this.recall(guard, care, CONSTRAIN);
    if (known !== undefined) return known;
    const careRank = this.rank(care);
    const guardRank = this.rank(guard);
    const variable = this.sorted[Math.min(careRank, guardRank)]!;
    const careHigh = this.cofactor(care, variable, true);
    const careLow = this.cofactor(care, variable, false);
    let result: number;
    if (careHigh === FALSE) result = this.constrain(this.cofactor(guard, variable, false), careLow);
    else if (careLow === FALSE) result = this.constrain(this.cofactor(guard, variable, true), careHigh);
    else if (careRank < guardRank) result = this.constrain(guard, this.or(careHigh, careLow));
    else
      result = this.node(
        variable,
        this.constrain(this.cofactor(guard, variable, true), careHigh),
        this.constrain(this.cofactor(guard, variable, false), careLow),
      );
    this.remember(guard, care, CONSTRAIN, result);
    return result;
  }

  support(guard: number): Set<number> {
    const seen = new Set<number>();
    const variables = new Set<number>();
    const stack = [guard];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (node <= TRUE || seen.has(node)) continue;
      seen.add(node);
      variables.add(this.variableOf[node]!);
      stack.push(this.highOf[node]!, this.lowOf[node]!);
    }
    return variables;
  }

  /** One satisfying assignment (variables not mentioned are free), or undefined. */
  witness(guard: number): Map<number, boolean> | undefined {
    if (guard === FALSE) return undefined;
    const assignment = new Map<number, boolean>();
    let node = guard;
    while (node > TRUE) {
      const high = this.highOf[node]!;
      const takeHigh = high !== FALSE;
      assignment.set(this.variableOf[node]!, takeHigh);
      node = takeHigh ? high : this.lowOf[node]!;
    }
    return assignment;
  }

  evaluate(guard: number, valueOf: (variable: number) => boolean): boolean {
    let node = guard;
    while (node > TRUE) node = valueOf(this.variableOf[node]!) ? this.highOf[node]! : this.lowOf[node]!;
    return node === TRUE;
  }

  /** Variables from first to last in the canonical order. */
  order(variables: Iterable<number>): number[] {
    return [...variables].sort((left, right) => this.ranks[left]! - this.ranks[right]!);
  }

  /** Nodes of all diagrams that were made so far. */
  get nodeCount(): number {
    return this.count;
  }

  size(guard: number): number {
    const seen = new Set<number>();
    const stack = [guard];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (node <= TRUE || seen.has(node)) continue;
      seen.add(node);
      stack.push(this.highOf[node]!, this.lowOf[node]!);
    }
    return seen.size;
  }
}

function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
