/** Where keys lie on the lanes: between pixels and times, values, keys. */
import type { Pointer } from '../../core/gestures/pointer'
import type { CurveInfo, KeyChoice } from '../../core/protocol.gen'
import { xOf, type TimeAxis } from '../../core/timeAxis'

const REACH = 6 // pixels round a key

export interface Layout extends TimeAxis {
  row: number // its height
  curves: CurveInfo[] // a row each, after the row for all of them
  values: { low: number; high: number } | null // of the curve view
}

export function yOf({ height, values }: Layout, value: number): number {
  const { low, high } = values ?? { low: 0, high: 1 }
  return height - 10 - ((value - low) / (high - low)) * (height - 20)
}

/** The middle of a row; row 0 is that of all curves together. */
export const rowY = ({ row }: Layout, at: number) => row * (at + 0.5)

/** A time as a whole number: keys of several sliders at one moment are one mark. */
export const moment = (time: number) => Math.round(time * 1e5)

/** Every mark with its place: one for each key, and one for each moment in the row of all. */
function* marks(layout: Layout): Generator<{ x: number; y: number; keys: KeyChoice[] }> {
  const all = new Map<number, { time: number; keys: KeyChoice[] }>()
  for (const [row, { slider, times, values }] of layout.curves.entries()) {
    for (const [k, time] of times.entries()) {
      const keys = [{ slider, times: [time] }]
      yield { x: xOf(layout, time), y: layout.values ? yOf(layout, values[k]) : rowY(layout, row + 1), keys }
      const shared = all.get(moment(time)) ?? { time, keys: [] }
      shared.keys.push(...keys)
      all.set(moment(time), shared)
    }
  }
  if (!layout.values)
    for (const { time, keys } of all.values()) yield { x: xOf(layout, time), y: rowY(layout, 0), keys }
}

export function keysAt(layout: Layout, { x, y }: Pick<Pointer, 'x' | 'y'>): KeyChoice[] {
  let best: { away: number; keys: KeyChoice[] } | null = null
  for (const mark of marks(layout)) {
    const away = Math.max(Math.abs(mark.x - x), Math.abs(mark.y - y))
    if (away <= REACH && (!best || away < best.away)) best = { away, keys: mark.keys }
  }
  return best?.keys ?? []
}

export function keysIn(layout: Layout, a: Pick<Pointer, 'x' | 'y'>, b: Pick<Pointer, 'x' | 'y'>): KeyChoice[] {
  const [left, right, top, bottom] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)]
  const found = new Map<string, Set<number>>()
  for (const { x, y, keys } of marks(layout)) {
    if (x < left || x > right || y < top || y > bottom) continue
    for (const { slider, times } of keys) {
      const known = found.get(slider) ?? new Set()
      for (const time of times) known.add(time)
      found.set(slider, known)
    }
  }
  return [...found].map(([slider, times]) => ({ slider, times: [...times].sort((p, q) => p - q) }))
}
