/**
 * Several inventories as one, for one analysis. Guarantees: every identity has one spelling (`canonicalIdentity`); no two
 * inventories speak of the same callee, alias, class or constant; aliases and classes have no cycles. It knows nothing of
 * dependency versions: those are told by the caller, through `formsFor` and `relationsFor`.
 */
import { versionInRange, type Ecosystem } from '../base/versions.js';
import { AliasTable } from './alias-table.js';
import { ClassTable } from './class-table.js';
import { findingAt, ProfileError } from './finding.js';
import type { CelText, Form, Inventory, InventoryEntry, Relation } from './inventory.js';
import { ecosystemOf, identityPrefixOf } from './language.js';
import type { Profile } from './profile.js';

export type FormSelection =
  | { readonly kind: 'forms'; readonly forms: readonly Form[] }
  /** The version decides and is not known. `forms` are those of every version; `ranges` are what there is to choose from, in order. */
  | { readonly kind: 'version-needed'; readonly package: string | undefined; readonly forms: readonly Form[]; readonly ranges: readonly string[] };

/** The version of a package (a purl without version) that the release resolves, if that is known. */
export type VersionOf = (packagePurl: string) => string | undefined;

interface EntryHome {
  readonly package: string | undefined;
  readonly ecosystem: Ecosystem;
}

export class InventorySet {
  readonly #entries = new Map<string, InventoryEntry>();
  readonly #homes = new Map<InventoryEntry, EntryHome>();
  readonly #constants = new Map<string, CelText>();
  readonly #modules = new Set<string>();
  readonly #prefixes = new Set<string>();
  readonly #aliases: AliasTable;
  readonly #classes: ClassTable;
  readonly #inventories: readonly Inventory[];

  /** `own` are a profile's entries: they win over those of the inventories. */
  constructor(inventories: readonly Inventory[], own?: Pick<Profile, 'language' | 'package' | 'entries'>) {
    this.#inventories = inventories;
    for (const inventory of inventories) for (const module of inventory.modules) this.#modules.add(module);
    this.#aliases = new AliasTable(inventories, this.#modules);
    this.#classes = new ClassTable(inventories, (identity) => this.canonicalIdentity(identity));
    for (const inventory of inventories) this.#addInventory(inventory);
    if (own !== undefined) this.#addOwn(own);
    for (const identity of [...this.#entries.keys(), ...this.#constants.keys(), ...this.#classes.identities()]) this.#addPrefixes(identity);
  }

  /** One spelling of an identity: modules resolved, aliases followed, longest first, until nothing changes. */
  canonicalIdentity(identity: string): string {
    return this.#aliases.canonical(identity);
  }

  /** The entry of a callee, when it is accessed as the entry says. Members are not inherited: a subclass may override them. */
  lookup(identity: string, access: 'call' | 'attribute'): InventoryEntry | undefined {
    const entry = this.#entries.get(this.canonicalIdentity(identity));
    return entry?.access === access ? entry : undefined;
  }

  isModule(identity: string): boolean {
    const canonical = this.canonicalIdentity(identity);
    return !canonical.includes('#') && this.#modules.has(canonical.slice(canonical.indexOf(':') + 1));
  }

  isClass(identity: string): boolean {
    return this.#classes.has(this.canonicalIdentity(identity));
  }

  /** Whether some entry, class, module or constant begins with this identity and a separator. */
  isPrefix(identity: string): boolean {
    return this.#prefixes.has(this.canonicalIdentity(identity));
  }

  /** True for the class itself. Undefined where an ancestor is in no inventory, so that neither answer is known. */
  isSubclass(identity: string, ancestor: string): boolean | undefined {
    return this.#classes.isSubclass(this.canonicalIdentity(identity), this.canonicalIdentity(ancestor));
  }

  /** The class and its known ancestors, itself first, nearest first. */
  lineage(identity: string): readonly string[] {
    return this.#classes.lineage(this.canonicalIdentity(identity));
  }

  constant(identity: string): CelText | undefined {
    return this.#constants.get(this.canonicalIdentity(identity));
  }

  get relations(): readonly Relation[] {
    return this.#inventories.flatMap((inventory) => inventory.relations);
  }

  /** Relations that hold for these versions. A relation whose version is not known is left out: it could only prove more. */
  relationsFor(versionOf: VersionOf): readonly Relation[] {
    return this.#inventories.flatMap((inventory) =>
      inventory.relations.filter((relation) => {
        if (isEveryVersion(relation.versions)) return true;
        const version = inventory.package === undefined ? undefined : versionOf(inventory.package);
        return version !== undefined && versionInRange(ecosystemOf(inventory.language), version, relation.versions);
      }),
    );
  }

  /** Package whose version selects the forms of an entry; undefined for a standard library. */
  packageOf(entry: InventoryEntry): string | undefined {
    return this.#home(entry).package;
  }

  /** Forms in order that are how the callee behaves in `version`; an empty list means that no reviewed form does. */
  formsFor(entry: InventoryEntry, version: string | undefined): FormSelection {
    const home = this.#home(entry);
    const ranges = [...new Set(entry.forms.map((form) => form.versions.trim()))];
    if (ranges.every(isEveryVersion)) return { kind: 'forms', forms: entry.forms };
    if (version === undefined) {
      return { kind: 'version-needed', package: home.package, forms: entry.forms.filter((form) => isEveryVersion(form.versions)), ranges };
    }
    return { kind: 'forms', forms: entry.forms.filter((form) => versionInRange(home.ecosystem, version, form.versions)) };
  }

  #home(entry: InventoryEntry): EntryHome {
    const home = this.#homes.get(entry);
    if (home === undefined) throw conflict(`the entry "${entry.callee}" is not of this set`);
    return home;
  }

  #addInventory(inventory: Inventory): void {
    const home = { package: inventory.package, ecosystem: ecosystemOf(inventory.language) };
    for (const entry of inventory.entries.values()) {
      const callee = this.canonicalIdentity(entry.callee);
      if (this.#entries.has(callee))
        throw conflict(`the callee "${callee}" has entries in two inventories or under two names; one of them is "${inventory.id}"`);
      this.#entries.set(callee, entry);
      this.#homes.set(entry, home);
    }
    for (const [identity, value] of inventory.constants) {
      const canonical = this.canonicalIdentity(identity);
      if (this.#constants.has(canonical)) throw conflict(`the constant "${canonical}" is defined twice; once in "${inventory.id}"`);
      this.#constants.set(canonical, value);
    }
    for (const module of inventory.modules) this.#addPrefixes(identityPrefixOf(inventory.language) + module);
  }

  #addOwn(own: Pick<Profile, 'language' | 'package' | 'entries'>): void {
    const home = { package: own.package, ecosystem: ecosystemOf(own.language) };
    for (const entry of own.entries.values()) {
      this.#entries.set(this.canonicalIdentity(entry.callee), entry);
      this.#homes.set(entry, home);
    }
  }

  #addPrefixes(identity: string): void {
    for (let at = identity.length - 1; at > 0; at -= 1) {
      if (identity[at] === '.' || identity[at] === '#') this.#prefixes.add(identity.slice(0, at));
    }
  }
}

export function isEveryVersion(range: string): boolean {
  return range.trim() === '*';
}

export function conflict(message: string): ProfileError {
  const fix = 'Keep one of the two, or leave one inventory out of the profile.';
  return new ProfileError(findingAt({ file: 'inventories' }, 'inventory-conflict', message, fix));
}
