import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules/', 'src/core/protocol.gen.ts'] },
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
    ignores: ['src/core/link.ts', 'src/**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'WebSocket', message: 'only core/link.ts knows the socket' }],
    },
  },
  {
    files: ['src/core/gestures/**', 'src/features/**/{dragPin,dragSlider,dragKeys,inRegion,bindMarker}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: 'link$|three|scene/|widgets/|core/(document|view|pose|selection)$',
              message: 'a gesture turns pointers into intents; it draws nothing, stores nothing, knows no socket',
            },
          ],
        },
      ],
    },
  },
)
