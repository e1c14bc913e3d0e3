/** Regions of the face: a tree of them, which vertex belongs where, which one is chosen. */
import { batch, computed, signal } from '@preact/signals'
import type { RegionMap } from './frames'
import type { RegionInfo } from './frames'

/** Vertex i belongs to region[k], one of the finest, by share[k], k from starts[i] to starts[i + 1]. */
export type Shares = RegionMap['arrays']

export const WHOLE = ''

export const region = signal(WHOLE) // name of the chosen one
export const level = signal(0) // of regions, 0 the finest

export const regions = signal<RegionInfo[]>([])
export const shares = signal<Shares | null>(null)
export const hovered = signal<number | null>(null) // under the pointer, on the face or in the list

export function applyRegions(frame: RegionMap): void {
  batch(() => {
    regions.value = frame.regions
    shares.value = frame.regions.length ? frame.arrays : null
    hovered.value = null
  })
}

/** For each level its regions; the last, the whole face alone, is left out where there are others. */
export const levels = computed<number[][]>(() => {
  const all = regions.value
  if (!all.length) return []
  const count = all[all.length - 1].level + 1
  const made = Array.from({ length: count }, (_, at) => nodesAt(all, at))
  return count > 1 ? made.slice(0, -1) : made
})

function nodesAt(all: RegionInfo[], at: number): number[] {
  return [...all.keys()].filter((node) => {
    const { level, parent } = all[node]
    return level <= at && (parent < 0 || at < all[parent].level)
  })
}

/** The level that is shown; 0 is the finest. */
export const shownLevel = computed(() =>
  Math.min(Math.max(Math.round(level.value), 0), Math.max(levels.value.length - 1, 0)),
)
export const shownNodes = computed(() => levels.value[shownLevel.value] ?? [])
export const finestCount = computed(() => levels.value[0]?.length ?? 0)

/** The chosen region, -1 for the whole face. */
export const chosenNode = computed(() => {
  const at = regions.value.findIndex((each) => each.name === region.value)
  return at >= 0 && regions.value[at].parent >= 0 ? at : -1
})
export const chosenName = computed(() => regions.value[chosenNode.value]?.name ?? WHOLE)

/** A region and all that contain it, the smallest first, without the whole face. */
export function pathOf(node: number): number[] {
  const path: number[] = []
  for (let at = node; at >= 0 && (regions.value[at]?.parent ?? -1) >= 0; at = regions.value[at].parent) path.push(at)
  return path
}

export const partsOf = (node: number): number[] =>
  [...regions.value.keys()].filter((each) => regions.value[each].parent === node)

/** The finest regions that a region is made of. */
export function membersOf(node: number): number[] {
  return Array.from({ length: finestCount.value }, (_, leaf) => leaf).filter(
    (leaf) => node < 0 || node === regions.value.length - 1 || pathOf(leaf).includes(node),
  )
}

/** The region of the shown level that a vertex belongs to most. */
export function regionAt(vertex: number): number | null {
  const leaf = leafAt(vertex)
  if (leaf === null) return null
  const there = new Set(shownNodes.value)
  return pathOf(leaf).find((node) => there.has(node)) ?? (there.has(leaf) ? leaf : null)
}

export function leafAt(vertex: number): number | null {
  const of = shares.value
  if (!of || vertex + 1 >= of.starts.length) return null
  let best = of.starts[vertex]
  for (let k = best + 1; k < of.starts[vertex + 1]; k++) if (of.share[k] > of.share[best]) best = k
  return of.region[best] ?? null
}

export function isInChosen(vertex: number): boolean {
  const leaf = leafAt(vertex)
  return leaf !== null && chosenNode.value >= 0 && pathOf(leaf).includes(chosenNode.value)
}

/** How much of each vertex (v,) belongs to a region. */
export function fieldOf(node: number): Float32Array {
  const { starts, region, share } = shares.value!
  const inside = new Set(membersOf(node))
  const field = new Float32Array(starts.length - 1)
  for (let i = 0; i < field.length; i++) {
    for (let k = starts[i]; k < starts[i + 1]; k++) if (inside.has(region[k])) field[i] += share[k]
  }
  return field
}

/** Regions of the shown level that touch a region, for merging. */
export function neighboursOf(node: number): number[] {
  const own = new Set(membersOf(node))
  const beside = new Set([...own].flatMap((leaf) => regions.value[leaf].beside).filter((leaf) => !own.has(leaf)))
  return shownNodes.value.filter(
    (each) =>
      each !== node &&
      !pathOf(each).includes(node) &&
      !pathOf(node).includes(each) &&
      membersOf(each).some((leaf) => beside.has(leaf)),
  )
}

export function choose(node: number | null): void {
  region.value = node === null ? WHOLE : (regions.value[node]?.name ?? WHOLE)
}

/** Another level; what is chosen stays, or becomes what contains it, or its largest part. */
export function setLevel(next: number): void {
  batch(() => {
    level.value = Math.min(Math.max(next, 0), levels.value.length - 1)
    const node = chosenNode.value
    const there = new Set(shownNodes.value)
    if (node < 0 || there.has(node)) return
    choose(
      pathOf(node).find((each) => there.has(each)) ??
        largest(shownNodes.value.filter((each) => pathOf(each).includes(node))),
    )
  })
}

function largest(nodes: number[]): number | null {
  return nodes.reduce<number | null>(
    (best, node) => (best === null || membersOf(node).length > membersOf(best).length ? node : best),
    null,
  )
}
