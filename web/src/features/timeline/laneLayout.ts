/** Where keys lie on the lanes: between pixels and times, values, keys. Only keys that are seen are looked at. */
import { keysBefore, type CurveInfo } from '../../core/curve'
import type { Pointer } from '../../core/gestures/pointer'
import type { KeyChoice } from '../../core/protocol.gen'
import { secondsPerPixel, timeAt, xOf, type TimeAxis } from '../../core/timeAxis'
import type { Row } from './rows'

const REACH = 6 // pixels round a key
const SAME = 5e-6 // seconds: keys of several sliders at one moment are one mark
export const HANDLE = 44 // pixels from a key to the end of its tangent
const MOST_HANDLED = 100 // keys whose tangents are shown
const ROOM = 24 // pixels from key to key, on average: nearer ones show no tangents

type Place = Pick<Pointer, 'x' | 'y'>

export interface Layout extends TimeAxis {
  row: number // its height
  rows: readonly Row[]
  scroll: number // pixels of rows above what is seen
  curves: readonly CurveInfo[] // of the graph
  values: { low: number; high: number } | null // of the graph; null: the dope sheet is shown
}

export const AXIS = 34 // pixels right of the gutter, where the graph has its numbers
const PAD = 10 // pixels above and below the values

export function yOf({ height, values }: Layout, value: number): number {
  const { low, high } = values ?? { low: 0, high: 1 }
  return height - PAD - ((value - low) / (high - low)) * (height - 2 * PAD)
}

export const valueAtY = (layout: Layout, y: number) =>
  (layout.values?.low ?? 0) + (layout.height - PAD - y) * valuePerPixel(layout)

export const valuePerPixel = ({ height, values }: Layout) =>
  values ? (values.high - values.low) / Math.max(height - 2 * PAD, 1) : 0

/** The middle of a row. */
export const rowY = ({ row, scroll }: Layout, at: number) => row * (at + 0.5) - scroll

/** The places, in a list of increasing times, of those from one x to another. */
export function keysBetween(layout: Layout, times: readonly number[], left: number, right: number): [number, number] {
  return [keysBefore(times, timeAt(layout, left)), keysBefore(times, timeAt(layout, right) + 1e-9)]
}

/** The keys under the pointer: of a row all at that moment, of the graph the nearest one. */
export function keysAt(layout: Layout, at: Place): KeyChoice[] {
  return layout.values ? keyOfGraph(layout, at) : keysOfRow(layout, at)
}

function keysOfRow(layout: Layout, { x, y }: Place): KeyChoice[] {
  const place = Math.floor((y + layout.scroll) / layout.row)
  const row = layout.rows[place]
  if (!row || x < layout.gutter - REACH || Math.abs(rowY(layout, place) - y) > Math.max(REACH, 0.4 * layout.row))
    return []
  let best = { away: Infinity, time: 0 }
  for (const { times } of row.curves)
    for (const k of nearest(times, timeAt(layout, x))) {
      const away = Math.abs(xOf(layout, times[k]) - x)
      if (away < best.away) best = { away, time: times[k] }
    }
  return best.away > REACH ? [] : atMoment(row.curves, best.time)
}

function keyOfGraph(layout: Layout, { x, y }: Place): KeyChoice[] {
  let best: { away: number; keys: KeyChoice[] } | null = null
  for (const { slider, times, values } of layout.curves) {
    const [first, end] = keysBetween(layout, times, x - REACH, x + REACH)
    for (let k = first; k < end; k++) {
      const away = Math.max(Math.abs(xOf(layout, times[k]) - x), Math.abs(yOf(layout, values[k]) - y))
      if (away <= REACH && (!best || away < best.away)) best = { away, keys: [{ slider, times: [times[k]] }] }
    }
  }
  return best?.keys ?? []
}

/** Places of the keys before and after a time. */
function nearest(times: readonly number[], time: number): number[] {
  const after = keysBefore(times, time)
  return [after - 1, after].filter((k) => k >= 0 && k < times.length)
}

/** Every key of some curves at one moment. */
export function atMoment(curves: readonly CurveInfo[], time: number): KeyChoice[] {
  return curves.flatMap(({ slider, times }) => {
    const here = times.slice(keysBefore(times, time - SAME), keysBefore(times, time + SAME))
    return here.length ? [{ slider, times: here }] : []
  })
}

/** The keys in a box. A row for several curves stands for all of them. */
export function keysIn(layout: Layout, a: Place, b: Place): KeyChoice[] {
  const [left, right, top, bottom] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)]
  const curves = layout.values ? layout.curves : curvesBetween(layout, top, bottom)
  return curves.flatMap(({ slider, times, values }) => {
    const [first, end] = keysBetween(layout, times, left, right)
    let found = times.slice(first, end)
    if (layout.values)
      found = found.filter((_, i) => {
        const y = yOf(layout, values[first + i])
        return y >= top && y <= bottom
      })
    return found.length ? [{ slider, times: found }] : []
  })
}

function curvesBetween(layout: Layout, top: number, bottom: number): CurveInfo[] {
  const touched = layout.rows.filter((_, place) => rowY(layout, place) >= top && rowY(layout, place) <= bottom)
  return [...new Set(touched.flatMap((row) => row.curves))]
}

export interface Handle {
  curve: CurveInfo
  key: number
  leaving: boolean
  x: number
  y: number
}

/** The ends of the tangents of selected keys, as far as they are seen; none where there are too many to take hold of. */
export function handlesOf(layout: Layout, selected: readonly KeyChoice[]): Handle[] {
  if (!layout.values || countSeen(layout, selected) > MOST_HANDLED) return []
  const perPixel = valuePerPixel(layout) / secondsPerPixel(layout)
  return selected.flatMap(({ slider, times: wanted }) => {
    const curve = layout.curves.find((each) => each.slider === slider)
    if (!curve) return []
    const [first, end] = keysBetween(layout, wanted, layout.gutter, layout.width)
    if (end - first > 1 && xOf(layout, wanted[end - 1]) - xOf(layout, wanted[first]) < ROOM * (end - first - 1))
      return []
    return wanted.slice(first, end).flatMap((time) => {
      const key = keysBefore(curve.times, time - SAME)
      return [false, true].flatMap((leaving) => {
        if ((!leaving && key === 0) || (leaving && key === curve.times.length - 1)) return []
        const slope = slopeOf(curve, key, leaving) / perPixel // pixels up for each to the right
        const length = HANDLE / Math.hypot(1, slope)
        const way = leaving ? 1 : -1
        return [
          {
            curve,
            key,
            leaving,
            x: xOf(layout, curve.times[key]) + way * length,
            y: yOf(layout, curve.values[key]) - way * slope * length,
          },
        ]
      })
    })
  })
}

/** How many of some keys are between the ends of the lanes. */
const countSeen = (layout: Layout, keys: readonly KeyChoice[]) =>
  keys.reduce((sum, { times }) => {
    const [first, end] = keysBetween(layout, times, layout.gutter, layout.width)
    return sum + end - first
  }, 0)

/** The slope of a curve on one side of a key, in units a second. */
function slopeOf({ times, values, interpolation, slopes, tangents }: CurveInfo, key: number, leaving: boolean): number {
  if (interpolation === 'cubic')
    return tangents?.[key] === 'step' && leaving ? 0 : (slopes?.[key][leaving ? 1 : 0] ?? 0)
  if (interpolation === 'step') return 0
  const [a, b] = leaving ? [key, key + 1] : [key - 1, key]
  return (values[b] - values[a]) / (times[b] - times[a])
}

export function handleAt(layout: Layout, selected: readonly KeyChoice[], { x, y }: Place): Handle | null {
  return handlesOf(layout, selected).find((each) => Math.hypot(each.x - x, each.y - y) <= REACH) ?? null
}
