import { describe, expect, it } from 'vitest';
import { ProfileError, type Finding } from '../../../src/profile/finding.js';
import { loadProfile, type LoadedProfile } from '../../../src/profile/load.js';

const PACK = `package: pkg:pypi/demo-server
packageVersions: ">=1,<2"
language: python
entry:
  - function: demo#main
    parameters: [{ name: root, input: "option:root", type: "py:pathlib#Path", nullable: true }]
inventories: [python, demo]
operations:
  demo.read: { description: reads, dimensions: { path: {} } }
  demo.write: { description: writes, dimensions: { path: {}, visibility: { order: [private, public], lowering: true } } }
inputs:
  option:root: { description: the root, disclosable: true }
assumptions:
  - { id: one, text: first }
  - { id: two, text: second }
dependencies: { demo: ">=1", mcp: "*" }
reviewers: [ann]
`;
const TOOL = `pack: pack.yaml
id: demo-server/demo
version: 1
tool: demo
arguments:
  - { name: path, types: [string], required: true }
  - { name: names, types: [array, "null"], items: [string] }
`;
/** The same with nothing shared. */
const WHOLE = `${TOOL.replace('pack: pack.yaml\n', '')}${PACK}`;

function load(tool: string, pack: string = PACK): LoadedProfile {
  return loadProfile({ file: 'demo-server/demo.yaml', text: tool }, (name) =>
    name === 'pack.yaml' ? { file: 'demo-server/pack.yaml', text: pack } : undefined,
  );
}

function failures(tool: string, pack?: string): readonly Finding[] {
  try {
    load(tool, pack);
  } catch (error) {
    if (error instanceof ProfileError) return error.findings;
    throw error;
  }
  throw new Error('expected a ProfileError');
}

describe('loading a profile', () => {
  it('fills in the defaults', () => {
    const { profile } = load(TOOL);
    expect(profile).toMatchObject({
      id: 'demo-server/demo',
      packageVersions: '>=1,<2',
      entry: [{ function: 'demo#main', decorators: [], parameters: [{ name: 'root', nullable: true }] }],
      arguments: [
        { name: 'path', required: true },
        { name: 'names', items: ['string'], required: false },
      ],
      additionalArguments: false,
      servedNames: [],
      bounds: [],
      facts: [],
      reviewers: ['ann'],
    });
    expect(profile.operations.get('demo.write')?.dimensions).toEqual(
      new Map([
        ['path', { lowering: false }],
        ['visibility', { order: ['private', 'public'], lowering: true }],
      ]),
    );
    expect(profile.inputs.get('option:root')).toEqual({ name: 'option:root', description: 'the root', disclosable: true });
    expect('subpath' in profile || 'domain' in profile).toBe(false);
  });
  it('reads facts, bounds, served names and own entries', () => {
    const { profile } = load(`${TOOL}domain: size(args.path) < 10
servedNames: [{ versions: "<1.5", name: old_demo }]
bounds: [{ operation: demo.write, when: 'args.path == "x"', reason: never }]
facts:
  - id: path-exists
    description: d
    call: { callee: py:demo#f, arguments: [args.path, _] }
    throws: false
entries:
  - { callee: py:demo#own, forms: [{ id: x, model: guard }] }
`);
    expect(profile).toMatchObject({
      domain: { text: 'size(args.path) < 10' },
      servedNames: [{ versions: '<1.5', name: 'old_demo' }],
      bounds: [{ operation: 'demo.write', when: { text: 'args.path == "x"' }, reason: 'never' }],
      facts: [{ id: 'path-exists', call: { callee: 'py:demo#f', arguments: [{ text: 'args.path' }, { text: '_' }] }, throws: false }],
    });
    expect([...profile.entries.keys()]).toEqual(['py:demo#own']);
  });

  it('has the digest of the merged meaning, wherever the parts stand', () => {
    const digest = load(TOOL).profile.digest;
    expect(loadProfile({ file: 'x', text: WHOLE }, () => undefined).profile.digest).toBe(digest);
    expect(load(TOOL, PACK.replace('ann', 'bob')).profile.digest).not.toBe(digest);
    expect(load(TOOL.replace('version: 1', 'version: 2')).profile.digest).not.toBe(digest);
    expect(load(TOOL, PACK.replace('lowering: true', 'lowering: false')).profile.digest).not.toBe(digest);
  });
  it('merges by key and id, the tool winning', () => {
    const { profile, locate } = load(`${TOOL}operations:
  demo.read: { description: reads more, dimensions: {} }
  demo.extra: { description: extra, dimensions: {} }
inventories: [own, python]
assumptions:
  - { id: two, text: changed }
  - { id: three, text: third }
dependencies: { mcp: ">=1.10" }
packageVersions: ">=1.2"
reviewers: [bob]
`);
    expect([...profile.operations.values()].map((operation) => [operation.id, operation.description]).sort()).toEqual([
      ['demo.extra', 'extra'],
      ['demo.read', 'reads more'],
      ['demo.write', 'writes'],
    ]);
    expect(profile.inventories).toEqual(['demo', 'own', 'python']);
    expect(profile.assumptions.map(({ text }) => text)).toEqual(['first', 'changed', 'third']);
    expect(Object.fromEntries(profile.dependencies)).toEqual({ demo: '>=1', mcp: '>=1.10' });
    expect([profile.packageVersions, profile.reviewers]).toEqual(['>=1.2', ['bob']]);
    expect(locate(['inventories', 0])).toMatchObject({ file: 'demo-server/pack.yaml', line: 7 });
    expect(locate(['inventories', 1])).toMatchObject({ file: 'demo-server/demo.yaml', line: 11 });
    expect(locate(['operations', 'demo.write', 'description'])).toMatchObject({ file: 'demo-server/pack.yaml', line: 10 });
  });

  it.each<[string, string, string | undefined, string, string, number, number]>([
    ['missing pack', TOOL.replace('pack.yaml', 'packs.yaml'), undefined, 'pack-missing', 'demo.yaml', 1, 7],
    ['unknown key', `${TOOL}argumnts: []\n`, undefined, 'schema-unknown-key', 'demo.yaml', 8, 1],
    ['unknown key in the pack', TOOL, `${PACK}tool: x\n`, 'schema-unknown-key', 'pack.yaml', 18, 1],
    ['duplicate key in the pack', TOOL, `${PACK}package: x\n`, 'yaml-duplicate-key', 'pack.yaml', 18, 1],
    ['nothing says the language', TOOL, PACK.replace('language: python\n', ''), 'schema-missing-key', 'demo.yaml', 1, 1],
    ['wrong language', TOOL, PACK.replace('python', 'perl'), 'schema-not-allowed', 'pack.yaml', 3, 11],
    ['package of another language', TOOL, PACK.replace('pkg:pypi', 'pkg:npm'), 'language-mismatch', 'pack.yaml', 1, 10],
    ['bad range in the pack', TOOL, PACK.replace('>=1,<2', 'latest'), 'range-unreadable', 'pack.yaml', 2, 18],
    ['bad range of a dependency', TOOL, PACK.replace('mcp: "*"', 'mcp: new'), 'range-unreadable', 'pack.yaml', 16, 35],
    ['bad range of a served name', `${TOOL}servedNames: [{ versions: x, name: y }]\n`, undefined, 'range-unreadable', 'demo.yaml', 8, 27],
    ['bad domain', `${TOOL}domain: args.path ==\n`, undefined, 'cel-syntax', 'demo.yaml', 8, 21],
    ['input without a kind', TOOL, PACK.replace('"option:root"', 'root'), 'schema-not-allowed', 'pack.yaml', 6, 39],
    ['version zero', TOOL.replace('version: 1', 'version: 0'), undefined, 'schema-not-allowed', 'demo.yaml', 3, 10],
    ['unknown JSON type', TOOL.replace('[string]', '[text]'), undefined, 'schema-not-allowed', 'demo.yaml', 6, 27],
    ['order of one value', TOOL, PACK.replace('[private, public]', '[private]'), 'schema-not-allowed', 'pack.yaml', 10, 83],
    [
      'duplicate fact',
      `${TOOL}facts:\n${'  - { id: a, description: d, call: { callee: "py:a#b", arguments: [] }, throws: true }\n'.repeat(2)}`,
      undefined,
      'duplicate-id',
      'demo.yaml',
      10,
      11,
    ],
  ])('refuses: %s', (_name, tool, pack, code, file, line, column) => {
    expect(failures(tool, pack)).toMatchObject([{ code, file: `demo-server/${file}`, line, column }]);
  });
});
