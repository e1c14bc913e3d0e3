/** The value of a curve between its keys, as in facewright.motion.Curve. */
import type { CurveInfo } from './protocol.gen'

type Keys = Pick<CurveInfo, 'times' | 'values' | 'interpolation' | 'slopes'>

export function valueAt(curve: Keys, time: number): number {
  const { times, values } = curve
  const last = times.length - 1
  if (time <= times[0] || last === 0) return values[0]
  if (time >= times[last]) return values[last]
  const left = leftOf(times, time)
  if (curve.interpolation === 'step') return values[left]
  const span = times[left + 1] - times[left]
  const u = (time - times[left]) / span
  if (curve.interpolation === 'linear') return values[left] + u * (values[left + 1] - values[left])
  const leave = (curve.slopes?.[left][1] ?? 0) * span
  const arrive = (curve.slopes?.[left + 1][0] ?? 0) * span
  const rise = values[left + 1] - values[left]
  return values[left] + u * (leave + u * (3 * rise - 2 * leave - arrive + u * (leave + arrive - 2 * rise)))
}

/** The last key at or before a time. */
function leftOf(times: number[], time: number): number {
  let low = 0
  let high = times.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle
    else high = middle
  }
  return low
}
