// `npm install --no-save ktx2-encoder@0.6.0 && node encode.mjs`: makes the .ktx2 files here anew, from pictures painted below.
// Tests do not run it; the encoder (Basis Universal's) is not installed for them.
import { writeFileSync } from 'node:fs'
import { encodeToKTX2 } from 'ktx2-encoder'

/** Waves of colour, a disc with hard edges, grain; as RGBA. */
function painted(width, height, { grey = false, opacity = false, grain = 0 }) {
  const data = new Uint8Array(4 * width * height)
  let seed = 7
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff
      const noise = ((seed >> 16) / 0x7fff - 0.5) * grain
      const disc = Math.hypot(x - 0.6 * width, y - 0.4 * height) < 0.25 * height
      const wave = (k, phase) => 128 + 100 * Math.sin(k * x + phase) * Math.cos(0.7 * k * y) + (disc ? 60 : 0) + noise
      const color = [wave(0.11, 0), grey ? wave(0.11, 0) : wave(0.07, 2), grey ? wave(0.11, 0) : wave(0.19, 4)]
      data.set([...color.map((c) => Math.max(0, Math.min(255, c))), opacity ? (disc ? 40 : 255 - x) : 255], 4 * (y * width + x))
    }
  }
  return { width, height, data }
}

const FILES = {
  'etc1s': [painted(96, 64, { grain: 30 }), { isUASTC: false, qualityLevel: 200, generateMipmap: true }],
  'etc1s-alpha': [painted(93, 61, { opacity: true }), { isUASTC: false, qualityLevel: 128, generateMipmap: true }],
  'etc1s-grey': [painted(70, 50, { grey: true, grain: 60 }), { isUASTC: false, qualityLevel: 255 }],
  'etc1s-tiny': [painted(3, 2, {}), { isUASTC: false, qualityLevel: 255 }],
  'uastc-zstd': [painted(93, 61, { opacity: true, grain: 10 }), { isUASTC: true, needSupercompression: true }],
  'uastc': [painted(45, 37, { grain: 10 }), { isUASTC: true, needSupercompression: false }],
}
for (const [name, [picture, options]] of Object.entries(FILES)) {
  const file = await encodeToKTX2(new Uint8Array(0), { generateMipmap: false, ...options, imageDecoder: async () => picture })
  writeFileSync(new URL(`${name}.ktx2`, import.meta.url), file)
}
