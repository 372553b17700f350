/** Runs a small Python program through the frontend and the evaluator with the shipped inventories, for tests. */
import { readdirSync, readFileSync } from 'node:fs';
import '../../../../src/analysis/summarize.js';
import { BoundLibrary } from '../../../../src/analysis/bound-library.js';
import { makeClosure } from '../../../../src/analysis/closures.js';
import { literalTerm, parseLiteral } from '../../../../src/analysis/literal.js';
import { Machine } from '../../../../src/analysis/machine.js';
import { beginCall, NOWHERE } from '../../../../src/analysis/setup.js';
import { Store } from '../../../../src/analysis/store.js';
import type { Guard, TermId } from '../../../../src/analysis/terms.js';
import { awaitValue } from '../../../../src/analysis/expressions.js';
import { pythonFrontend } from '../../../../src/frontends/python/lower.js';
import { InventorySet } from '../../../../src/profile/inventory-set.js';
import { loadInventory } from '../../../../src/profile/load.js';
import { pythonSemantics } from '../../../../src/semantics/python/index.js';

const folder = new URL('../../../../profiles/inventories/', import.meta.url);
let inventories: InventorySet | undefined;

function inventorySet(): InventorySet {
  inventories ??= new InventorySet(
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => loadInventory({ file: name, text: readFileSync(new URL(name, folder), 'utf8') }).inventory)
      .filter((inventory) => inventory.language === 'python'),
  );
  return inventories;
}

export interface Ran {
  readonly machine: Machine;
  readonly store: Store;
  readonly returned: TermId | undefined;
  readonly returnsWhen: Guard;
  readonly thrown: TermId | undefined;
  readonly throwsWhen: Guard;
  readonly stops: readonly { readonly code: string; readonly message: string; readonly when: Guard }[];
}

export async function newMachine(source: string): Promise<Machine> {
  const program = await pythonFrontend.lower({ files: [{ path: 'm.py', text: source }], roots: [''] });
  return new Machine(new Store(), program, new BoundLibrary(inventorySet(), () => '2.0.0'), pythonSemantics);
}

/** Calls the function of module `m` with arguments made from the machine. */
export async function runPython(source: string, name: string, makeArguments: (machine: Machine) => readonly TermId[]): Promise<Ran> {
  return runFunction(await newMachine(source), name, makeArguments);
}

export function runFunction(machine: Machine, name: string, makeArguments: (machine: Machine) => readonly TermId[]): Ran {
  const { store } = machine;
  beginCall(machine);
  machine.outcomes = [];
  const args = makeArguments(machine);
  const exits = machine.collect(() => {
    const closure = makeClosure(machine, `m#${name}`, NOWHERE);
    const value = awaitValue(machine, machine.call(closure, { positional: args.map((value) => ({ kind: 'value', value })), keywords: [] }, NOWHERE), NOWHERE);
    machine.leave('return', value);
  });
  let returned: TermId | undefined;
  if (exits.returns !== undefined) {
    machine.cur = exits.returns.state;
    returned = machine.freeze(exits.returns.value);
  }
  const stops = machine.outcomes.flatMap(({ outcome }) =>
    outcome.kind === 'escalate' ? [{ code: outcome.code, message: outcome.message, when: outcome.when }] : [],
  );
  let thrown: TermId | undefined;
  if (exits.throws !== undefined) {
    machine.cur = exits.throws.state;
    thrown = exits.throws.value;
  }
  return { machine, store, returned, returnsWhen: exits.returns?.state.guard ?? 0, thrown, throwsWhen: exits.throws?.state.guard ?? 0, stops };
}

/** The call's arguments object. */
export function argumentsOf(machine: Machine): TermId {
  const { store } = machine;
  return machine.newRecord(store.intern({ kind: 'record', fields: [], rest: store.intern({ kind: 'argument', path: [] }) }));
}

/** A JSON text as a constant; lists and objects as heap objects, as a program would build them. */
export function fromJson(machine: Machine, text: string): TermId {
  const build = (id: TermId): TermId => {
    const term = machine.store.term(id);
    if (term.kind === 'list')
      return machine.newList(
        machine.store.intern({ ...term, segments: term.segments.map((s) => (s.kind === 'items' ? { ...s, items: s.items.map(build) } : s)) }),
      );
    if (term.kind === 'record') return machine.newRecord(machine.store.intern({ ...term, fields: term.fields.map((f) => ({ ...f, value: build(f.value) })) }));
    return id;
  };
  return build(literalTerm(machine.store, parseLiteral(text)));
}

/** A constant term in a shape that compares with what the reference interpreter prints; undefined for symbolic terms. */
export function toPlain(store: Store, id: TermId): unknown {
  const term = store.term(id);
  if (term.kind === 'constant') {
    switch (term.value.type) {
      case 'null':
      case 'undefined':
        return null;
      case 'boolean':
      case 'string':
        return term.value.value;
      case 'int':
        return { int: term.value.value };
      case 'float':
        return { float: String(term.value.value) };
      case 'bytes':
        return { bytes: term.value.hex };
      case 'special':
        return { special: term.value.name };
    }
  }
  if (term.kind === 'list') {
    const items = term.segments.flatMap((s) => (s.kind === 'items' && s.when === 1 ? s.items.map((item) => toPlain(store, item)) : [undefined]));
    return items.includes(undefined) ? undefined : { [term.as]: term.as === 'set' ? [...new Set(items.map((item) => JSON.stringify(item)))].sort() : items };
  }
  if (term.kind === 'record' && term.rest === undefined && term.fields.every((field) => field.when === 1)) {
    const pairs = term.fields.map((field) => [toPlain(store, field.key), toPlain(store, field.value)]);
    return pairs.flat().includes(undefined) ? undefined : { dict: pairs };
  }
  return undefined;
}
