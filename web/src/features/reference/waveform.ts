/** The waveform of a sound, at any zoom: extremes of stretches, of pairs of them, of pairs of those, and so on. */
import { timeAt, type TimeAxis } from '../../core/timeAxis'

export interface Waveform {
  rate: number // stretches a second, of the first level
  levels: readonly Float32Array[] // the lowest and the highest of each stretch; each level has half as many
}

export function waveformOf(peaks: Float32Array, rate: number): Waveform {
  const levels = [peaks]
  while (levels[levels.length - 1].length > 4) levels.push(halved(levels[levels.length - 1]))
  return { rate, levels }
}

function halved(peaks: Float32Array): Float32Array {
  const count = Math.ceil(peaks.length / 4)
  const made = new Float32Array(2 * count)
  for (let k = 0; k < count; k++) {
    const other = Math.min(2 * k + 1, peaks.length / 2 - 1)
    made[2 * k] = Math.min(peaks[4 * k], peaks[2 * other])
    made[2 * k + 1] = Math.max(peaks[4 * k + 1], peaks[2 * other + 1])
  }
  return made
}

/** The lowest and the highest sample of a stretch of time, in seconds of the sound; null where there is none. */
export function extremes({ rate, levels }: Waveform, from: number, to: number): [number, number] | null {
  // At the level that is chosen at most three stretches are looked at.
  const level = Math.min(Math.max(Math.floor(Math.log2(Math.max((to - from) * rate, 1))), 0), levels.length - 1)
  const [peaks, a_second] = [levels[level], rate / 2 ** level]
  const first = Math.max(Math.floor(from * a_second), 0)
  const end = Math.min(Math.max(Math.ceil(to * a_second), first + 1), peaks.length / 2)
  if (to <= 0 || first >= end) return null
  let [low, high] = [Infinity, -Infinity]
  for (let k = first; k < end; k++) {
    low = Math.min(low, peaks[2 * k])
    high = Math.max(high, peaks[2 * k + 1])
  }
  return [low, high]
}

interface Drawn {
  offset: number // seconds of the timeline at which the sound begins
  ink: string
  quiet: string // of what lies beyond its ends
}

/** Draw a waveform over a strip: one line for each pixel. */
export function drawWaveform(ctx: CanvasRenderingContext2D, axis: TimeAxis, wave: Waveform, drawn: Drawn): void {
  const { width, height, gutter } = axis
  const [middle, half] = [height / 2, height / 2 - 2]
  ctx.fillStyle = drawn.quiet
  ctx.fillRect(gutter, Math.round(middle), width - gutter, 1)
  ctx.fillStyle = drawn.ink
  for (let x = Math.ceil(gutter); x < width; x++) {
    const found = extremes(wave, timeAt(axis, x) - drawn.offset, timeAt(axis, x + 1) - drawn.offset)
    if (!found) continue
    const [top, bottom] = [middle - half * Math.min(found[1], 1), middle - half * Math.max(found[0], -1)]
    ctx.fillRect(x, Math.min(top, middle - 0.5), 1, Math.max(bottom - top, 1))
  }
}
