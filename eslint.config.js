import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

/** One word for a bound: MAX_, MIN_ or DEFAULT_. */
const boundNames = [
  'VariableDeclarator > Identifier.id',
  ':function > Identifier.params',
  'Property > Identifier.key',
  'TSPropertySignature > Identifier.key',
].map((place) => ({
  selector: `${place}[name=/^(most|least|longest|shortest|farthest|fewest|usual)([_A-Z]|$)/i]`,
  message: 'Call a bound max, min or default (in capitals where it is a constant).',
}))

/** A number, a negative one, and one `as const`. */
const numericConstants = ['init.raw', 'init.argument.raw', 'init.expression.raw'].map((number) => ({
  selector: `:matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind=const] > VariableDeclarator[${number}=/^[0-9]/] > Identifier.id[name=/[a-z]/]`,
  message: 'Write the name of a constant number in capitals.',
}))

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'node_modules/**',
      'data/**',
      'models/**',
      'training/**',
      'clients/typescript/src/schema.ts',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { inheritedMethods: false, arguments: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Interfaces ask for promises where an implementation may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...boundNames],
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // In a test a number is an example, and reads as one.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...boundNames, ...numericConstants] },
  },
  {
    // Scripts run before anything is built and have no types; the rest holds for them too.
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    extends: [...tseslint.configs.recommended],
    rules: { eqeqeq: 'error', 'prefer-const': 'error', 'no-var': 'error' },
  },
  {
    // Answers in tests are looked into, not trusted: the assertions are the check.
    files: ['test/**', '**/*.test.ts'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'argument', 'call', 'return'].map((name) => [
        `@typescript-eslint/no-unsafe-${name}`,
        'off',
      ]),
    ),
  },
  {
    // What comes in from outside may be long and made to hurt: no pattern takes more than twice the time for twice the text.
    files: ['src/**', 'console/src/**', 'clients/typescript/src/**'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  {
    // A longer closure is two things: split it along its state.
    files: ['src/**', 'console/src/**'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 120, IIFEs: true }] },
  },
  {
    // What a terminal user reads is written to the terminal.
    files: ['src/cli/**', 'src/cli.ts', 'bench/**', 'test/**', 'clients/typescript/examples/**'],
    rules: { 'no-console': 'off' },
  },
)
