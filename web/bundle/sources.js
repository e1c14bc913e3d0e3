/** A digest of all sources of the page beside it, by which hatch_build.py knows whether the page is made of them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, URL } from 'node:url'

export const FILE = 'sources.sha256'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A plugin that writes the digest beside the page. */
export function sources() {
  return {
    name: 'sources',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: digest(ROOT) })
    },
  }
}

/** The SHA-256 of the lines "path sha256", one for each file below a folder but what npm installs. */
export function digest(folder) {
  const lines = paths(folder)
    .sort()
    .map((path) => `${path} ${sha256(readFileSync(join(folder, path)))}\n`)
  return sha256(lines.join(''))
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

function paths(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .flatMap((entry) => (entry.isDirectory() ? paths(folder, `${below}${entry.name}/`) : [`${below}${entry.name}`]))
}
