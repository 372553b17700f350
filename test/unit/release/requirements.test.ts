import { describe, expect, it } from 'vitest';
import { declaredRanges, metadataField, parseRequirement, pinsOfRequirementsFile, type Requirement } from '../../../src/release/requirements.js';
import { readProjectMetadata, type DependencySource } from '../../../src/release/dependencies.js';
import type { DependencyVersion, ReleaseFile } from '../../../src/release/release.js';
import { sha256Hex } from '../../../src/base/digest.js';

describe('requirements', () => {
  it.each<[string, Requirement | undefined]>([
    ['click', { name: 'click', range: '', marker: undefined }],
    ['Foo_Bar[a,b] >= 1.0 , < 2', { name: 'foo-bar', range: '>=1.0,<2', marker: undefined }],
    ['a (>=1.0)', { name: 'a', range: '>=1.0', marker: undefined }],
    ['a>=1; python_version < "3.11"', { name: 'a', range: '>=1', marker: 'python_version < "3.11"' }],
    ['a ; extra == "dev"', { name: 'a', range: '', marker: 'extra == "dev"' }],
    ['a @ https://host.invalid/a;b.whl ; extra == "x"', { name: 'a', range: undefined, marker: 'extra == "x"' }],
    ['a ^1.0', undefined],
    ['', undefined],
    ['-r other.txt', undefined],
  ])('%j', (text, expected) => {
    expect(parseRequirement(text)).toEqual(expected);
  });

  it('join when all hold, and are unknown when markers choose', () => {
    const ranges = (...lines: string[]): (string | undefined)[] => [...declaredRanges(lines.map((line) => parseRequirement(line)!)).values()];
    expect(ranges('a>=1', 'a<2')).toEqual(['>=1,<2']);
    expect(ranges('a>=1', 'a')).toEqual(['>=1']);
    expect(ranges('a')).toEqual(['*']);
    expect(ranges('a>=1; python_version<"3.9"', 'a>=2; python_version>="3.9"')).toEqual([undefined]);
    expect(ranges('a>=1; sys_platform=="linux"')).toEqual(['>=1']);
    expect(ranges('a @ https://host.invalid/a.whl')).toEqual([undefined]);
    expect(ranges('a>=1; extra == "dev"')).toEqual([]);
  });

  it('pins of a requirements file are the exact ones', () => {
    const text =
      '# comment\n-r base.txt\n--hash=x\na==1.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\nB_c == 2.0 ; python_version > "3"  # why\nd>=1\ne==1.*\nf==1.0,<2\ng\n';
    expect(pinsOfRequirementsFile(text)).toEqual([
      { name: 'a', version: '1.0' },
      { name: 'b-c', version: '2.0' },
    ]);
  });

  it('metadata fields end with the headers', () => {
    const text = 'Name: x\r\nRequires-Dist: a>=1;\r\n  extra == "b"\r\nrequires-dist: c\r\n\r\nRequires-Dist: not a header\r\n';
    expect(metadataField(text, 'Requires-Dist')).toEqual(['a>=1; extra == "b"', 'c']);
  });
});

describe('dependency versions', () => {
  function source(texts: Record<string, string>, extra: { subpath?: string; artifact?: string } = {}): DependencySource {
    const files = Object.entries(texts).map(([path, text]): ReleaseFile => ({ path, mode: 0o100644, size: text.length, sha256: sha256Hex(text) }));
    return {
      files: new Map(files.map((file) => [file.path, file])),
      subpath: extra.subpath ?? '',
      ...(extra.artifact === undefined ? {} : { artifact: extra.artifact }),
      read: async (file) => Buffer.from(texts[file.path]!),
    };
  }
  const brief = (dependency: DependencyVersion): unknown[] => [
    dependency.name,
    dependency.declared,
    dependency.locked,
    dependency.from.path,
    dependency.from.artifact,
  ];
  const pin = (name: string, version: string): string => `[[package]]\nname = "${name}"\nversion = "${version}"\n`;

  it('of a wheel come from its METADATA, and from the lock of its source archive', async () => {
    const wheel = source({ 'a-1.dist-info/METADATA': 'Name: a\nVersion: 1\nRequires-Dist: b>=1\nRequires-Dist: c\n' });
    const sdist = source({ 'uv.lock': pin('b', '1.5') + pin('d', '4'), 'pyproject.toml': '[project]\ndependencies = ["b>=99"]' }, { artifact: 'sha256:00' });
    const { dependencies, name, version } = await readProjectMetadata([wheel, sdist]);
    expect([name, version]).toEqual(['a', '1']);
    expect(dependencies.map(brief)).toEqual([
      ['b', '>=1', '1.5', 'uv.lock', 'sha256:00'],
      ['c', '*', undefined, 'a-1.dist-info/METADATA', undefined],
      ['d', undefined, '4', 'uv.lock', 'sha256:00'],
    ]);
  });

  it('are not locked by a lock that says two things, or a version that is excluded', async () => {
    const forked = await readProjectMetadata([source({ 'poetry.lock': pin('b', '1') + pin('b', '2') })]);
    expect(forked.dependencies.map(brief)).toEqual([['b', undefined, undefined, 'poetry.lock', undefined]]);
    const disagreeing = await readProjectMetadata([source({ 'uv.lock': pin('b', '1'), 'requirements.txt': 'b==2' })]);
    expect(disagreeing.dependencies[0]?.locked).toBeUndefined();
    const stale = await readProjectMetadata([source({ 'uv.lock': pin('b', '1'), 'pyproject.toml': '[project]\ndependencies = ["b>=2"]' })]);
    expect(stale.dependencies.map(brief)).toEqual([['b', '>=2', undefined, 'pyproject.toml', undefined]]);
  });

  it('are those of the folder that was named', async () => {
    const files = {
      'pyproject.toml': '[project]\ndependencies = ["x"]',
      'a/pyproject.toml': '[project]\ndependencies = ["b"]',
      'a/requirements-lock.txt': 'b==1',
      'uv.lock': pin('b', '2'),
    };
    expect((await readProjectMetadata([source(files, { subpath: 'a' })])).dependencies.map(brief)).toEqual([
      ['b', '*', '1', 'a/requirements-lock.txt', undefined],
    ]);
  });

  it('that a build backend computes come from PKG-INFO', async () => {
    const files = { 'pyproject.toml': '[project]\nname = "a"\ndynamic = ["dependencies"]', 'PKG-INFO': 'Name: a\nRequires-Dist: b<3\n' };
    expect((await readProjectMetadata([source(files)])).dependencies.map(brief)).toEqual([['b', '<3', undefined, 'PKG-INFO', undefined]]);
  });
});
