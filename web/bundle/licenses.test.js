import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, URL } from 'node:url'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FILE, notice, packageFolder } from './licenses.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'licenses-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const install = (name, files) => {
  const own = join(folder, 'node_modules', name)
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text)
  return own
}

test('packages are found by the places of their modules', () => {
  expect(packageFolder('/a/node_modules/three/build/three.js?x', '/a')).toBe('/a/node_modules/three')
  expect(packageFolder('/a/node_modules/b/node_modules/@c/d/e.js', '/a')).toBe('/a/node_modules/b/node_modules/@c/d')
  expect(packageFolder('C:\\a\\node_modules\\three\\x.js', 'C:\\a')).toBe('C:/a/node_modules/three')
  expect(packageFolder('/a/src/main.ts', '/a')).toBeNull()
  const own = install('bundler', {})
  expect(packageFolder('\0bundler/runtime.js', folder)).toBe(own)
})

test('a package without the text of its licence is refused', () => {
  const [has, has_not] = [install('good', { LICENSE: 'Do what you like.' }), install('bad', { 'README.md': 'MIT' })]
  expect(notice([has])).toContain('good 1.2.3 (MIT)\n================\n\nDo what you like.')
  expect(() => notice([has, has_not])).toThrow('bad is bundled with the page, but has no text of its licence')
  writeFileSync(join(has_not, 'LICENSE.txt'), ' \n')
  expect(() => notice([has_not])).toThrow('bad')
})

test('every package that is really bundled has its licence beside the page', { timeout: 120_000 }, async () => {
  const { output } = await build({ root: ROOT, logLevel: 'silent', build: { write: false } })
  const text = output.find((file) => file.fileName === FILE).source
  const modules = output.flatMap((file) => file.moduleIds ?? [])
  const bundled = new Set(modules.map((id) => packageFolder(id)).filter(Boolean))
  expect(bundled.size).toBeGreaterThan(3)
  for (const each of bundled) {
    const { name, version } = JSON.parse(readFileSync(join(each, 'package.json'), 'utf8'))
    expect(text).toContain(`${name} ${version} (`)
  }
  expect(text).toContain(readFileSync(join(ROOT, 'node_modules/three/LICENSE'), 'utf8').trim())
})
