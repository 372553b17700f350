/** Reads profiles and inventories from folders. All file access of `profile/` is here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvariantError } from '../base/errors.js';
import { findingAt, ProfileError } from './finding.js';
import type { KnownDocuments } from './known-documents.js';
import { loadInventory, loadProfile, type FindPack, type LoadedInventory, type LoadedProfile } from './load.js';
import type { SourceText } from './yaml-text.js';

const INVENTORIES_FOLDER = 'inventories';
const PACK_FILE = 'pack.yaml';

/** The `profiles/` folder that is shipped with the package. */
export function packagedProfilesFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new InvariantError('the package has no package.json above its own files');
    folder = parent;
  }
  return join(folder, 'profiles');
}

/** Inventories of `<folder>/inventories/*.yaml`, sorted by file. */
export function loadInventories(folder: string = packagedProfilesFolder(), known?: KnownDocuments): readonly LoadedInventory[] {
  return inventoryFiles(folder).map((path) => loadInventory(readSource(path, folder), known));
}

/** Profiles of `<folder>/<server>/<tool>.yaml`, sorted by file; packs are not profiles. */
export function loadProfiles(folder: string = packagedProfilesFolder(), known?: KnownDocuments): readonly LoadedProfile[] {
  return profileFiles(folder).map((path) => loadProfileFile(path, folder, known));
}

/** One profile; `folder` is what its place is named relative to. */
export function loadProfileFile(path: string, folder: string = dirname(path), known?: KnownDocuments): LoadedProfile {
  return loadProfile(readSource(path, folder), findPackBeside(path, folder), known);
}

export function inventoryFiles(folder: string): readonly string[] {
  return yamlFiles(join(folder, INVENTORIES_FOLDER));
}

export function profileFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const servers = readdirSync(folder, { withFileTypes: true }).filter((item) => item.isDirectory() && item.name !== INVENTORIES_FOLDER);
  return servers
    .map((server) => server.name)
    .sort()
    .flatMap((server) => yamlFiles(join(folder, server)).filter((path) => !path.endsWith(sep + PACK_FILE)));
}

export function readSource(path: string, folder: string): SourceText {
  const file = relative(folder, path).split(sep).join('/');
  try {
    return { file, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProfileError(
      findingAt({ file }, 'file-unreadable', `cannot be read as UTF-8 text: ${reason}`, 'Check that the file exists, can be read and is UTF-8.'),
    );
  }
}

/** A pack is named by a path relative to the profile and stays inside the folder of profiles. */
export function findPackBeside(path: string, folder: string): FindPack {
  return (name) => {
    const pack = resolve(dirname(path), name);
    const inside = !relative(resolve(folder), pack).startsWith('..');
    return inside && existsSync(pack) ? readSource(pack, folder) : undefined;
  };
}

function yamlFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.yaml'))
    .map((item) => join(folder, item.name))
    .sort();
}
