/** Which file of `src` may import which, type imports included; and that no files import each other in a circle. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** A layer may import its own files and those of earlier rows. A feature may not import another one. */
export const LAYERS = [['core'], ['scene'], ['widgets'], ['features', 'notebook'], ['app'], ['main']]

const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** The layer of a path below `src`, such as `core/link.ts`; '' for what is in none, such as a style sheet. */
export function layerOf(path) {
  const [first] = path.split('/')
  if (first === 'main.tsx') return 'main'
  return LAYERS.flat().includes(first) && path.includes('/') ? first : ''
}

/** The feature of a path; '' for `features/feature.ts`, which all features share, and for other layers. */
export function featureOf(path) {
  const parts = path.split('/')
  return parts[0] === 'features' && parts.length > 2 ? parts[1] : ''
}

/** Why one path may not import another; '' if it may. */
export function objection(from, to) {
  const [own, other] = [layerOf(from), layerOf(to)]
  if (!own || !other) return ''
  const row = (layer) => LAYERS.findIndex((names) => names.includes(layer))
  if (row(other) > row(own) || (row(other) === row(own) && other !== own)) return `${own} may not import ${other}`
  const [mine, theirs] = [featureOf(from), featureOf(to)]
  if (own === 'features' && other === 'features' && theirs && mine !== theirs)
    return `the feature ${mine || 'contract'} may not import the feature ${theirs}: what both need belongs in core`
  return ''
}

/** The file that a relative import means; null if there is none. */
export function resolved(file, specifier) {
  const base = resolve(dirname(file), specifier)
  return ENDINGS.map((ending) => base + ending).find((path) => existsSync(path) && statSync(path).isFile()) ?? null
}

/** Files below a folder, by what they import. */
export function graphOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file) {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, specifier]) => resolved(file, specifier))
  return found.filter((path) => path !== null && /\.tsx?$/.test(path))
}

/** For each file in a circle of imports the way round, from the file to itself. */
export function circlesIn(graph) {
  const circles = new Map()
  for (const start of graph.keys()) {
    const way = wayBack(graph, start)
    if (way) circles.set(start, way)
  }
  return circles
}

/** The shortest way from a file along its imports back to it; null if there is none. */
function wayBack(graph, start) {
  const before = new Map()
  const queue = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) {
        const way = [start]
        for (let back = at; back !== start; back = before.get(back)) way.unshift(back)
        return [start, ...way]
      }
      if (before.has(next)) continue
      before.set(next, at)
      queue.push(next)
    }
  }
  return null
}

const SRC = resolve(import.meta.dirname, '..', 'src')
const named = (path) => relative(SRC, path).split(sep).join('/')
let circles = null // found once for all files

export const layers = {
  meta: { type: 'problem', schema: [], messages: { wrong: '{{why}}' } },
  create(context) {
    const check = (node, source) => {
      const to =
        source &&
        typeof source.value === 'string' &&
        source.value.startsWith('.') &&
        resolved(context.filename, source.value)
      const why = to ? objection(named(context.filename), named(to)) : ''
      if (why) context.report({ node, messageId: 'wrong', data: { why } })
    }
    return {
      Program(node) {
        circles ??= circlesIn(graphOf(SRC))
        const way = circles.get(context.filename)
        if (way)
          context.report({
            node,
            messageId: 'wrong',
            data: { why: `a circle of imports: ${way.map(named).join(' -> ')}` },
          })
      },
      ImportDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source),
      'NewExpression[callee.name="URL"]': (node) => check(node, node.arguments[0]),
    }
  },
}
