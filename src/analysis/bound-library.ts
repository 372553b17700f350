/** The combined inventories of a profile, bound to the dependency versions of one release. */
import { FcdError } from '../base/errors.js';
import type { CelText, Form, InventoryEntry, Relation } from '../profile/inventory.js';
import type { InventorySet, VersionOf } from '../profile/inventory-set.js';
import type { Library } from './library.js';

export class BoundLibrary implements Library {
  private readonly set: InventorySet;
  private readonly versionOf: VersionOf;
  /** Packages whose version selected a form, for evidence. */
  readonly usedPackages = new Set<string>();

  constructor(set: InventorySet, versionOf: VersionOf) {
    this.set = set;
    this.versionOf = versionOf;
  }

  canonical(identity: string): string {
    return identity.includes(':') ? this.set.canonicalIdentity(identity) : identity;
  }
  entry(identity: string, access: 'call' | 'attribute'): InventoryEntry | undefined {
    return this.set.lookup(identity, access);
  }
  isPrefix(identity: string): boolean {
    return this.set.isPrefix(identity);
  }
  isModule(identity: string): boolean {
    return this.set.isModule(identity);
  }
  isClass(identity: string): boolean {
    return this.set.isClass(identity);
  }
  isSubclass(identity: string, ancestor: string): boolean {
    const known = this.set.isSubclass(identity, ancestor);
    if (known === undefined)
      throw new FcdError('class-unknown', `the inventories do not say whether ${identity} is a ${ancestor}`, {
        next: `Add ${identity} with its bases to the classes of an inventory.`,
      });
    return known;
  }
  lineage(identity: string): readonly string[] {
    return this.set.lineage(identity);
  }
  constant(identity: string): CelText | undefined {
    return this.set.constant(identity);
  }
  forms(entry: InventoryEntry): { readonly kind: 'forms'; readonly forms: readonly Form[] } | { readonly kind: 'version-needed'; readonly dependency: string } {
    const home = this.set.packageOf(entry);
    const version = home === undefined ? undefined : this.versionOf(home);
    const selection = this.set.formsFor(entry, version);
    if (home !== undefined && entry.forms.some((form) => form.versions !== '*')) this.usedPackages.add(home);
    return selection.kind === 'forms' ? selection : { kind: 'version-needed', dependency: (selection.package ?? entry.callee).replace(/^pkg:[^/]+\//, '') };
  }
  get relations(): readonly Relation[] {
    return this.set.relationsFor(this.versionOf);
  }
}
