/**
 * A decision diagram as one CEL expression: nested conditionals, with `&&`, `||` and `!` where a branch is constant. Parts
 * that stand in several places are named once by `[part].exists(name, ...)`, a macro that every CEL has.
 */
import { PREDICATE_DEPTH_MAX, PREDICATE_LENGTH_MAX, PREDICATE_SHARED_MAX } from '../base/limits.js';
import { FALSE, TRUE, type Guards } from '../analysis/guards.js';
import type { Guard, PropositionId } from '../analysis/terms.js';

/** Undefined when an atom is missing or the text would be too long or too deep. */
export function printDiagram(guards: Guards, guard: Guard, atomOf: (id: PropositionId) => string | undefined): string | undefined {
  const plain = new DiagramPrinter(guards, atomOf, new Map()).print(guard);
  if (plain !== undefined) return plain;
  return printShared(guards, guard, atomOf);
}

interface Printed {
  readonly text: string;
  readonly depth: number;
  /** Whether it can stand under an operator without parentheses. */
  readonly simple: boolean;
}

class DiagramPrinter {
  private readonly guards: Guards;
  private readonly atomOf: (id: PropositionId) => string | undefined;
  private readonly names: ReadonlyMap<Guard, string>;
  private readonly cache = new Map<Guard, Printed | undefined>();

  constructor(guards: Guards, atomOf: (id: PropositionId) => string | undefined, names: ReadonlyMap<Guard, string>) {
    this.guards = guards;
    this.atomOf = atomOf;
    this.names = names;
  }

  print(guard: Guard, root = true): string | undefined {
    const printed = this.visit(guard, root);
    return printed === undefined || printed.depth > PREDICATE_DEPTH_MAX / 4 ? undefined : printed.text;
  }

  private visit(guard: Guard, root = false): Printed | undefined {
    if (guard === TRUE) return { text: 'true', depth: 0, simple: true };
    if (guard === FALSE) return { text: 'false', depth: 0, simple: true };
    const name = root ? undefined : this.names.get(guard);
    if (name !== undefined) return { text: name, depth: 0, simple: true };
    if (this.cache.has(guard)) return this.cache.get(guard);
    const printed = this.inner(guard);
    const kept = printed !== undefined && printed.text.length <= PREDICATE_LENGTH_MAX ? printed : undefined;
    this.cache.set(guard, kept);
    return kept;
  }

  private inner(guard: Guard): Printed | undefined {
    const node = this.guards.inspect(guard)!;
    const atom = this.atomOf(node.variable);
    const high = this.visit(node.high);
    const low = this.visit(node.low);
    if (atom === undefined || high === undefined || low === undefined) return undefined;
    const test = atom.startsWith('(') || /^[\w.]+$/.test(atom) ? atom : `(${atom})`;
    const depth = Math.max(high.depth, low.depth) + 1;
    const wrap = (part: Printed): string => (part.simple ? part.text : `(${part.text})`);
    if (node.high === TRUE && node.low === FALSE) return { text: test, depth, simple: true };
    if (node.high === FALSE && node.low === TRUE) return { text: `!${test}`, depth, simple: true };
    if (node.low === FALSE) return { text: `${test} && ${wrap(high)}`, depth, simple: false };
    if (node.high === FALSE) return { text: `!${test} && ${wrap(low)}`, depth, simple: false };
    if (node.high === TRUE) return { text: `${test} || ${wrap(low)}`, depth, simple: false };
    if (node.low === TRUE) return { text: `!${test} || ${wrap(high)}`, depth, simple: false };
    return { text: `${test} ? ${wrap(high)} : ${wrap(low)}`, depth, simple: false };
  }
}

/** Names every node that has more than one parent, from the bottom up. */
function printShared(guards: Guards, guard: Guard, atomOf: (id: PropositionId) => string | undefined): string | undefined {
  const shared = sharedNodes(guards, guard);
  if (shared.length === 0 || shared.length > PREDICATE_SHARED_MAX) return undefined;
  const names = new Map<Guard, string>();
  const definitions: { name: string; text: string }[] = [];
  for (const node of shared) {
    const text = new DiagramPrinter(guards, atomOf, names).print(node);
    if (text === undefined) return undefined;
    const name = `n${String(names.size)}`;
    names.set(node, name);
    definitions.push({ name, text });
  }
  let result = new DiagramPrinter(guards, atomOf, names).print(guard);
  for (const { name, text } of definitions.reverse()) {
    if (result === undefined) return undefined;
    result = `[${text}].exists(${name}, ${result})`;
    if (result.length > PREDICATE_LENGTH_MAX) return undefined;
  }
  return result;
}

/** Children before parents. */
function sharedNodes(guards: Guards, root: Guard): Guard[] {
  const parents = new Map<Guard, number>();
  const done: Guard[] = [];
  const seen = new Set<Guard>();
  const visit = (guard: Guard): void => {
    const node = guards.inspect(guard);
    if (node === undefined) return;
    parents.set(guard, (parents.get(guard) ?? 0) + 1);
    if (seen.has(guard)) return;
    seen.add(guard);
    visit(node.high);
    visit(node.low);
    done.push(guard);
  };
  visit(root);
  return done.filter((guard) => guard !== root && (parents.get(guard) ?? 0) > 1);
}
