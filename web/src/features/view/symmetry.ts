/** How symmetric the pose is: for each vertex the way to the mirror image of its partner, as colours. */
import { effect } from '@preact/signals'
import { rigId } from '../../core/document'
import { posed } from '../../core/pose'
import type { SymmetryMap } from '../../core/frames'
import { query } from '../../core/server'
import { complain } from '../../core/toasts'
import { face, symmetryColors, viewport } from '../../scene/current'
import { linearOf } from '../../scene/palette'
import { asymmetry, symmetryMap, symmetryShown } from './state'

const LEAST = 0.002 // share of the face at which the colours end, where a pose is more symmetric than that
const STOPS = ['#2a3f55', '#3fa7a0', '#e8d45c', '#f08a3c', '#e5484d']
const ALONE = '#8a4fd0' // without a partner
const HIDES = 0.92

export const gradient = () => `linear-gradient(90deg, ${STOPS.join(', ')})`

/** For each vertex how far it is from the mirror image of its partner, in sizes of the face; -1 without one. */
export function differences(positions: Float32Array, map: SymmetryMap, size: number): Float32Array {
  const { partner, matched } = map.arrays
  const [x, y, z] = map.normal
  return Float32Array.from(partner, (other, i) => {
    if (!matched[i]) return -1
    const [ox, oy, oz] = [positions[3 * other], positions[3 * other + 1], positions[3 * other + 2]]
    const away = 2 * (x * ox + y * oy + z * oz - map.offset)
    const way = [
      ox - away * x - positions[3 * i],
      oy - away * y - positions[3 * i + 1],
      oz - away * z - positions[3 * i + 2],
    ]
    return Math.hypot(...way) / size
  })
}

/** Colours (v, 4), linear. */
function colored(found: Float32Array, top: number): Float32Array {
  const [stops, alone] = [STOPS.map(linearOf), linearOf(ALONE)]
  const made = new Float32Array(4 * found.length)
  found.forEach((difference, i) => {
    const at = Math.min(difference / top, 1) * (stops.length - 1)
    const [left, share] = [Math.min(Math.floor(at), stops.length - 2), at - Math.min(Math.floor(at), stops.length - 2)]
    const color = difference < 0 ? alone : stops[left].map((low, c) => low + share * (stops[left + 1][c] - low))
    made.set([...color, HIDES], 4 * i)
  })
  return made
}

export function showSymmetry(): void {
  effect(() => {
    if (!symmetryShown.value || !rigId.value || symmetryMap.peek()?.rig === rigId.value) return
    query({ type: 'AskSymmetry' }).catch(complain)
  })
  effect(() => {
    const [shown, map, own] = [symmetryShown.value, symmetryMap.value, face.value]
    void posed.value
    if (!shown || !map || !own || map.rig !== own.data.rig) {
      symmetryColors.value = null
      return
    }
    const found = differences(viewport.value!.positions(), map, own.data.space.size)
    const most = found.reduce((a, b) => Math.max(a, b), 0)
    const top = Math.max(most, LEAST)
    asymmetry.value = { most, top }
    symmetryColors.value = colored(found, top)
  })
}
