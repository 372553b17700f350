import { describe, expect, it } from 'vitest';
import { ProfileError, type Finding } from '../../../src/profile/finding.js';
import { loadInventory } from '../../../src/profile/load.js';

const HEAD = 'inventory: demo\nlanguage: python\npackage: pkg:pypi/demo\n';
const ENTRY = `${HEAD}entries:
  - callee: py:demo#f
    parameters: "a, *words, key=None"
    forms:
      - id: one
        model: observes
`;

const load = (text: string) => loadInventory({ file: 'demo.yaml', text }).inventory;

function failures(text: string): readonly Finding[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof ProfileError) return error.findings;
    throw error;
  }
  throw new Error('expected a ProfileError');
}

/** An inventory whose only form is this, from line 9 on. */
const withForm = (form: string) => `${HEAD}entries:\n  - callee: py:demo#f\n    parameters: "a, *words"\n    forms:\n      - id: one\n${form}`;

describe('loading an inventory', () => {
  it('fills in the defaults, and the unsafe ones fail closed', () => {
    const { entries } = load(ENTRY);
    expect(entries.get('py:demo#f')).toMatchObject({
      access: 'call',
      forms: [{ id: 'one', versions: '*', model: { kind: 'observes', disclosed: true }, throws: [{}] }],
    });
  });
  it('reads every kind of model', () => {
    const models: [string, object][] = [
      ['model: pure', { kind: 'pure', function: 'py:demo#f' }],
      ['model: pure\n        function: py.f', { kind: 'pure', function: 'py.f' }],
      ["model: observes\n        resource: '[a]'\n        disclosed: false", { kind: 'observes', resource: { text: '[a]' }, disclosed: false }],
      ['model: fresh', { kind: 'fresh' }],
      ['model: returns\n        value: a', { kind: 'returns', value: { text: 'a' } }],
      ['model: guard', { kind: 'guard' }],
      [`model: input\n        name: '"env:" + a'`, { kind: 'input', name: { text: '"env:" + a' } }],
      ['model: serves\n        server: self', { kind: 'serves', server: { text: 'self' } }],
      ['model: intrinsic\n        name: append', { kind: 'intrinsic', name: 'append' }],
      ['model: refuse\n        reason: not reviewed', { kind: 'refuse', reason: 'not reviewed' }],
      ['model: calls\n        closure: a\n        arguments: [self]', { kind: 'calls', closure: 'a', arguments: [{ text: 'self' }] }],
      [
        'model: registers\n        role: tool\n        fields: { server: self }',
        { kind: 'registers', role: 'tool', fields: new Map([['server', expect.objectContaining({ text: 'self' })]]), returns: 'none' },
      ],
      [
        'model: effect\n        operation: x.y\n        dimensions: { p: a, q: { value: words, exact: false } }',
        {
          kind: 'effect',
          operation: 'x.y',
          protective: false,
          baseline: false,
          refuses: [],
          dimensions: new Map([
            ['p', { value: expect.objectContaining({ text: 'a' }), exact: true }],
            ['q', { value: expect.objectContaining({ text: 'words' }), exact: false }],
          ]),
        },
      ],
      [
        'model: context\n        operation: x.y\n        dimensions: {}\n        value: a',
        { kind: 'context', operation: 'x.y', dimensions: new Map(), value: { text: 'a' } },
      ],
    ];
    for (const [yaml, model] of models) expect(load(withForm(`        ${yaml}\n`)).entries.get('py:demo#f')?.forms[0]?.model).toMatchObject(model);
  });
  it('tells "never" from saying nothing and from a list', () => {
    const throwsOf = (yaml: string) => load(withForm(`        model: guard\n${yaml}`)).entries.get('py:demo#f')?.forms[0]?.throws;
    expect(throwsOf('')).toEqual([{}]);
    expect(throwsOf('        throws: never\n')).toEqual([]);
    expect(throwsOf('        throws: []\n')).toEqual([]);
    expect(throwsOf('        throws: [{ type: py:x#E, as: { callee: py:demo#g, arguments: [a] } }]\n')).toMatchObject([
      { type: 'py:x#E', as: { callee: 'py:demo#g', arguments: [{ text: 'a' }] } },
    ]);
  });

  it.each<[string, string, string, number, number, RegExp]>([
    ['unknown key', `${HEAD}modulse: [demo]\n`, 'schema-unknown-key', 4, 1, /Did you mean "modules"/],
    ['unknown key in an entry', `${ENTRY}    frms: []\n`, 'schema-unknown-key', 10, 5, /Did you mean "forms"/],
    ['key of another model', withForm('        model: guard\n        value: a\n'), 'schema-unknown-key', 10, 9, /Keys here are/],
    [
      'unknown key in a throw',
      withForm('        model: guard\n        throws:\n          - { typ: py:x#E }\n'),
      'schema-unknown-key',
      11,
      15,
      /Did you mean "type"/,
    ],
    ['missing language', 'inventory: demo\n', 'schema-missing-key', 1, 1, /Add "language"/],
    ['missing key of a model', withForm('        model: returns\n'), 'schema-missing-key', 8, 9, /Add "value"/],
    ['missing model', withForm('        type: str\n'), 'schema-missing-key', 8, 9, /Add "model", one of: pure/],
    ['misspelt model', withForm('        model: observe\n'), 'schema-not-allowed', 9, 16, /Did you mean "observes"/],
    ['text where a list belongs', `${HEAD}modules: demo\n`, 'schema-wrong-type', 4, 10, /a module|modules/],
    ['boolean where an expression belongs', withForm('        model: guard\n        when: true\n'), 'schema-wrong-type', 10, 15, /in quotes/],
    ['misspelt throws', withForm('        model: guard\n        throws: nothing\n'), 'schema-not-allowed', 10, 17, /"never"/],
    ['the document is a list', '- x\n', 'schema-wrong-type', 1, 1, /\.$/],
    ['no such language', 'inventory: demo\nlanguage: ruby\n', 'schema-not-allowed', 2, 11, /python, typescript/],
    ['id not in kebab-case', 'inventory: Demo_1\nlanguage: python\n', 'schema-not-allowed', 1, 12, /must match/],
    ['key that is no identity', `${HEAD}classes: { Error: [] }\n`, 'schema-not-allowed', 4, 12, /must match/],
    ['no forms', `${HEAD}entries:\n  - callee: py:demo#f\n    forms: []\n`, 'schema-not-allowed', 6, 12, /\.$/],
    ['package with a version', 'inventory: demo\nlanguage: python\npackage: pkg:pypi/demo@1\n', 'schema-not-allowed', 3, 10, /without a version/],
    ['package of another language', 'inventory: demo\nlanguage: python\npackage: pkg:npm/demo\n', 'language-mismatch', 3, 10, /pkg:pypi/],
    ['callee of another language', ENTRY.replace('py:demo', 'js:demo'), 'language-mismatch', 5, 13, /begin with "py:"/],
    ['class of another language', `${HEAD}classes:\n  js:demo#E: []\n`, 'language-mismatch', 5, 3, /begin with "py:"/],
    ['base of another language', `${HEAD}classes:\n  py:demo#E: [js:demo#F]\n`, 'language-mismatch', 5, 15, /begin with "py:"/],
    ['alias of another language', `${HEAD}aliases:\n  py:demo#E: js:demo#F\n`, 'language-mismatch', 5, 14, /begin with "py:"/],
    ['bad CEL, unquoted', withForm('        model: guard\n        when: a.contains("x"\n'), 'cel-syntax', 10, 29, /expression/],
    ['bad CEL, quoted', withForm("        model: guard\n        when: 'a ==='\n"), 'cel-syntax', 10, 20, /expression/],
    ['unsupported CEL', withForm("        model: returns\n        value: a + b'x'\n"), 'cel-unsupported', 10, 20, /expression/],
    ['bad CEL in a dimension', withForm('        model: effect\n        operation: x\n        dimensions: { p: "a +" }\n'), 'cel-syntax', 11, 30, /expression/],
    [
      'bad CEL in a dimension with exactness',
      withForm('        model: effect\n        operation: x\n        dimensions: { p: { value: "+" } }\n'),
      'cel-syntax',
      11,
      36,
      /expression/,
    ],
    ['bad CEL in a constant', `${HEAD}constants: { "py:demo#X": "(" }\n`, 'cel-syntax', 4, 29, /expression/],
    ['bad range', withForm('        versions: newer\n        model: guard\n'), 'range-unreadable', 9, 19, /Write "\*"/],
    ['empty range', withForm('        versions: ">="\n        model: guard\n'), 'range-unreadable', 9, 19, /Write "\*"/],
    ['bad parameters', ENTRY.replace('*words', '*words words'), 'parameters-syntax', 6, 21, /Write parameters/],
    ['default that is a name', ENTRY.replace('None', 'none'), 'default-not-constant', 6, 33, /Write parameters/],
    ['duplicate callee', `${ENTRY}  - callee: py:demo#f\n    forms: [{ id: x, model: guard }]\n`, 'duplicate-callee', 10, 13, /one entry/],
    ['duplicate form', `${ENTRY}      - id: one\n        model: guard\n`, 'duplicate-id', 10, 13, /own id/],
    ['duplicate key', `${HEAD}language: go\n`, 'yaml-duplicate-key', 4, 1, /Keep one/],
    ['broken YAML', `${HEAD}entries: [\n`, 'yaml-syntax', 5, 1, /Correct the YAML/],
  ])('refuses: %s', (_name, text, code, line, column, fix) => {
    const [first, ...rest] = failures(text);
    expect([first, rest]).toMatchObject([{ code, file: 'demo.yaml', line, column, severity: 'error' }, []]);
    expect(first?.fix).toMatch(fix);
  });
  it('tells every problem of a file at once, and the first in its message', () => {
    const text = `${ENTRY.replace('py:demo', 'js:demo')}        when: "("\n        versions: nope\n`;
    expect(
      failures(text)
        .map((finding) => finding.code)
        .sort(),
    ).toEqual(['cel-syntax', 'language-mismatch', 'range-unreadable']);
    expect(() => load(text)).toThrow(/^demo\.yaml:\d+:\d+: .* \(and 2 more\)$/);
  });
  it('refuses a relation twice, of another language or with a bad condition', () => {
    const relation = (id: string, callee: string, when: string) =>
      `  - { id: ${id}, reason: r, if: { callee: ${callee}, arguments: [p] }, implies: { callee: py:demo#f, arguments: [p] }, when: "${when}" }\n`;
    const text = `${ENTRY}relations:\n${relation('a', 'py:demo#f', 'true')}${relation('a', 'js:demo#f', '(')}`;
    expect(failures(text).map(({ code, line }) => [code, line])).toEqual([
      ['cel-syntax', 12],
      ['language-mismatch', 12],
      ['duplicate-id', 12],
    ]);
  });
});

describe('digests', () => {
  const digest = (text: string) => load(text).digest;
  const entryDigest = (text: string) => load(text).entries.get('py:demo#f')?.digest;
  it('are those of the meaning, not of the writing', () => {
    const rewritten = `# a comment\nentries:\n- forms: [{ model: observes, disclosed: true, versions: "*", id: one }]\n  access: call\n  parameters: 'a, *words,  key=null'\n  callee: "py:demo#f"\n${HEAD}modules: []\n`;
    expect(digest(rewritten)).toBe(digest(ENTRY));
    expect(digest(ENTRY)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
  it.each([
    ['a form id', 'id: one', 'id: two'],
    ['a model', 'model: observes', 'model: fresh'],
    ['a parameter default', 'key=None', 'key=True'],
    ['a parameter name', 'key=', 'kee='],
    ['a form added', 'model: observes', 'model: observes\n      - id: two\n        model: guard'],
    ['what it throws', 'model: observes', 'model: observes\n        throws: never'],
  ])('change with %s', (_name, from, to) => {
    expect(ENTRY).toContain(from);
    expect(entryDigest(ENTRY.replace(from, to))).not.toBe(entryDigest(ENTRY));
    expect(digest(ENTRY.replace(from, to))).not.toBe(digest(ENTRY));
  });
  it('of an entry do not depend on its neighbours', () => {
    const text = `${ENTRY}  - callee: py:demo#g\n    forms: [{ id: x, model: guard }]\n`;
    expect(entryDigest(text)).toBe(entryDigest(ENTRY));
    expect(digest(text)).not.toBe(digest(ENTRY));
  });
});
