// Strict, type-aware linting. A rule that is off here is off with its reason.
import tseslint from 'typescript-eslint';

const houseStyle = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'ExportAllDeclaration', message: 'Export names one by one, so that a reader sees what a file gives.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
];

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', '**/*.js', '**/*.mjs', '**/*.cjs', 'test/fixtures/'] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `return report(…)` ends a branch in one line.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Index reads after a length check; the compiler cannot see that they are there (noUncheckedIndexedAccess).
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `[...text]` goes by code points, which is what is meant.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Keys of records from documents are data, also when they look like names.
      '@typescript-eslint/dot-notation': 'off',
      // A union with a literal and `string` documents the known values.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      'no-restricted-syntax': ['error', ...houseStyle],
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // The evaluator stops by setting a flag inside a call, which the compiler's narrowing does not see.
    files: ['src/analysis/**/*.ts', 'src/semantics/**/*.ts'],
    rules: { '@typescript-eslint/no-unnecessary-condition': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', '*.ts'],
    rules: {
      // A wrong assumption in a test fails the test, which is what it is for.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'off',
    },
  },
  { files: ['vitest.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
