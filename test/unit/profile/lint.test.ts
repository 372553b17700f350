import { describe, expect, it } from 'vitest';
import { CEL_FUNCTIONS } from '../../../src/profile/cel-functions.js';
import type { Finding } from '../../../src/profile/finding.js';
import { lintAll, lintInventory, lintProfile } from '../../../src/profile/lint.js';
import { loadInventory, loadProfile, type LoadedInventory } from '../../../src/profile/load.js';
import type { OperationModel } from '../../../src/profile/profile.js';

const BUILTINS = inventory(
  'builtins',
  `inventory: builtins
language: python
modules: [builtins]
classes: { "py:builtins#Exception": [] }
entries: [{ callee: "py:builtins#len", parameters: x, forms: [{ id: x, model: pure }] }]
`,
);
const OPERATIONS = new Map<string, OperationModel[]>([
  [
    'demo.read',
    [
      {
        id: 'demo.read',
        description: 'd',
        dimensions: new Map([
          ['path', { lowering: false }],
          ['range', { lowering: false }],
        ]),
      },
    ],
  ],
]);

function inventory(id: string, text: string): LoadedInventory {
  return loadInventory({ file: `inventories/${id}.yaml`, text });
}
const HEAD = `inventory: demo
language: python
package: pkg:pypi/demo
modules: [demo]
classes: { "py:demo#Error": ["py:builtins#Exception"] }
`;
/** The forms are written from line 10 on. */
const withForms = (forms: string, parameters = 'a, *words, cb=None') =>
  `${HEAD}entries:\n  - callee: py:demo#f\n    parameters: "${parameters}"\n    forms:\n${forms}`;
const lintText = (text: string): readonly Finding[] => lintInventory(inventory('demo', text), { inventories: [BUILTINS], operations: OPERATIONS });
/** Takes the marks out of a text; each stands before a place where a finding is expected. */
function unmark(text: string): { text: string; places: string[] } {
  const places = [...text.matchAll(/‹/g)].map((mark) => {
    const before = text.slice(0, mark.index);
    const line = before.split('\n').length;
    const column = mark.index - before.lastIndexOf('\n') - (before.split('\n').at(-1)?.match(/‹/g)?.length ?? 0);
    return `${line}:${column}`;
  });
  return { text: text.replaceAll('‹', ''), places };
}
const expectFindings = (lint: (text: string) => readonly Finding[], marked: string, codes: readonly string[]): void => {
  const { text, places } = unmark(marked);
  expect(places).toHaveLength(codes.length);
  expect(brief(lint(text)).sort()).toEqual(codes.map((code, index) => `${code}@${places[index]}`).sort());
};
const brief = (findings: readonly Finding[]) => findings.map(({ code, line, column }) => `${code}@${line}:${column}`);

describe('lint of an inventory', () => {
  it('says nothing of a sound one', () => {
    expect(
      lintText(
        withForms(`      - { id: old, versions: "<2", when: 'kind(a) == "string" && words.all(w, !w.startsWith("-"))', model: guard, throws: [{ type: py:demo#Error, when: 'a == ""' }] }
      - { id: new, versions: ">=2", model: effect, operation: demo.read, dimensions: { path: a, range: flatten(words) }, type: 'optional<list<py:demo#Thing>>' }
      - { id: rest, model: calls, closure: cb, arguments: [self] }
  - callee: py:demo#Thing.name
    access: attribute
    forms: [{ id: x, model: observes, resource: '["thing", self]', type: str }]
relations:
  - { id: r, versions: ">=2", reason: why, if: { callee: py:demo#f, arguments: [p, q, _] }, implies: { callee: py:demo#f, arguments: [p, _] }, when: 'isHex(q, 40)' }
`),
      ),
    ).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['name not in scope', '      - { id: x, model: guard, when: "a == ‹b" }\n', ['cel-name-unknown']],
    ['name in scope only inside its macro', '      - { id: x, model: guard, when: "words.all(‹w, true) && w" }\n', ['cel-name-unknown']],
    ['result is no name', '      - { id: x, model: returns, value: ‹result }\n', ['cel-name-unknown']],
    ['unknown function', '      - { id: x, model: guard, when: "a.‹beginsWith(a)" }\n', ['cel-function-unknown']],
    ['function called the other way', '      - { id: x, model: guard, when: "‹startsWith(a, a)" }\n', ['cel-function-unknown']],
    ['regular expression', '      - { id: x, model: guard, when: \'a.‹matches("b")\' }\n', ['cel-function-forbidden']],
    ['arithmetic', '      - { id: x, model: guard, when: "size(a) ‹- 1 == 0" }\n', ['cel-function-forbidden']],
    ['wrong number of arguments', '      - { id: x, model: guard, when: "‹isHex(a)" }\n', ['cel-function-arity']],
    ['exception that no class declares', '      - { id: x, model: guard, throws: [{ type: ‹py:demo#Eror }] }\n', ['exception-unknown']],
    [
      'exception of a refusal',
      '      - { id: x, model: effect, operation: demo.read, dimensions: { path: a, range: a }, refuses: [{ type: ‹py:demo#Eror }] }\n',
      ['exception-unknown'],
    ],
    [
      'other callee without an entry',
      '      - { id: x, model: guard, throws: [{ as: { callee: ‹py:demo#g, arguments: [‹zz] } }] }\n',
      ['callee-unknown', 'cel-name-unknown'],
    ],
    ['no type', '      - { id: x, model: fresh, type: ‹"list<str" }\n', ['type-syntax']],
    ['type of too many arguments', '      - { id: x, model: fresh, type: ‹"list<str, str>" }\n', ['type-syntax']],
    ['type without entries', '      - { id: x, model: fresh, type: ‹"dict<str, py:demo#Nothing>" }\n', ['type-without-entry']],
    ['form behind an unconditional one', '      - { id: x, model: fresh }\n      - { id: ‹y, model: guard }\n', ['form-unreachable']],
    ['form behind one that is always true', '      - { id: x, when: "true", model: fresh }\n      - { id: ‹y, model: guard }\n', ['form-unreachable']],
    [
      'form behind two that cover it',
      '      - { id: x, versions: "<2", model: fresh }\n      - { id: y, versions: ">=2", model: fresh }\n      - { id: ‹z, when: a == 1, model: guard }\n',
      ['form-unreachable'],
    ],
    ['form in an empty range', '      - { id: ‹x, versions: ">=2,<2", model: fresh }\n      - { id: y, model: guard }\n', ['form-unreachable']],
    ['overlap', '      - { id: x, versions: "<3", model: fresh }\n      - { id: y, versions: ‹">=2", model: fresh }\n', ['versions-overlap']],
    [
      'gap between',
      withForms('      - { id: x, versions: "<2", model: fresh }\n      - { id: y, versions: ">2", model: fresh }\n').replace('    forms', '    ‹forms'),
      ['versions-gap'],
    ],
    ['gap before', withForms('      - { id: x, versions: ">=2", model: fresh }\n').replace('    forms', '    ‹forms'), ['versions-gap']],
    ['unknown operation', '      - { id: x, model: effect, operation: ‹demo.reed, dimensions: {} }\n', ['operation-unknown']],
    ['missing dimension', '      - { id: x, model: effect, operation: demo.read, ‹dimensions: { path: a } }\n', ['dimension-missing']],
    ['unknown dimension', '      - { id: x, model: context, operation: demo.read, dimensions: { path: a, range: a, ‹mode: a } }\n', ['dimension-unknown']],
    [
      'bad name in a dimension',
      '      - { id: x, model: effect, operation: demo.read, dimensions: { path: ‹b, range: ‹{ value: d } } }\n',
      ['cel-name-unknown', 'cel-name-unknown'],
    ],
    [
      'dimensions of a nested context',
      '      - { id: x, model: calls, closure: cb, context: { operation: demo.read, ‹dimensions: { path: a } } }\n',
      ['dimension-missing'],
    ],
    ['closure that is no parameter', '      - { id: x, model: calls, closure: ‹body }\n', ['parameter-unknown']],
    ['role without a field', '      - { id: x, model: registers, role: tool, ‹fields: { server: self, handler: cb, name: a } }\n', ['role-field-missing']],
    ['role with another field', '      - { id: x, model: registers, role: other, fields: { server: self, handler: cb, ‹name: a } }\n', ['role-field-unknown']],
    ['unfinished note', '      # ‹TODO: read the source again\n      - { id: x, model: fresh }\n', ['unfinished-text']],
  ])('%s', (_name, forms, codes) => {
    expectFindings(lintText, forms.startsWith(HEAD) ? forms : withForms(forms), codes);
  });

  it.each<[string, string, string[]]>([
    ['file of another name', HEAD.replace('inventory: demo', 'inventory: ‹other'), ['id-differs-from-file']],
    ['base that nothing declares', HEAD.replace('"py:builtins#Exception"', '‹"py:builtins#Exceptions"'), ['exception-unknown']],
    [
      'callee under another name',
      `${HEAD}aliases: { "py:demo#f": "py:demo.core#f" }\nentries: [{ callee: ‹"py:demo#f", forms: [{ id: x, model: fresh }] }]\n`,
      ['callee-not-canonical'],
    ],
    [
      'attribute with parameters',
      `${HEAD}entries: [{ callee: "py:demo#f", access: attribute, parameters: ‹a, forms: [{ id: x, model: fresh }] }]\n`,
      ['attribute-with-parameters'],
    ],
    [
      'range without a package',
      withForms('      - { id: x, versions: ‹">=1", model: fresh }\n').replace('package: pkg:pypi/demo\n', ''),
      ['versions-without-package'],
    ],
    ['constant that is none', `${HEAD}constants: { "py:demo#N": ‹other }\n`, ['cel-name-unknown']],
    ['callee of another inventory', `‹${HEAD}entries: [{ callee: "py:builtins#len", forms: [{ id: x, model: fresh }] }]\n`, ['inventory-conflict']],
    [
      'relation',
      `${withForms('      - { id: x, model: fresh }\n')}relations:\n  - { id: r, reason: why, if: { callee: py:demo#f, arguments: [p, ‹lonely] }, implies: { callee: ‹py:demo#g, arguments: [p, ‹free] }, when: "‹zz" }\n`,
      ['relation-variable-unused', 'callee-unknown', 'relation-variable-unbound', 'cel-name-unknown'],
    ],
  ])('%s', (_name, text, codes) => {
    expectFindings(lintText, text, codes);
  });
  it('asks nothing of operations where none are known', () => {
    const loaded = inventory('demo', withForms('      - { id: x, model: effect, operation: a.b, dimensions: {} }\n'));
    expect(lintInventory(loaded, { inventories: [BUILTINS] })).toEqual([]);
  });
  it('is silent about ranges that it cannot sample, instead of guessing', () => {
    expect(lintText(withForms('      - { id: x, versions: "~=1.2", model: fresh }\n      - { id: y, versions: ">=2rc1", model: fresh }\n'))).toEqual([]);
  });
});

const PROFILE = `id: demo-server/tool
version: 1
tool: tool
package: pkg:pypi/demo-server
language: python
entry: [{ function: "demo#main", parameters: [{ name: r, input: "option:root", type: str }] }]
inventories: [builtins]
operations: { demo.read: { description: d, dimensions: { path: {} } } }
inputs: { "option:root": { description: d } }
arguments: [{ name: path, types: [string] }]
assumptions: [{ id: one, text: t }]
reviewers: [ann]
`;

describe('lint of words', () => {
  it('finds names that are no parameters', () => {
    const text = (words: string): string => `${HEAD}entries:\n  - callee: py:demo#f\n    parameters: 'a'\n    words: { value: '${words}' }\n    forms: [{ id: f, model: fresh, throws: never }]\n`;
    expect(brief(lintText(text('the thing at {a} of {self}')))).toEqual([]);
    expect(brief(lintText(text('the thing at {b}')))).toEqual(['parameter-unknown@9:21']);
  });
});

describe('lint of a profile', () => {
  const lintOf = (text: string) =>
    lintProfile(
      loadProfile({ file: 'demo-server/tool.yaml', text }, () => undefined),
      [BUILTINS],
    );
  it('says nothing of a sound one', () => {
    expect(
      lintOf(`${PROFILE}domain: 'has(args.path) && args["path"] != ""'
bounds: [{ operation: demo.read, when: 'dimensions.path == args.path', reason: r }]
facts: [{ id: f, description: d, call: { callee: "py:builtins#len", arguments: [args.path, _, 'inputs["option:root"]'] }, throws: true }]
entries: [{ callee: "py:server#own", parameters: p, forms: [{ id: x, versions: "<2", model: effect, operation: demo.read, dimensions: { path: p } }, { id: y, model: guard }] }]
`),
    ).toEqual([]);
  });
  it.each<[string, string, string[]]>([
    ['id of another file', PROFILE.replace('demo-server/tool', '‹demo-server/other'), ['id-differs-from-file']],
    ['missing inventory', PROFILE.replace('[builtins]', '[‹builtin]'), ['inventory-missing']],
    ['no reviewers', `‹${PROFILE.replace('reviewers: [ann]\n', '')}`, ['reviewers-missing']],
    [
      'argument declared twice',
      PROFILE.replace('arguments: [', 'arguments: [{ name: path, types: [any] }, ').replace('{ name: path, types: [string]', '{ name: ‹path, types: [string]'),
      ['argument-duplicate'],
    ],
    ['undeclared input', PROFILE.replace('input: "option:root"', 'input: ‹"env:ROOT"'), ['input-undeclared']],
    ['type of an input', PROFILE.replace('type: str', 'type: ‹text'), ['type-syntax']],
    ['assumption not in kebab-case', PROFILE.replace('id: one', 'id: ‹One_1'), ['assumption-id']],
    ['assumption twice', PROFILE.replace('[{ id: one', '[{ id: one, text: u }, { id: ‹one'), ['assumption-id']],
    ['unknown argument in the domain', `${PROFILE}domain: ‹args.paths != null\n`, ['argument-unknown']],
    ['other name in the domain', `${PROFILE}domain: ‹inputs.x == args.path\n`, ['cel-name-unknown']],
    ['bound of an unknown operation', `${PROFILE}bounds: [{ operation: ‹demo.write, reason: r }]\n`, ['operation-unknown']],
    ['bound of an unknown dimension', `${PROFILE}bounds: [{ operation: demo.read, when: ‹"dimensions.mode == 1", reason: r }]\n`, ['dimension-unknown']],
    [
      'fact about an unknown callee',
      `${PROFILE}facts: [{ id: f, description: d, call: { callee: ‹"py:a#b", arguments: [‹args.nope] }, throws: true }]\n`,
      ['callee-unknown', 'argument-unknown'],
    ],
    [
      'own entry with an undeclared operation',
      `${PROFILE}entries: [{ callee: "py:a#b", forms: [{ id: x, model: effect, operation: ‹demo.write, dimensions: {} }] }]\n`,
      ['operation-unknown'],
    ],
    ['unfinished text', `${PROFILE}domain: 'args.path == "‹FIXME"'\n`, ['unfinished-text']],
  ])('%s', (_name, text, codes) => {
    expectFindings(lintOf, text, codes);
  });
  it('allows other arguments where the domain does', () => {
    expect(lintOf(`${PROFILE}additionalArguments: true\ndomain: args.other != null\n`)).toEqual([]);
  });
  it('refuses inventories of another language and conflicting ones', () => {
    const go = inventory('golib', 'inventory: golib\nlanguage: go\n');
    const twin = inventory('twin', 'inventory: twin\nlanguage: python\nentries: [{ callee: "py:builtins#len", forms: [{ id: x, model: fresh }] }]\n');
    const run = (names: string) =>
      lintProfile(
        loadProfile({ file: 'demo-server/tool.yaml', text: PROFILE.replace('[builtins]', names) }, () => undefined),
        [BUILTINS, go, twin],
      ).map((finding) => finding.code);
    expect(run('[builtins, golib]')).toEqual(['language-mismatch']);
    expect(run('[builtins, twin]')).toEqual(['inventory-conflict']);
  });
});

describe('lint of everything', () => {
  it('tells a finding of a shared pack once', () => {
    const pack = PROFILE.split('\n')
      .slice(3)
      .join('\n')
      .replace('reviewers: [ann]\n', '# FIXME\n')
      .replace(/arguments:.*\n/, '');
    const profile = (tool: string) =>
      loadProfile(
        { file: `demo-server/${tool}.yaml`, text: `pack: pack.yaml\nid: demo-server/${tool}\nversion: 1\ntool: ${tool}\nreviewers: [ann]\n` },
        () => ({ file: 'demo-server/pack.yaml', text: pack }),
      );
    const findings = lintAll([BUILTINS], [profile('a'), profile('b')]);
    expect(findings).toMatchObject([{ code: 'unfinished-text', file: 'demo-server/pack.yaml', severity: 'error' }]);
  });
  it('knows the operations of every profile', () => {
    const loaded = inventory('demo', withForms('      - { id: x, model: effect, operation: demo.reed, dimensions: {} }\n'));
    const profile = loadProfile({ file: 'demo-server/tool.yaml', text: PROFILE }, () => undefined);
    expect(lintAll([BUILTINS, loaded], [profile]).map((finding) => [finding.code, finding.fix])).toEqual([
      ['operation-unknown', expect.stringContaining('"demo.read"')],
    ]);
  });
});

describe('functions', () => {
  it('each have a meaning that begins with how it is written', () => {
    for (const entry of CEL_FUNCTIONS.values()) expect(entry.meaning).toMatch(entry.style === 'free' ? `\`${entry.name}(` : `\`x.${entry.name}(`);
  });
});
