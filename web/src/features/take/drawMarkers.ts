/** Markers on a canvas over the face. */
import { rampColor } from '../../widgets/ramp'
import type { ShownMarker } from './markers'

export interface SeenMarker {
  marker: ShownMarker
  name: string
  x: number
  y: number
  glued: { x: number; y: number } | null
  behind: boolean
  gap: boolean
}

export interface Style {
  top: number // millimetres at the end of the ramp
  chosen: string
  hovered: string
  dot: number // radius, in pixels
  font: string
  width: number
}

const INK = { plain: '#e8edf2', unused: '#8b95a1', dark: 'rgb(8 10 12 / 0.85)', chosen: '#ffffff' }

export function drawMarkers(ctx: CanvasRenderingContext2D, seen: SeenMarker[], style: Style): void {
  const last = (each: SeenMarker) => Number(each.name === style.chosen) * 2 + Number(each.name === style.hovered)
  const order = [...seen].sort((a, b) => last(a) - last(b))
  for (const each of order) if (each.glued) link(ctx, each, style)
  for (const each of order) mark(ctx, each, style)
  for (const each of order) if (each.name === style.chosen || each.name === style.hovered) label(ctx, each, style)
}

const colorOf = ({ marker }: SeenMarker, { top }: Style) =>
  marker.ignored || marker.doubted || !marker.bindable
    ? INK.unused
    : Number.isNaN(marker.residual)
      ? INK.plain
      : rampColor(marker.residual / top)

const strength = ({ behind, gap, marker }: SeenMarker) =>
  behind ? 0.18 : gap ? 0.4 : marker.ignored || !marker.bindable ? 0.45 : 1

/** From where a marker is to where it is glued. */
function link(ctx: CanvasRenderingContext2D, each: SeenMarker, style: Style): void {
  const { x, y, glued } = each
  if (!glued || Math.hypot(glued.x - x, glued.y - y) < style.dot) return
  ctx.globalAlpha = 0.8 * strength(each)
  ctx.strokeStyle = colorOf(each, style)
  ctx.lineWidth = 1.25
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.lineTo(glued.x, glued.y)
  ctx.stroke()
  ctx.fillStyle = ctx.strokeStyle
  ctx.beginPath()
  ctx.arc(glued.x, glued.y, 1.6, 0, 2 * Math.PI)
  ctx.fill()
  ctx.globalAlpha = 1
}

function mark(ctx: CanvasRenderingContext2D, each: SeenMarker, style: Style): void {
  const { x, y, marker, gap } = each
  const hollow = gap || marker.doubted || marker.ignored
  ctx.globalAlpha = strength(each)
  circle(ctx, x, y, style.dot)
  ctx.lineWidth = hollow ? 3.5 : 2.5
  ctx.strokeStyle = INK.dark
  ctx.stroke()
  if (hollow) {
    ctx.lineWidth = 1.5
    ctx.strokeStyle = colorOf(each, style)
    ctx.stroke()
  } else {
    ctx.fillStyle = colorOf(each, style)
    ctx.fill()
  }
  ctx.globalAlpha = 1
  if (each.name !== style.chosen && each.name !== style.hovered) return
  circle(ctx, x, y, style.dot + 4)
  ctx.lineWidth = each.name === style.chosen ? 2 : 1.25
  ctx.strokeStyle = INK.chosen
  ctx.stroke()
}

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  ctx.beginPath()
  ctx.arc(x, y, r, 0, 2 * Math.PI)
}

function label(ctx: CanvasRenderingContext2D, each: SeenMarker, style: Style): void {
  ctx.font = style.font
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const text = worded(each)
  const width = ctx.measureText(text).width
  const left = each.x + style.dot + 10 + width > style.width ? each.x - style.dot - 18 - width : each.x + style.dot + 8
  ctx.fillStyle = 'rgb(16 18 21 / 0.88)'
  ctx.beginPath()
  ctx.roundRect(left - 5, each.y - 10, width + 10, 20, 4)
  ctx.fill()
  ctx.fillStyle = '#dbe0e6'
  ctx.fillText(text, left, each.y + 0.5)
}

export function worded({ name, marker, gap }: Pick<SeenMarker, 'name' | 'marker' | 'gap'>): string {
  if (marker.ignored) return `${name} · left out`
  if (gap) return `${name} · not seen`
  if (marker.doubted) return `${name} · not believed`
  if (!marker.bindable) return `${name} · not named, or hardly ever seen`
  return Number.isNaN(marker.residual) ? name : `${name} · ${marker.residual.toFixed(1)} mm`
}
