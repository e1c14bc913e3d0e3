/** The widget of notebooks: the same scene and controls as the studio's, bundled into one file. */
import { defineConfig } from 'vite'
import { licenses } from './bundle/licenses.js'

const { page, worker } = licenses()

export default defineConfig({
  build: {
    outDir: '../src/facewright/notebook/static',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: 'src/notebook/index.tsx',
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: 'view.js', codeSplitting: false },
    },
  },
  resolve: {
    alias: [{ find: /^\.\/occlusionWorker$/, replacement: '/src/notebook/inlineOcclusionWorker.ts' }],
  },
  plugins: [page],
  worker: { format: 'es', plugins: () => [worker] },
})
