/** Classes with their bases, from several inventories. Subclassing has three answers: yes, no, and not known. */
import { findingAt, ProfileError } from './finding.js';
import type { Inventory } from './inventory.js';

export class ClassTable {
  readonly #bases = new Map<string, readonly string[]>();

  constructor(inventories: readonly Inventory[], canonical: (identity: string) => string) {
    for (const inventory of inventories) {
      for (const [identity, bases] of inventory.classes) {
        const name = canonical(identity);
        const names = bases.map(canonical);
        const known = this.#bases.get(name);
        if (known !== undefined && known.join(' ') !== names.join(' ')) {
          throw classError('inventory-conflict', `the class "${name}" has different bases in two inventories`, 'Declare it in one of them.');
        }
        this.#bases.set(name, names);
      }
    }
    for (const identity of this.#bases.keys()) this.#refuseCycle(identity, []);
  }

  has(identity: string): boolean {
    return this.#bases.has(identity);
  }

  identities(): Iterable<string> {
    return this.#bases.keys();
  }

  isSubclass(identity: string, ancestor: string): boolean | undefined {
    const lineage = this.lineage(identity);
    if (lineage.includes(ancestor)) return true;
    return lineage.every((member) => this.#bases.has(member)) ? false : undefined;
  }

  lineage(identity: string): readonly string[] {
    const lineage = new Set([identity]);
    // A set is walked in insertion order, also over what is added meanwhile: breadth first.
    for (const member of lineage) for (const base of this.#bases.get(member) ?? []) lineage.add(base);
    return [...lineage];
  }

  #refuseCycle(identity: string, path: readonly string[]): void {
    if (path.includes(identity)) {
      throw classError('class-cycle', `the class "${identity}" is its own ancestor: ${[...path, identity].join(' -> ')}`, 'Correct the bases.');
    }
    for (const base of this.#bases.get(identity) ?? []) this.#refuseCycle(base, [...path, identity]);
  }
}

function classError(code: 'class-cycle' | 'inventory-conflict', message: string, fix: string): ProfileError {
  return new ProfileError(findingAt({ file: 'inventories' }, code, message, fix));
}
