/** Colours of the timeline's canvases, and what several of them draw. */
import type { Layout } from './laneLayout'

export const HUES = ['#58c9b4', '#e0a45e', '#8fb3ff', '#e58fb1', '#b8cf6a', '#c79bf0', '#f08f72', '#7fd0ea']

export const INK = {
  line: '#232830',
  level: '#303742',
  text: '#a3adb9',
  accent: '#58c9b4',
  key: '#b9c2cc',
  row: '#171a1f',
  group: '#1b1f25',
  range: 'rgba(88, 201, 180, 0.10)',
}

/** Diamonds at many places, as one path. */
export function diamonds(ctx: CanvasRenderingContext2D, places: readonly [number, number][], r: number, fill: string) {
  ctx.fillStyle = fill
  ctx.beginPath()
  for (const [x, y] of places) {
    ctx.moveTo(x, y - r)
    ctx.lineTo(x + r, y)
    ctx.lineTo(x, y + r)
    ctx.lineTo(x - r, y)
    ctx.closePath()
  }
  ctx.fill()
}

/** Keys that are too near to each other for diamonds. */
export function dots(ctx: CanvasRenderingContext2D, places: readonly [number, number][]): void {
  ctx.fillStyle = '#ffffff'
  for (const [x, y] of places) ctx.fillRect(x - 1, y - 1.5, 2, 3)
}

export function outline(ctx: CanvasRenderingContext2D): void {
  ctx.strokeStyle = INK.accent
  ctx.lineWidth = 2
  ctx.stroke()
}

/** What lies over the gutter is not drawn. */
export function clipToLanes(ctx: CanvasRenderingContext2D, { gutter, width, height }: Layout): void {
  ctx.beginPath()
  ctx.rect(gutter - 7, 0, width, height)
  ctx.clip()
}
