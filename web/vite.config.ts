import { defineConfig } from 'vitest/config'
import { licenses } from './bundle/licenses.js'
import { sources } from './bundle/sources.js'

const { page, worker } = licenses()

export default defineConfig({
  base: '/',
  build: {
    outDir: '../src/facewright/studio/static',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The content security policy allows our own files only: nothing may be inlined as a data address.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  plugins: [page, sources()],
  worker: { format: 'es', plugins: () => [worker] },
  test: { include: ['src/**/*.test.ts', 'eslint/**/*.test.js', 'bundle/**/*.test.js'], environment: 'node' },
})
