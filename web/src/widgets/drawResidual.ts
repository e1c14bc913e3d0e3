/** How far a recording is off over time, on a canvas. */
import { rampColor, rampTop } from './ramp'
import { timeAt, xOf, type TimeAxis } from '../core/timeAxis'

const INK = {
  line: '#232830',
  text: '#a3adb9',
  strong: '#dfe4ea',
  typical: 'rgb(255 255 255 / 0.25)',
  few: '#ffc46b',
  none: '#ff9a86',
  worst: '#ff8a75',
}
const ROOM = 7 // pixels over the plot, for the marks of the worst frames

export interface Residuals {
  mean: Float32Array // (f,) millimetres, NaN where nothing is known
  status: ArrayLike<number> // (f,) 0: as it should be, 1: little was seen, 2: nothing
  worstFrames: readonly number[]
  typical: number
  most: number
}

export interface ResidualStyle {
  timeOf(frame: number): number // seconds
  frameAt(seconds: number): number // between two frames their share
  font: string
  pointed: number // the frame that is pointed at, -1: none
}

export function drawResidual(
  ctx: CanvasRenderingContext2D,
  axis: TimeAxis,
  fit: Residuals,
  style: ResidualStyle,
): void {
  ctx.clearRect(0, 0, axis.width, axis.height)
  const top = rampTop(Math.max(fit.most, 0.1))
  const base = axis.height - 4
  const tall = base - ROOM
  ctx.save()
  ctx.beginPath()
  ctx.rect(axis.gutter, 0, axis.width - axis.gutter, axis.height)
  ctx.clip()
  for (let x = axis.gutter; x < axis.width; x++) column(ctx, axis, fit, style, { x, base, tall, top })
  ctx.fillStyle = INK.typical
  const [from, to] = [xOf(axis, style.timeOf(0)), xOf(axis, style.timeOf(fit.mean.length - 1))]
  ctx.fillRect(from, Math.round(base - tall * Math.min(fit.typical / top, 1)), to - from, 1)
  for (const frame of fit.worstFrames) triangle(ctx, xOf(axis, style.timeOf(frame)), frame === style.pointed)
  ctx.restore()
  words(ctx, axis, fit, style)
}

/** The worst of the frames under one column of pixels, and whether little was seen. */
function column(
  ctx: CanvasRenderingContext2D,
  axis: TimeAxis,
  fit: Residuals,
  { frameAt }: ResidualStyle,
  at: { x: number; base: number; tall: number; top: number },
): void {
  const [from, to] = framesUnder(axis, frameAt, at.x, fit.mean.length)
  let [most, status] = [NaN, 0]
  for (let frame = from; frame < to; frame++) {
    if (!(fit.mean[frame] <= most)) most = Number.isNaN(fit.mean[frame]) ? most : fit.mean[frame]
    status = Math.max(status, Math.min(fit.status[frame] ?? 0, 2))
  }
  if (!Number.isNaN(most)) {
    const share = Math.min(most / at.top, 1)
    ctx.fillStyle = rampColor(share, 0.85)
    ctx.fillRect(at.x, at.base - Math.max(share * at.tall, 1), 1, Math.max(share * at.tall, 1))
  }
  if (status) {
    ctx.fillStyle = status > 1 ? INK.none : INK.few
    ctx.fillRect(at.x, at.base + 1, 1, 3)
  }
}

/** The frames whose moment lies in a column of pixels; at least the nearest one, where frames are wider than that. */
export function framesUnder(
  axis: TimeAxis,
  frameAt: ResidualStyle['frameAt'],
  x: number,
  count: number,
): [number, number] {
  const from = frameAt(timeAt(axis, x))
  const to = frameAt(timeAt(axis, x + 1))
  const first = to - from < 1 ? Math.round((from + to) / 2) : Math.ceil(from)
  const last = to - from < 1 ? first + 1 : Math.ceil(to)
  return [Math.min(Math.max(first, 0), count), Math.min(Math.max(last, 0), count)]
}

function triangle(ctx: CanvasRenderingContext2D, x: number, on: boolean): void {
  ctx.fillStyle = on ? '#ffffff' : INK.worst
  ctx.beginPath()
  ctx.moveTo(x - 4, 0)
  ctx.lineTo(x + 4, 0)
  ctx.lineTo(x, 5.5)
  ctx.fill()
}

function words(ctx: CanvasRenderingContext2D, axis: TimeAxis, fit: Residuals, { font, pointed }: ResidualStyle): void {
  ctx.font = font
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillStyle = INK.text
  const known = pointed >= 0 && !Number.isNaN(fit.mean[pointed] ?? NaN)
  ctx.fillText(known ? `Frame ${pointed}` : 'Residual', 12, axis.height / 2)
  ctx.textAlign = 'right'
  ctx.fillStyle = INK.strong
  ctx.fillText(`${(known ? fit.mean[pointed] : fit.typical).toFixed(2)} mm`, axis.gutter - 12, axis.height / 2)
}
