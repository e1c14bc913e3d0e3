// `node transcode.mjs web/node_modules/three IN OUT ...`: the first level of KTX2 files as RGBA bytes, by Basis Universal's
// own transcoder as three.js ships it. A line for each: width, height, whether it has alpha; or what went wrong.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const RGBA32 = 13
const [three, ...paths] = process.argv.slice(2)
const folder = join(three, 'examples/jsm/libs/basis')
const program = readFileSync(join(folder, 'basis_transcoder.js'), 'utf8') // an old-style script, which Node takes for a module
const BASIS = new Function('require', '__dirname', `${program}; return BASIS`)(createRequire(import.meta.url), folder)
const basis = await BASIS({ wasmBinary: readFileSync(join(folder, 'basis_transcoder.wasm')) })
basis.initializeBasis()

for (let i = 0; i < paths.length; i += 2) {
  const file = new basis.KTX2File(new Uint8Array(readFileSync(paths[i])))
  if (!file.isValid() || !file.startTranscoding()) console.log('refused')
  else {
    const out = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA32))
    const done = file.transcodeImage(out, 0, 0, 0, RGBA32, 0, -1, -1)
    writeFileSync(paths[i + 1], out)
    console.log(done ? `${file.getWidth()} ${file.getHeight()} ${file.getHasAlpha()}` : 'failed')
  }
  file.close()
  file.delete()
}
