import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

// The page formats and draws; what it shows is computed by the core (no number of its own making).
const computedByTheCore = ['exp', 'sqrt', 'random', 'log', 'tanh'].map((property) => ({
  object: 'Math',
  property,
  message: 'The core computes; the page only shows.',
}));

export default ts.config(
  { ignores: ['node_modules', 'playwright-report', 'test-results'] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.worker.json', './tsconfig.node.json'],
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true }],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    files: ['src/page/**', 'src/shared/**'],
    rules: { 'no-restricted-properties': ['error', ...computedByTheCore] },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/pages/*'], message: 'pages/ runs in Node, while the site is built.' },
          ],
        },
      ],
    },
  },
  {
    files: ['pages/**', '*.config.*'],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
  {
    // Every file system has an order of its own; the same sources have to give the same bytes.
    files: ['pages/**'],
    ignores: ['pages/folder.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        ...['node:fs', 'node:fs/promises'].map((name) => ({
          name,
          importNames: ['readdir', 'readdirSync', 'globSync', 'glob', 'opendir', 'opendirSync'],
          message: 'folder.ts reads folders, in the order of the names.',
        })),
      ],
    },
  },
  {
    // Plain scripts of their own, and this file: none belongs to a TypeScript project.
    files: ['**/*.js', '**/*.mjs'],
    extends: [ts.configs.disableTypeChecked],
  },
  prettier,
);
