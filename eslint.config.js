import js from '@eslint/js'
import tseslint from 'typescript-eslint'
import { commentSubject } from './scripts/lint/comment-subject.mjs'

/** Settings are read here and passed on; the files below the gap hand their own environment to a child, or replace it. */
const readersOfTheEnvironment = [
  '**/env.ts',
  '**/main.ts',
  'packages/boot/src/{settings-or-exit,logger}.ts',
  'apps/cli/src/run-process.ts',
  'apps/standalone/src/{build,end-with-npm}.ts',

  'apps/cli/src/git.ts',
  'apps/daemon/src/run-daemon.ts',
  'apps/daemon/src/repository/git.ts',
  'apps/daemon/src/runtimes/pi/server/late-environment.ts',
  'apps/daemon/src/warm/wait-for-session.ts',
  'apps/standalone/src/demo/run-command.ts',
  'packages/db/src/embedded/cluster.ts',
  'packages/git/src/commits/signing.ts',
  'packages/sandbox/src/**/guest/boot.ts',
]

export default tseslint.config(
  // The builds, which may run beside the linter, put their compiled settings beside the settings for a moment.
  { ignores: ['**/dist/**', '**/*.bundled_*', '**/node_modules/**', '.data/**', '.turbo/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    plugins: { svc: { rules: { 'comment-subject': commentSubject } } },
    rules: { 'svc/comment-subject': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommended],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './apps/dashboard/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
      ],
      'no-control-regex': 'off',
    },
  },
  {
    // A verb asks the database's package; that alone knows tables.
    files: ['packages/{context,services,identity,platform}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        {
          selector: 'MemberExpression[property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]',
          message: 'Queries stand in packages/db, a function each.',
        },
        { selector: "TaggedTemplateExpression[tag.name='sql']", message: 'Queries stand in packages/db.' },
      ],
    },
  },
  {
    files: ['{apps,packages}/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**', ...readersOfTheEnvironment],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Settings are read in env.ts and main.ts and passed on.',
        },
      ],
    },
  },
  {
    files: ['**/*.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['apps/dashboard/src/**/*.js'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly' } },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
)
