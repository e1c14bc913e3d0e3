/** The current clip, frame by frame, and its rows at a time. */
import { signal } from '@preact/signals'
import { playedControls } from '../../core/controls'
import { clipName, time } from '../../core/document'
import type { ClipTable } from '../../core/frames'
import { NOTHING, showPosed } from '../../core/local'
import { showValues } from '../../core/pose'
import { query } from '../../core/server'

/** The table that came last. */
export const table = signal<ClipTable | null>(null)

/** The current clip, frame by frame. */
export async function sampled(): Promise<ClipTable> {
  await query({ type: 'SampleClip', clip: clipName.value })
  return table.value!
}

/** Show a moment of a clip without asking the server. */
export function showMoment(of: ClipTable | null, at: number): void {
  time.value = at
  if (!of) return
  const { weights, values, spots, local } = of.arrays
  const rowOf = (rows: Float32Array) => row(of.arrays, rows, at)
  const settings = rowOf(of.arrays.settings)
  playedControls.value = Object.fromEntries(of.controls.map((name, i) => [name, settings[i]]))
  showPosed(rowOf(weights), spots && local ? { spots, added: rowOf(local) } : NOTHING)
  showValues(rowOf(values))
}

/** The row of a table at a time, linear between frames. */
export function row(table: { times: Float32Array }, rows: Float32Array, time: number): Float32Array {
  const frames = table.times.length
  const width = rows.length / frames
  const at = Math.min(Math.max(position(table.times, time), 0), frames - 1)
  const left = Math.min(Math.floor(at), frames - 1)
  const right = Math.min(left + 1, frames - 1)
  const share = at - left
  const mixed = new Float32Array(width)
  for (let i = 0; i < width; i++) mixed[i] = (1 - share) * rows[left * width + i] + share * rows[right * width + i]
  return mixed
}

/** Where a time is between evenly spaced frames. */
function position(times: Float32Array, time: number): number {
  const last = times.length - 1
  if (last <= 0 || times[last] <= times[0]) return 0
  return ((time - times[0]) / (times[last] - times[0])) * last
}

/** The time after `passed` seconds from `from`, between start and end; null where it has come to the end. */
export function clockTime(
  from: number,
  passed: number,
  span: { start: number; end: number },
  loop: boolean,
): number | null {
  const length = span.end - span.start
  const at = Math.max(from, span.start) + passed
  if (at <= span.end) return at
  if (!loop || length <= 0) return null
  return span.start + ((at - span.start) % length)
}
