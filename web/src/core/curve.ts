/** The value of a curve between and outside of its keys, as in facewright.motion.curve. */
import type { CurveKeys } from './frames'
import type { SetTangents } from './protocol.gen'

export type Tangent = SetTangents['tangent']

/** Keys of one slider in one clip. */
export interface CurveInfo {
  clip: string
  slider: string
  interpolation: 'step' | 'linear' | 'cubic'
  outside: 'hold' | 'cycle' | 'offset'
  times: number[] // seconds
  values: number[]
  slopes: [number, number][] | null // arriving, leaving; of cubic curves
  tangents: Tangent[] | null
}

/** The curves of a frame. */
export function curvesOf({ curves, tangent_names, arrays }: CurveKeys): CurveInfo[] {
  const at = { key: 0, slope: 0, tangent: 0 }
  return curves.map(({ keys, has_tangents, ...head }) => {
    const { key, slope, tangent } = at
    at.key += keys
    if (head.interpolation === 'cubic') at.slope += keys
    if (has_tangents) at.tangent += keys
    return {
      ...head,
      times: Array.from(arrays.times.subarray(key, key + keys)),
      values: Array.from(arrays.values.subarray(key, key + keys)),
      slopes: head.interpolation === 'cubic' ? pairs(arrays.slopes, slope, keys) : null,
      tangents: has_tangents
        ? Array.from(arrays.tangents.subarray(tangent, tangent + keys), (code) => tangent_names[code])
        : null,
    }
  })
}

const pairs = (rows: Float64Array, from: number, count: number) =>
  Array.from({ length: count }, (_, k): [number, number] => [rows[2 * (from + k)], rows[2 * (from + k) + 1]])

type Keys = Pick<CurveInfo, 'times' | 'values' | 'interpolation' | 'slopes' | 'tangents' | 'outside'>

export function valueAt(curve: Keys, time: number): number {
  const { times, values, outside } = curve
  const last = times.length - 1
  if (outside === 'hold' || last === 0 || (time >= times[0] && time <= times[last])) return inside(curve, time)
  const period = times[last] - times[0]
  const turns = time > times[last] ? Math.ceil((time - times[last]) / period) : Math.floor((time - times[0]) / period)
  return inside(curve, time - turns * period) + (outside === 'offset' ? turns * (values[last] - values[0]) : 0)
}

function inside(curve: Keys, time: number): number {
  const { times, values } = curve
  const last = times.length - 1
  if (time <= times[0] || last === 0) return values[0]
  if (time >= times[last]) return values[last]
  const left = keyBefore(times, time)
  if (curve.interpolation === 'step' || curve.tangents?.[left] === 'step') return values[left]
  const span = times[left + 1] - times[left]
  const u = (time - times[left]) / span
  if (curve.interpolation === 'linear') return values[left] + u * (values[left + 1] - values[left])
  const leave = (curve.slopes?.[left][1] ?? 0) * span
  const arrive = (curve.slopes?.[left + 1][0] ?? 0) * span
  const rise = values[left + 1] - values[left]
  return values[left] + u * (leave + u * (3 * rise - 2 * leave - arrive + u * (leave + arrive - 2 * rise)))
}

/** The kind of a key; of curves without tangents the one that gives the same curve. */
export function tangentOf({ interpolation, slopes, tangents }: Keys, key: number): Tangent {
  if (interpolation !== 'cubic') return interpolation
  if (tangents) return tangents[key]
  const [arriving, leaving] = slopes?.[key] ?? [0, 0]
  return arriving !== leaving ? 'broken' : leaving === 0 ? 'flat' : 'free'
}

/** The last key at or before a time that is not before the first one. */
export function keyBefore(times: ArrayLike<number>, time: number): number {
  let low = 0
  let high = times.length - 1
  if (times[high] <= time) return high
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle
    else high = middle
  }
  return low
}

/** How many keys are before a time. */
export function keysBefore(times: ArrayLike<number>, time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] < time) low = middle + 1
    else high = middle
  }
  return low
}
