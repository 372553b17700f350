/** Checks a folder of profiles, or some of its files. A file that cannot be loaded is findings, not an end of the check. */
import { resolve } from 'node:path';
import { findPackBeside, inventoryFiles, packagedProfilesFolder, profileFiles, readSource } from '../profile/host.js';
import { ProfileError, type Finding } from '../profile/finding.js';
import { lintAll } from '../profile/lint.js';
import { loadInventory, loadProfile, type LoadedInventory, type LoadedProfile } from '../profile/load.js';
import { PipelineError } from './errors.js';

export interface LintResult {
  readonly findings: readonly Finding[];
  /** How many files were looked at. */
  readonly files: number;
}

/** `only` are paths of files; none means every file of the folder. The folder's other files are read for what they declare. */
export function lintFolder(folder: string | undefined, only: readonly string[], workingDirectory: string): LintResult {
  const packaged = packagedProfilesFolder();
  const root = folder === undefined ? packaged : resolve(workingDirectory, folder);
  const broken: Finding[] = [];
  const inventoryPaths = inventoryFiles(root);
  const profilePaths = profileFiles(root);
  if (inventoryPaths.length + profilePaths.length === 0) {
    throw new PipelineError('profile-missing', `there are no profiles in ${folder ?? 'the folder that ships with fcd'}`, { next: 'A folder of profiles has SERVER/TOOL.yaml files, and inventories/LIBRARY.yaml files.' });
  }
  const inventories = inventoryPaths.flatMap((path) => attempt(broken, (): LoadedInventory => loadInventory(readSource(path, root))));
  const profiles = profilePaths.flatMap((path) => attempt(broken, (): LoadedProfile => loadProfile(readSource(path, root), findPackBeside(path, root))));
  // A folder of one's own may use what ships with fcd; that is not its to mend.
  const own = new Set(inventories.map((loaded) => loaded.inventory.id));
  const borrowed = root === packaged ? [] : inventoryFiles(packaged).flatMap((path) => attempt([], () => loadInventory(readSource(path, packaged)))).filter((loaded) => !own.has(loaded.inventory.id));
  const ownFiles = new Set([...inventories, ...profiles].flatMap((loaded) => loaded.sources.map((source) => source.file)));
  const findings = [...broken, ...lintAll([...inventories, ...borrowed], profiles).filter((finding) => root === packaged || ownFiles.has(finding.file))];
  if (only.length === 0) return { findings, files: inventoryPaths.length + profilePaths.length };
  const wanted = only.map((path) => wantedFile(path, root, [...inventoryPaths, ...profilePaths], workingDirectory));
  return { findings: findings.filter((finding) => wanted.includes(finding.file)), files: wanted.length };
}

function wantedFile(path: string, root: string, known: readonly string[], workingDirectory: string): string {
  const absolute = resolve(workingDirectory, path);
  const { file } = readSource(absolute, root);
  if (known.includes(absolute)) return file;
  throw new PipelineError('input-invalid', `${path} is no profile or inventory of the folder of profiles`, { next: 'Name the folder with --profiles, and files below it.' });
}

function attempt<Loaded>(broken: Finding[], load: () => Loaded): Loaded[] {
  try {
    return [load()];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    broken.push(...error.findings);
    return [];
  }
}
