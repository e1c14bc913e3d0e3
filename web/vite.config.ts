import { defineConfig } from 'vitest/config'

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
  worker: { format: 'es' },
  test: { include: ['src/**/*.test.ts', 'eslint/**/*.test.js'], environment: 'node' },
})
