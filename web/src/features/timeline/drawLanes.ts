/** The lanes on a canvas: rows of keys, or curves with their tangents. */
import { tangentOf, valueAt, type CurveInfo } from '../../core/curve'
import type { KeyChoice } from '../../core/protocol.gen'
import { markStep, timeAt, xOf } from '../../core/timeAxis'
import { clipToLanes, diamonds, dots, HUES, INK, outline } from './inks'
import { AXIS, handlesOf, keysBetween, rowY, yOf, type Layout } from './laneLayout'
import { distinct, marksOf } from './laneMarks'
import { levelsOf } from './valueAxis'

interface Shown {
  rate: number
  selected: readonly KeyChoice[]
  box: [{ x: number; y: number }, { x: number; y: number }] | null
  font: string
  range: readonly number[] // that is played; empty: all
}

export function drawLanes(ctx: CanvasRenderingContext2D, layout: Layout, shown: Shown): void {
  ctx.clearRect(0, 0, layout.width, layout.height)
  ctx.font = shown.font
  ctx.textBaseline = 'middle'
  grid(ctx, layout, shown)
  const own = new Map(shown.selected.map(({ slider, times }) => [slider, times]))
  if (layout.values) curves(ctx, layout, own, shown.selected)
  else rows(ctx, layout, own)
  if (shown.box) frame(ctx, shown.box)
}

function grid(ctx: CanvasRenderingContext2D, layout: Layout, { rate, range }: Shown): void {
  const step = markStep(layout.span, rate, (layout.width - layout.gutter) / 70)
  if (range.length) {
    ctx.fillStyle = INK.range
    const from = Math.max(xOf(layout, range[0]), layout.gutter)
    ctx.fillRect(from, 0, Math.max(xOf(layout, range[1]) - from, 0), layout.height)
  }
  ctx.fillStyle = INK.line
  for (let t = Math.ceil(layout.span.from / step) * step; t <= layout.span.to; t += step)
    ctx.fillRect(Math.round(xOf(layout, t)), 0, 1, layout.height)
}

function rows(ctx: CanvasRenderingContext2D, layout: Layout, own: ReadonlyMap<string, number[]>): void {
  const first = Math.max(Math.floor(layout.scroll / layout.row), 0)
  const last = Math.min(Math.ceil((layout.scroll + layout.height) / layout.row), layout.rows.length)
  ctx.save()
  for (let place = first; place < last; place++) {
    if (layout.rows[place].kind === 'curve' && place % 2) continue
    ctx.fillStyle = layout.rows[place].kind === 'group' ? INK.group : INK.row
    ctx.globalAlpha = layout.rows[place].kind === 'curve' ? 0.55 : 0.9
    ctx.fillRect(0, place * layout.row - layout.scroll, layout.width, layout.row)
  }
  ctx.globalAlpha = 1
  clipToLanes(ctx, layout)
  for (let place = first; place < last; place++) {
    const { kind, curves } = layout.rows[place]
    const y = rowY(layout, place)
    const r = (kind === 'curve' ? 0.2 : 0.24) * layout.row
    marks(ctx, layout, timesOf(curves), y, r, kind === 'group' ? '#8b95a1' : INK.key)
    const chosen = curves.flatMap((curve) => (own.has(curve.slider) ? [own.get(curve.slider)!] : []))
    if (chosen.length) marks(ctx, layout, distinct(chosen), y, r, '#ffffff', true)
  }
  ctx.restore()
}

const known = new WeakMap<readonly CurveInfo[], (readonly number[])[]>()

/** The times of a row's keys, worked out once for each. */
function timesOf(curves: readonly CurveInfo[]): (readonly number[])[] {
  if (!known.has(curves)) known.set(curves, distinct(curves.map((curve) => curve.times)))
  return known.get(curves)!
}

/** The keys of one row. Keys of several curves at one pixel are drawn once. */
function marks(
  ctx: CanvasRenderingContext2D,
  layout: Layout,
  lists: readonly (readonly number[])[],
  y: number,
  r: number,
  fill: string,
  selected = false,
): void {
  const single = new Map<number, number>()
  const bars = new Map<number, [number, number]>()
  for (const times of lists)
    for (const { from, to } of marksOf(layout, times)) {
      if (to - from < 1) single.set(Math.round(from), from)
      else bars.set(Math.round(from) * 1e5 + Math.round(to), [from, to])
    }
  if (bars.size) {
    ctx.fillStyle = selected ? INK.accent : fill
    ctx.globalAlpha = selected ? 0.9 : 0.55
    for (const [from, to] of bars.values()) ctx.fillRect(from - 2, y - 0.7 * r, to - from + 4, 1.4 * r)
    ctx.globalAlpha = 1
  }
  if (!single.size) return
  diamonds(
    ctx,
    [...single.values()].map((x) => [x, y]),
    r,
    fill,
  )
  if (selected) outline(ctx)
}

/** Whether keys are far enough apart to be dragged. */
function isSparse(layout: Layout, [first, end]: [number, number]): boolean {
  return (end - first) * 9 < layout.width - layout.gutter
}

function curves(
  ctx: CanvasRenderingContext2D,
  layout: Layout,
  own: ReadonlyMap<string, number[]>,
  selected: readonly KeyChoice[],
): void {
  levels(ctx, layout)
  ctx.save()
  clipToLanes(ctx, layout)
  layout.curves.forEach((curve, i) => {
    const hue = HUES[i % HUES.length]
    line(ctx, layout, curve, hue)
    const seen = keysBetween(layout, curve.times, layout.gutter - 8, layout.width + 8)
    const place = (k: number): [number, number] => [xOf(layout, curve.times[k]), yOf(layout, curve.values[k])]
    if (isSparse(layout, seen))
      diamonds(
        ctx,
        Array.from({ length: seen[1] - seen[0] }, (_, k) => place(seen[0] + k)),
        0.2 * layout.row,
        hue,
      )
    const chosen = own.get(curve.slider) ?? []
    const [first, end] = keysBetween(layout, chosen, layout.gutter - 8, layout.width + 8)
    if (first === end) return
    const every = Math.max(Math.ceil((4 * (end - first)) / (layout.width - layout.gutter)), 1)
    const places: [number, number][] = []
    for (let k = first; k < end; k += every)
      places.push([xOf(layout, chosen[k]), yOf(layout, valueAt(curve, chosen[k]))])
    if (!isSparse(layout, [first, end])) return dots(ctx, places)
    diamonds(ctx, places, 0.2 * layout.row, '#ffffff')
    outline(ctx)
  })
  handles(ctx, layout, selected)
  ctx.restore()
}

/** Lines at round values, with their numbers. */
function levels(ctx: CanvasRenderingContext2D, layout: Layout): void {
  const { levels, digits } = levelsOf(layout.values!, layout.height / 34)
  ctx.textAlign = 'right'
  for (const level of levels) {
    const y = Math.round(yOf(layout, level))
    ctx.fillStyle = level === 0 ? INK.level : INK.line
    ctx.fillRect(layout.gutter + AXIS, y, layout.width, 1)
    ctx.fillStyle = INK.text
    ctx.fillText(level.toFixed(digits), layout.gutter + AXIS - 4, y)
  }
}

const lines = new WeakMap<CurveInfo, { path: Path2D; of: Layout }>() // that were drawn last

function line(ctx: CanvasRenderingContext2D, layout: Layout, curve: CurveInfo, hue: string): void {
  let drawn = lines.get(curve)
  if (!drawn || !isSameView(drawn.of, layout)) {
    const path = new Path2D()
    for (let x = layout.gutter; x <= layout.width; x += 1)
      path.lineTo(x, yOf(layout, valueAt(curve, timeAt(layout, x))))
    drawn = { path, of: layout }
    lines.set(curve, drawn)
  }
  ctx.strokeStyle = hue
  ctx.lineWidth = 1.5
  ctx.stroke(drawn.path)
}

const isSameView = (a: Layout, b: Layout) =>
  a.width === b.width && a.height === b.height && a.gutter === b.gutter && a.span === b.span && a.values === b.values

/** Tangents of selected keys: full where they are as they were set, faint where they follow from the keys. */
function handles(ctx: CanvasRenderingContext2D, layout: Layout, selected: readonly KeyChoice[]): void {
  for (const { curve, key, x, y } of handlesOf(layout, selected)) {
    const set = ['free', 'broken'].includes(tangentOf(curve, key))
    ctx.globalAlpha = set ? 1 : 0.6
    ctx.strokeStyle = ctx.fillStyle = INK.accent
    ctx.lineWidth = 1
    ctx.beginPath()
    ctx.moveTo(xOf(layout, curve.times[key]), yOf(layout, curve.values[key]))
    ctx.lineTo(x, y)
    ctx.stroke()
    ctx.beginPath()
    ctx.arc(x, y, 3.5, 0, 7)
    ctx.fill()
  }
  ctx.globalAlpha = 1
}

function frame(ctx: CanvasRenderingContext2D, [a, b]: [{ x: number; y: number }, { x: number; y: number }]): void {
  ctx.strokeStyle = INK.accent
  ctx.fillStyle = 'rgba(88, 201, 180, 0.12)'
  ctx.lineWidth = 1
  ctx.fillRect(a.x, a.y, b.x - a.x, b.y - a.y)
  ctx.strokeRect(a.x + 0.5, a.y + 0.5, b.x - a.x, b.y - a.y)
}

/** Frames over the lanes, the clip, and the range that is played. */
export function drawRuler(
  ctx: CanvasRenderingContext2D,
  layout: Layout,
  shown: Pick<Shown, 'rate' | 'font' | 'range'> & { clip: { start: number; end: number } | null },
): void {
  ctx.clearRect(0, 0, layout.width, layout.height)
  ctx.font = shown.font
  ctx.textBaseline = 'middle'
  const band = (start: number, end: number, color: string) => {
    ctx.fillStyle = color
    const from = Math.max(xOf(layout, start), layout.gutter)
    ctx.fillRect(from, layout.height - 4, Math.max(xOf(layout, end) - from, 0), 4)
  }
  if (shown.clip) band(shown.clip.start, shown.clip.end, '#2a323b')
  if (shown.range.length) band(shown.range[0], shown.range[1], INK.accent)
  const step = markStep(layout.span, shown.rate, (layout.width - layout.gutter) / 70)
  ctx.textAlign = 'left'
  for (let t = Math.ceil(layout.span.from / step) * step; t <= layout.span.to; t += step) {
    const x = Math.round(xOf(layout, t))
    if (x < layout.gutter) continue
    ctx.fillStyle = INK.line
    ctx.fillRect(x, layout.height - 7, 1, 7)
    ctx.fillStyle = INK.text
    ctx.fillText(String(Math.round(t * shown.rate)), x + 4, layout.height / 2)
  }
}
