/** The licences of all packages that are bundled with the page, as one file beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, URL } from 'node:url'

export const FILE = 'licenses.txt'
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MODULES = '/node_modules/'
const TEXTS = /^(licen[cs]e|copying|notice)/i

/** Plugins for the page and for its workers: both look at what is bundled, the one of the page writes the file. */
export function licenses() {
  const folders = new Set()
  const look = (bundle) => {
    for (const chunk of Object.values(bundle))
      for (const id of chunk.moduleIds ?? []) {
        const folder = packageFolder(id)
        if (folder) folders.add(folder)
      }
  }
  return {
    worker: { name: 'bundled-packages', generateBundle: (_, bundle) => look(bundle) },
    page: {
      name: 'licenses',
      generateBundle(_, bundle) {
        look(bundle)
        this.emitFile({ type: 'asset', fileName: FILE, source: notice([...folders]) })
      },
    },
  }
}

/** The folder of the package that a bundled module is from; null for our own modules. */
export function packageFolder(id, root = ROOT) {
  const path = id.replaceAll('\\', '/').split('?')[0]
  if (path.startsWith('\0')) {
    // Code that the bundler adds: \0rolldown/runtime.js is from the package rolldown.
    const folder = join(root, 'node_modules', nameIn(path.slice(1)))
    return existsSync(folder) ? folder : null
  }
  const at = path.lastIndexOf(MODULES)
  return at < 0 ? null : path.slice(0, at + MODULES.length) + nameIn(path.slice(at + MODULES.length))
}

const nameIn = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')

/** The text of the file; throws where a package has no text of its licence. */
export function notice(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter((file) => TEXTS.test(file))
    const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
    if (!texts.some(Boolean)) throw new Error(`${name} is bundled with the page, but has no text of its licence`)
    const title = `${name} ${version} (${license})`
    return `${title}\n${'='.repeat(title.length)}\n\n${texts.join('\n\n')}\n`
  })
  const head =
    'Facewright is licensed under Apache-2.0. Its page contains these packages, each under its own licence.\n'
  return [head, ...parts.sort()].join('\n\n')
}
