/** Slider values of the chosen region: those of the whole face, and what regions add to them. */
import { effect, signal } from '@preact/signals'
import { chosenNode, pathOf } from './regions'
import { showLocal, showWeights, sliders } from './sliders'

/** What regions add: value p is of region spots[2 p] and slider spots[2 p + 1]. */
export interface Local {
  spots: Uint32Array // (p, 2)
  added: Float32Array // (p,)
}

export const NOTHING: Local = { spots: new Uint32Array(0), added: new Float32Array(0) }

/** Regions that are posed for themselves; another array only when they are others. */
export const posedRegions = signal<readonly number[]>([])

let whole: Float32Array = new Float32Array(0)
let local = NOTHING

/** Slider values of a region, -1 for the whole face. */
export function weightsIn(node: number, weights = whole, { spots, added } = local): Float32Array {
  if (node < 0 || !added.length) return weights
  const path = new Set(pathOf(node))
  const found = weights.slice()
  added.forEach((value, p) => {
    if (path.has(spots[2 * p])) found[spots[2 * p + 1]] += value
  })
  return found.map((value, i) => within(value, weights[i], sliders.value[i]?.info))
}

/** Within the bounds; what is outside all over the face may be outside in a region. */
function within(value: number, pose: number, info: { low: number; high: number } | undefined): number {
  return info ? Math.min(Math.max(value, Math.min(info.low, pose)), Math.max(info.high, pose)) : value
}

/** Take over a pose, and show the chosen region's part of it on the sliders. */
export function showPosed(weights: Float32Array, next: Local): void {
  whole = weights
  local = next
  show(chosenNode.peek())
  const nodes = [
    ...new Set([...next.added.keys()].filter((p) => next.added[p] !== 0).map((p) => next.spots[2 * p])),
  ].sort((a, b) => a - b)
  if (nodes.join() !== posedRegions.peek().join()) posedRegions.value = nodes
}

function show(node: number): void {
  showWeights(weightsIn(node))
  const own = new Set<number>()
  local.added.forEach((value, p) => {
    if (value !== 0 && (node < 0 || local.spots[2 * p] === node)) own.add(local.spots[2 * p + 1])
  })
  showLocal(own)
}

/** Let the sliders show the values of the chosen region, from now on. */
export function followChosenRegion(): void {
  effect(() => {
    const node = chosenNode.value
    if (whole.length) show(node)
  })
}
