/** Numbers of vertices as colours, and where the scale of these begins and ends. */
import { heatColor } from '../scene/stage/heat'

export type Scale = readonly [low: number, high: number]

/** The scale that was asked for, or from 0 to the highest value, or from the lowest where that is below 0. */
export function scaleOf(values: Float32Array, asked: Scale | null): Scale {
  if (asked) return asked
  const low = values.reduce((a, b) => Math.min(a, b), 0)
  const high = values.reduce((a, b) => Math.max(a, b), low)
  return [low, high > low ? high : low + 1]
}

/** Colours (v, 4) that hide the skin. */
export function heatPaint(values: Float32Array, asked: Scale | null): Float32Array {
  const [low, high] = scaleOf(values, asked)
  const colors = new Float32Array(4 * values.length)
  values.forEach((value, v) => colors.set([...heatColor(high > low ? (value - low) / (high - low) : 0), 1], 4 * v))
  return colors
}
