import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadInventories, loadProfileFile, loadProfiles, packagedProfilesFolder } from '../../../src/profile/host.js';

let folder: string;
const write = (path: string, data: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), data);
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fcd-profiles-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const inventory = (id: string) => `inventory: ${id}\nlanguage: python\n`;
const PACK = 'package: pkg:pypi/s\nlanguage: python\nentry: [{ function: "s#main" }]\ninventories: [a]\noperations: {}\n';
const tool = (name: string, pack = 'pack.yaml') => `pack: ${pack}\nid: server/${name}\nversion: 1\ntool: ${name}\n`;

describe('folders of profiles', () => {
  it('are read in order, packs and other files apart, with places relative to the folder', () => {
    for (const id of ['b', 'a']) write(`inventories/${id}.yaml`, inventory(id));
    write('inventories/README.md', 'not YAML: [');
    write('server/pack.yaml', PACK);
    for (const name of ['two', 'one']) write(`server/${name}.yaml`, tool(name));
    write('other/pack.yaml', PACK);
    expect(loadInventories(folder).map(({ inventory: { id }, file }) => [id, file])).toEqual([
      ['a', 'inventories/a.yaml'],
      ['b', 'inventories/b.yaml'],
    ]);
    expect(loadProfiles(folder).map(({ profile, file }) => [profile.tool, file])).toEqual([
      ['one', 'server/one.yaml'],
      ['two', 'server/two.yaml'],
    ]);
  });
  it('that are missing are empty', () => {
    expect([loadInventories(join(folder, 'no')), loadProfiles(join(folder, 'no'))]).toEqual([[], []]);
  });
  it('let one profile be loaded by its path', () => {
    write('server/pack.yaml', PACK);
    write('server/one.yaml', tool('one'));
    expect(loadProfileFile(join(folder, 'server/one.yaml'))).toMatchObject({ file: 'one.yaml', profile: { tool: 'one' } });
  });
  it('name the file in errors', () => {
    write('inventories/a.yaml', 'inventory: a\nlanguage: [\n');
    expect(() => loadInventories(folder)).toThrow(/^inventories\/a\.yaml:3:1: /);
  });
  it('refuse packs outside the folder, and files that are not UTF-8', () => {
    write('profiles/server/one.yaml', tool('one', '../../pack.yaml'));
    write('pack.yaml', PACK);
    expect(() => loadProfiles(join(folder, 'profiles'))).toThrow(/server\/one\.yaml:1:7: there is no file/);
    write('inventories/a.yaml', new Uint8Array([0x61, 0xff]));
    expect(() => loadInventories(folder)).toThrow(expect.objectContaining({ code: 'file-unreadable' }));
  });
  it('are shipped with the package', () => {
    expect(packagedProfilesFolder()).toMatch(/[/\\]profiles$/);
  });
});
