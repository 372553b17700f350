/** The rules of the house that no other tool checks. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage', '.fcd-cache']);
const LINES_MAX = 450;
/** Catalogues of types: one list that reads best in one place. */
const LONG_BY_NATURE = new Set(['src/ir/nodes.ts']);

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const FILES = filesBelow('').filter((path) => statSync(join(ROOT, path)).size < 4 * 1024 * 1024);
const SOURCES = FILES.filter((path) => /^src\/.*\.ts$/.test(path));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** `path:line: text` of each line that matches. */
function findLines(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );
}

/** Written in pieces, so that this file does not break its own rules. */
const word = (...pieces: string[]): string => pieces.join('');

describe('the house', () => {
  it('sees the files it is about', () => {
    expect(SOURCES.length).toBeGreaterThan(20);
  });

  it('names no path of a machine', () => {
    const machine = new RegExp(`(?:^|[^\\w.:/])/(?:${word('wo', 'rk')}|${word('ro', 'ot')}|${word('ho', 'me')}/\\w+|${word('Us', 'ers')}/\\w+)/`);
    expect(findLines(FILES, machine)).toEqual([]);
    expect(findLines(SOURCES, new RegExp(`["'\`]/${word('t', 'mp')}\\b`))).toEqual([]);
  });

  it('names no host of a package registry', () => {
    const hosts = [
      word('pypi', '.org'),
      word('pythonhosted', '.org'),
      word('registry.', 'npmjs'),
      word('registry.', 'yarnpkg'),
      word('crates', '.io'),
      word('proxy.', 'golang'),
      word('repo.', 'maven'),
      word('repo1.', 'maven'),
      word('nuget', '.org'),
      word('deb.', 'debian'),
    ];
    expect(findLines(FILES, new RegExp(hosts.map((host) => host.replaceAll('.', '\\.')).join('|'), 'i'))).toEqual([]);
  });

  it('locks packages by digest, not by where one machine got them', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }> };
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([path, entry]) => entry.integrity === undefined && !path.includes('/node_modules/')).map(([path]) => path)).toEqual([]);
  });

  it('leaves nothing for later', () => {
    expect(findLines(SOURCES, new RegExp(`(?://|^\\s*/?\\*).*\\b(?:${word('TO', 'DO')}|${word('FIX', 'ME')}|${word('XX', 'X')})\\b`))).toEqual([]);
  });

  it('keeps files short', () => {
    expect(SOURCES.filter((path) => !LONG_BY_NATURE.has(path) && read(path).split('\n').length > LINES_MAX)).toEqual([]);
  });

  it('names files in kebab case and says at their head what they are', () => {
    expect(
      [...SOURCES, ...FILES.filter((path) => /^test\/.*\.ts$/.test(path))].filter((path) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.ts$/.test(basename(path))),
    ).toEqual([]);
    expect(SOURCES.filter((path) => !/^(?:#!.*\n)?(?:\/\*\*|\/\/)/.test(read(path)))).toEqual([]);
  });
});
