/** Keys and curves on a canvas. */
import type { KeyChoice } from '../../core/protocol.gen'
import { valueAt } from '../../core/curve'
import { markStep, timeAt, xOf } from '../../core/timeAxis'
import { moment, rowY, yOf, type Layout } from './laneLayout'

const HUES = ['#58c9b4', '#e0a45e', '#8fb3ff', '#e58fb1', '#b8cf6a', '#c79bf0', '#f08f72', '#7fd0ea']
const INK = {
  line: '#232830',
  faint: '#1b1f25',
  text: '#a3adb9',
  strong: '#dfe4ea',
  accent: '#58c9b4',
  key: '#b9c2cc',
  row: '#171a1f',
}

interface Shown {
  rate: number
  selected: KeyChoice[]
  box: [{ x: number; y: number }, { x: number; y: number }] | null
  font: string
}

export function drawLanes(ctx: CanvasRenderingContext2D, layout: Layout, shown: Shown): void {
  ctx.clearRect(0, 0, layout.width, layout.height)
  ctx.font = shown.font
  ctx.textBaseline = 'middle'
  grid(ctx, layout, shown.rate)
  if (layout.values) curves(ctx, layout, shown)
  else rows(ctx, layout, shown)
  if (shown.box) frame(ctx, shown.box)
}

function grid(ctx: CanvasRenderingContext2D, layout: Layout, rate: number): void {
  const step = markStep(layout.span, rate, (layout.width - layout.gutter) / 70)
  ctx.fillStyle = INK.line
  for (let t = Math.ceil(layout.span.from / step) * step; t <= layout.span.to; t += step)
    ctx.fillRect(Math.round(xOf(layout, t)), 0, 1, layout.height)
}

function rows(ctx: CanvasRenderingContext2D, layout: Layout, { selected }: Shown): void {
  const names = ['All keys', ...layout.curves.map((curve) => curve.slider)]
  names.forEach((name, row) => {
    if (row % 2 === 0) {
      ctx.globalAlpha = 0.55
      ctx.fillStyle = INK.row
      ctx.fillRect(0, row * layout.row, layout.width, layout.row)
      ctx.globalAlpha = 1
    }
    label(ctx, layout, name, rowY(layout, row), row === 0 ? INK.strong : INK.text)
  })
  const moments = new Map<number, { time: number; on: boolean }>()
  layout.curves.forEach(({ slider, times }, row) => {
    const own = new Set(selected.find((choice) => choice.slider === slider)?.times)
    for (const time of apart(layout, times, own)) {
      diamond(ctx, xOf(layout, time), rowY(layout, row + 1), 0.2 * layout.row, own.has(time))
      const key = moment(time)
      moments.set(key, { time, on: own.has(time) || (moments.get(key)?.on ?? false) })
    }
  })
  for (const { time, on } of moments.values()) diamond(ctx, xOf(layout, time), rowY(layout, 0), 0.25 * layout.row, on)
}

/** Keys that are seen, and of those that lie over each other only the first: a take has thousands. */
function apart(layout: Layout, times: number[], selected: Set<number>): number[] {
  const least = (3 * (layout.span.to - layout.span.from)) / (layout.width - layout.gutter)
  let last = -Infinity
  return times.filter((time) => {
    if (time < layout.span.from || time > layout.span.to || (time - last < least && !selected.has(time))) return false
    last = time
    return true
  })
}

/** Whether keys are far enough apart to be dragged. */
function isSparse(layout: Layout, times: number[]): boolean {
  const seen = times.filter((time) => time >= layout.span.from && time <= layout.span.to).length
  return seen * 9 < layout.width - layout.gutter
}

function curves(ctx: CanvasRenderingContext2D, layout: Layout, { selected }: Shown): void {
  const { low, high } = layout.values!
  for (const level of [low, 0, high].filter((value, i, all) => all.indexOf(value) === i)) {
    ctx.fillStyle = level === 0 ? '#303742' : INK.line
    ctx.fillRect(layout.gutter, Math.round(yOf(layout, level)), layout.width, 1)
    ctx.fillStyle = INK.text
    ctx.textAlign = 'right'
    ctx.fillText(level.toFixed(1), layout.gutter - 8, yOf(layout, level))
  }
  ctx.textAlign = 'left'
  layout.curves.forEach((curve, i) => {
    const hue = HUES[i % HUES.length]
    const line = 0.8 * layout.row
    if ((i + 1.3) * line < layout.height) {
      ctx.fillStyle = hue
      ctx.fillRect(8, (i + 0.75) * line - 3, 6, 6)
      label(ctx, { ...layout, gutter: layout.gutter - 34 }, curve.slider, (i + 0.75) * line, INK.text, 20)
    }
    ctx.strokeStyle = hue
    ctx.lineWidth = 1.5
    ctx.beginPath()
    for (let x = layout.gutter; x <= layout.width; x += 1) ctx.lineTo(x, yOf(layout, valueAt(curve, timeAt(layout, x))))
    ctx.stroke()
    const own = new Set(selected.find((choice) => choice.slider === curve.slider)?.times)
    if (isSparse(layout, curve.times) || own.size)
      curve.times.forEach((time, k) =>
        diamond(ctx, xOf(layout, time), yOf(layout, curve.values[k]), 0.2 * layout.row, own.has(time), hue),
      )
  })
}

/** Text that ends in … where the gutter does. */
function label(
  ctx: CanvasRenderingContext2D,
  { gutter }: Layout,
  text: string,
  y: number,
  color: string,
  x = 12,
): void {
  let shown = text
  while (shown.length > 3 && ctx.measureText(shown).width > gutter - x - 12) shown = `${shown.slice(0, -2)}…`
  ctx.fillStyle = color
  ctx.textAlign = 'left'
  ctx.fillText(shown, x, y)
}

function diamond(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, on: boolean, color = INK.key): void {
  ctx.fillStyle = on ? '#ffffff' : color
  ctx.beginPath()
  ctx.moveTo(x, y - r)
  ctx.lineTo(x + r, y)
  ctx.lineTo(x, y + r)
  ctx.lineTo(x - r, y)
  ctx.fill()
  if (!on) return
  ctx.strokeStyle = INK.accent
  ctx.lineWidth = 2
  ctx.stroke()
}

function frame(ctx: CanvasRenderingContext2D, [a, b]: [{ x: number; y: number }, { x: number; y: number }]): void {
  ctx.strokeStyle = INK.accent
  ctx.fillStyle = 'rgba(88, 201, 180, 0.12)'
  ctx.lineWidth = 1
  ctx.fillRect(a.x, a.y, b.x - a.x, b.y - a.y)
  ctx.strokeRect(a.x + 0.5, a.y + 0.5, b.x - a.x, b.y - a.y)
}

/** Frames and seconds over the lanes. */
export function drawRuler(
  ctx: CanvasRenderingContext2D,
  layout: Layout,
  shown: Pick<Shown, 'rate' | 'font'> & { clip: { start: number; end: number } | null },
): void {
  ctx.clearRect(0, 0, layout.width, layout.height)
  ctx.font = shown.font
  ctx.textBaseline = 'middle'
  if (shown.clip) {
    ctx.fillStyle = '#20262d'
    const from = Math.max(xOf(layout, shown.clip.start), layout.gutter)
    ctx.fillRect(from, layout.height - 4, Math.max(xOf(layout, shown.clip.end) - from, 0), 4)
  }
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
