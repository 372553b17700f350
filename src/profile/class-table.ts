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
    this.#refuseCycles();
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

  /** Takes away what has no base left, again and again; what then remains is in a circle or derives from one. */
  #refuseCycles(): void {
    const derived = new Map<string, string[]>();
    const missing = new Map<string, number>();
    const free: string[] = [];
    for (const [identity, bases] of this.#bases) {
      const declared = bases.filter((base) => this.#bases.has(base));
      missing.set(identity, declared.length);
      if (declared.length === 0) free.push(identity);
      for (const base of declared) derived.set(base, [...(derived.get(base) ?? []), identity]);
    }
    for (let identity = free.pop(); identity !== undefined; identity = free.pop()) {
      missing.delete(identity);
      for (const child of derived.get(identity) ?? []) {
        const left = (missing.get(child) ?? 0) - 1;
        missing.set(child, left);
        if (left === 0) free.push(child);
      }
    }
    const [first] = missing.keys();
    if (first !== undefined) throw classError('class-cycle', `the class "${first}" is, or derives from, its own ancestor`, 'Correct the bases.');
  }
}

function classError(code: 'class-cycle' | 'inventory-conflict', message: string, fix: string): ProfileError {
  return new ProfileError(findingAt({ file: 'inventories' }, code, message, fix));
}
