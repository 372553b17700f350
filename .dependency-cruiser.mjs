// The layering of DESIGN section 2, as rules. A folder of src imports only folders that come before it here.
const ORDER = [
  'base',
  'audit',
  'release',
  'ir',
  'frontends',
  'profile',
  'analysis',
  'semantics',
  'compatibility', 'pipeline',
  'certificate',
  'review',
  'registration',
  'formation',
  'admission',
  'stores',
  'fence',
  'gateway',
  'cli',
];

const downwardOnly = ORDER.map((folder, index) => ({
  name: `${folder}-imports-only-folders-before-it`,
  severity: 'error',
  comment: `src/${folder} may import only: ${['itself', ...ORDER.slice(0, index)].join(', ')}. Move what is shared downwards.`,
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(?:${ORDER.slice(0, index + 1).join('|')})/` },
}));

const HOSTS = '^src/(?:release|audit|stores|gateway|cli)/|/host\\.ts$';

export default {
  forbidden: [
    ...downwardOnly,
    {
      name: 'ir-is-a-leaf',
      severity: 'error',
      comment: 'The intermediate representation imports base only, so that every stage may know it.',
      from: { path: '^src/ir/' },
      to: { path: '^src/', pathNot: '^src/(?:base|ir)/' },
    },
    {
      name: 'no-folder-outside-the-order',
      severity: 'error',
      comment: 'A new folder of src gets its place in the order above.',
      from: { path: '^src/', pathNot: `^src/(?:${ORDER.join('|')})/` },
      to: {},
    },
    {
      name: 'no-circle',
      severity: 'error',
      comment:
        'Files that import each other are one file or need a third. Lowering and evaluation walk a recursive tree by mutual recursion, so they are excepted.',
      from: { path: '^src/', pathNot: '^src/(?:frontends|analysis|semantics)/' },
      to: { circular: true },
    },
    {
      name: 'languages-know-nothing-of-each-other',
      severity: 'error',
      comment: 'What two languages share lives beside their folders in src/frontends.',
      from: { path: '^src/frontends/([^/]+)/' },
      to: { path: '^src/frontends/[^/]+/', pathNot: '^src/frontends/$1/' },
    },
    {
      name: 'parsers-only-in-frontends',
      severity: 'error',
      comment: 'Nothing but a frontend knows a language.',
      from: { path: '^src/', pathNot: '^src/frontends/' },
      to: { path: '(?:^|/)node_modules/(?:web-tree-sitter|tree-sitter-[^/]+|ts-morph|@babel/[^/]+|typescript)/' },
    },
    {
      name: 'outside-world-only-in-hosts',
      severity: 'error',
      comment: 'Files, network and processes are touched only in release, audit, stores, gateway, cli and files named host.ts.',
      from: { path: '^src/', pathNot: HOSTS },
      to: { path: '^(?:node:)?(?:fs|fs/promises|net|tls|http|https|http2|dgram|dns|dns/promises|child_process|worker_threads|cluster|os)$' },
    },
    {
      name: 'src-imports-no-tests',
      severity: 'error',
      comment: 'Tests import the product, never the other way.',
      from: { path: '^src/' },
      to: { path: '^(?:test|bench)/' },
    },
    {
      name: 'src-imports-no-dev-dependencies',
      severity: 'error',
      comment: 'What the product needs at run time belongs to dependencies in package.json.',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'nothing-unresolvable', severity: 'error', comment: 'The import leads nowhere.', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: a type-only import upwards is a dependency of the idea all the same.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
