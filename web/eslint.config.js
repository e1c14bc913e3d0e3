import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules/', 'src/protocol.gen.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // typed arrays and checked indices
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'the page shows text, never HTML' },
        { selector: "JSXAttribute[name.name='style'] > Literal", message: 'a style attribute breaks the content security policy' },
      ],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/gestures/**', 'src/panels/**', 'src/scene/**', 'src/state/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'WebSocket', message: 'only link.ts knows the socket' }],
    },
  },
  {
    files: ['src/gestures/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: 'link$|three|panels/|scene/|state/', message: 'a gesture turns pointers into intents; it draws nothing, stores nothing, knows no socket' }] },
      ],
    },
  },
)
