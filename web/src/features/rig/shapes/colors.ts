/** Colours over the face while the user decides about a shape: the halves of a split, or what pruning drops. */
import { rig } from '../../../core/document'
import { linearOf } from '../../../scene/palette'
import { chosenShape } from '../state'
import { deciding, offsets, split, tolerance } from './state'

const [LEFT, RIGHT, KEPT, DROPPED] = ['#58c9b4', '#f08c3c', '#58c9b4', '#ff5f4a'].map(linearOf)
const HIDES = 0.75 // how much of the skin a colour hides

/** Colours (v, 4); null: none. */
export function shapeColors(): Float32Array | null {
  const count = rig.value?.vertices ?? 0
  if (deciding.value === 'split') return splitColors(split.value?.arrays.shares, count)
  const field = deciding.value === 'prune' && offsets.value?.shape === chosenShape.value ? offsets.value : null
  return pruneColors(field?.arrays.lengths, count, 10 ** tolerance.value)
}

/** From the left half's colour to the right half's. */
export function splitColors(shares: Float32Array | undefined, count: number): Float32Array | null {
  if (shares?.length !== count) return null
  const made = new Float32Array(4 * count)
  shares.forEach((share, i) => {
    for (let c = 0; c < 3; c++) made[4 * i + c] = share * LEFT[c] + (1 - share) * RIGHT[c]
    made[4 * i + 3] = HIDES
  })
  return made
}

/** What the shape moves, and what of it would be dropped. */
export function pruneColors(lengths: Float32Array | undefined, count: number, limit: number): Float32Array | null {
  if (lengths?.length !== count) return null
  const made = new Float32Array(4 * count)
  lengths.forEach((length, i) => {
    if (length > 0) made.set([...(length > limit ? KEPT : DROPPED), HIDES], 4 * i)
  })
  return made
}
