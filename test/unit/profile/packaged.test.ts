/** Lints everything under `profiles/`: `npx vitest run test/unit/profile/packaged.test.ts` is the author's check. */
import { describe, expect, it } from 'vitest';
import { formatFinding, ProfileError, type Finding } from '../../../src/profile/finding.js';
import { findPackBeside, inventoryFiles, packagedProfilesFolder, profileFiles, readSource } from '../../../src/profile/host.js';
import { lintAll } from '../../../src/profile/lint.js';
import { loadInventory, loadProfile } from '../../../src/profile/load.js';

const folder = packagedProfilesFolder();
const broken: Finding[] = [];

function loadEach<Loaded>(paths: readonly string[], load: (path: string) => Loaded): readonly Loaded[] {
  return paths.flatMap((path) => {
    try {
      return [load(path)];
    } catch (error) {
      if (!(error instanceof ProfileError)) throw error;
      broken.push(...error.findings);
      return [];
    }
  });
}

describe('packaged profiles and inventories', () => {
  it('load and have no findings but warnings', () => {
    const inventories = loadEach(inventoryFiles(folder), (path) => loadInventory(readSource(path, folder)));
    const profiles = loadEach(profileFiles(folder), (path) => loadProfile(readSource(path, folder), findPackBeside(path, folder)));
    const findings = [...broken, ...lintAll(inventories, profiles)];
    for (const warning of findings.filter((finding) => finding.severity === 'warning')) console.warn(formatFinding(warning));
    expect(findings.filter((finding) => finding.severity === 'error').map(formatFinding)).toEqual([]);
  });
});
