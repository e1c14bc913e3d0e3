import js from '@eslint/js'
import tseslint from 'typescript-eslint'
import { layers } from './eslint/layers.js'
import { quietImports } from './eslint/quietImports.js'

export default tseslint.config(
  { ignores: ['node_modules/', 'src/core/*.gen.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // typed arrays and checked indices
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'the page shows text, never HTML' },
        {
          selector: "JSXAttribute[name.name='style'] > Literal",
          message: 'a style attribute breaks the content security policy',
        },
      ],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**'],
    plugins: { page: { rules: { layers, 'quiet-imports': quietImports } } },
    rules: { 'page/layers': 'error' },
  },
  {
    files: ['src/**'],
    ignores: ['src/main.tsx', 'src/**/*.worker.ts', 'src/**/*.test.ts'],
    rules: { 'page/quiet-imports': 'error' },
  },
  {
    files: ['src/**'],
    ignores: ['src/core/link.ts', 'src/**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'WebSocket', message: 'only core/link.ts knows the socket' }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/scene/**'],
    rules: {
      'no-restricted-imports': ['error', { name: 'three', message: 'only scene draws with three.js' }],
    },
  },
  {
    files: ['src/core/gestures/**', 'src/features/**/{dragPin,dragSlider,dragKeys,inRegion,bindMarker}.ts'],
    ignores: ['src/**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!.*/(pointer|orbit|brush|intents|protocol\\.gen|vec)$)',
              message: 'a gesture turns pointers into intents; it draws nothing, stores nothing, knows no socket',
            },
          ],
        },
      ],
    },
  },
)
