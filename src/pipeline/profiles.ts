/**
 * The profiles and inventories of one run. A folder that the user names gives the profiles; its inventories come before
 * the packaged ones of the same id, so that a small folder of one's own can use what ships with fcd.
 */
import { inventoryFiles, loadInventories, loadProfiles, packagedProfilesFolder, readSource } from '../profile/host.js';
import { InventorySet } from '../profile/inventory-set.js';
import type { Inventory } from '../profile/inventory.js';
import type { KnownDocuments } from '../profile/known-documents.js';
import { loadInventory } from '../profile/load.js';
import type { Profile } from '../profile/profile.js';
import { ProfileError, findingAt } from '../profile/finding.js';
import { nearest } from '../profile/nearest.js';
import { PipelineError } from './errors.js';
import { fitProfile, type PackageName } from './project.js';
import { vocabularyOf, type Vocabulary } from './vocabulary.js';

export class ProfileLibrary {
  readonly #folder: string;
  readonly #packaged: string;
  #profiles: readonly Profile[] | undefined;
  readonly #inventories = new Map<string, Inventory>();
  readonly #sets = new Map<string, InventorySet>();

  readonly #known: KnownDocuments | undefined;

  /** `known` remembers documents that were read before. */
  constructor(folder: string | undefined, known?: KnownDocuments) {
    this.#known = known;
    this.#packaged = packagedProfilesFolder();
    this.#folder = folder ?? this.#packaged;
  }

  get profiles(): readonly Profile[] {
    this.#profiles ??= this.#read((known) => loadProfiles(this.#folder, known)).map((loaded) => loaded.profile);
    return this.#profiles;
  }

  /** Profiles of the packages, by tool. Throws when there is none. */
  applicable(packages: readonly PackageName[], what: string): readonly Profile[] {
    const fits = this.profiles.map((profile) => ({ profile, fit: fitProfile(profile, packages) }));
    const fitting = fits.filter(({ fit }) => fit.kind === 'fits').map(({ profile }) => profile);
    if (fitting.length > 0) return [...fitting].sort((left, right) => (left.tool < right.tool ? -1 : 1));
    const near = fits.find(({ fit }) => fit.kind === 'other-version');
    if (near !== undefined && near.fit.kind === 'other-version') {
      const version = near.fit.version === undefined ? 'whose version is not known' : `version ${near.fit.version}`;
      throw new PipelineError('profile-missing', `the profiles of ${near.profile.package} cover ${near.profile.packageVersions}, not ${what} (${version})`, {
        next: 'Review the version and widen packageVersions in the profile, or name another release.',
      });
    }
    const known = [...new Set(this.profiles.map((profile) => profile.package))].sort();
    throw new PipelineError('profile-missing', `no profile speaks of ${what}`, {
      next: `There are profiles for ${known.join(', ') || 'nothing'}; see "fcd profile list". For another package, write a folder of profiles and name it with --profiles DIR.`,
    });
  }

  /** The inventories that the profile uses, in its order. */
  inventoriesOf(profile: Profile): readonly Inventory[] {
    return profile.inventories.map((id) => {
      const inventory = this.#inventory(id);
      if (inventory !== undefined) return inventory;
      throw new ProfileError(findingAt({ file: profile.id }, 'inventory-missing', `there is no inventory "${id}"`, `Add inventories/${id}.yaml to the folder of profiles.`));
    });
  }

  inventorySet(profile: Profile): InventorySet {
    let set = this.#sets.get(profile.digest);
    if (set === undefined) {
      set = new InventorySet(this.inventoriesOf(profile), profile);
      this.#sets.set(profile.digest, set);
    }
    return set;
  }

  vocabulary(profile: Profile): Vocabulary {
    return vocabularyOf(profile, this.inventoriesOf(profile));
  }

  /** A problem is told with its place, which only the text has. */
  #read<Loaded>(load: (known: KnownDocuments | undefined) => Loaded): Loaded {
    try {
      return load(this.#known);
    } catch (error) {
      if (this.#known === undefined || !(error instanceof ProfileError)) throw error;
      return load(undefined);
    }
  }

  #inventory(id: string): Inventory | undefined {
    const known = this.#inventories.get(id);
    if (known !== undefined) return known;
    for (const folder of new Set([this.#folder, this.#packaged])) {
      const path = inventoryFiles(folder).find((file) => file.replaceAll('\\', '/').endsWith(`/${id}.yaml`));
      const found = this.#read((known) =>
        path === undefined ? loadInventories(folder, known).find((loaded) => loaded.inventory.id === id)?.inventory : loadInventory(readSource(path, folder), known).inventory,
      );
      if (found === undefined || found.id !== id) continue;
      this.#inventories.set(id, found);
      return found;
    }
    return undefined;
  }
}

/** The profile of a tool. Throws with the tools that there are. */
export function profileOfTool(profiles: readonly Profile[], tool: string): Profile {
  const found = profiles.find((profile) => profile.tool === tool);
  if (found !== undefined) return found;
  const tools = profiles.map((profile) => profile.tool);
  const near = nearest(tool, tools);
  throw new PipelineError('tool-missing', `no profile is for a tool "${tool}"`, { next: `${near === undefined ? '' : `Did you mean "${near}"? `}The tools are ${tools.join(', ')}.` });
}
