/** A clip shown by the clock. */
import { signal } from '@preact/signals'
import { floats, indices, type Arrays } from '../../core/frames'
import type { ClipTable } from '../../core/protocol.gen'

export interface Table {
  clip: string
  times: Float32Array // (f,)
  weights: Float32Array // (f, n)
  values: Float32Array // (f, s), or (f, 1 + r, s)
  spots: Uint32Array // (p, 2)
  local: Float32Array // (f, p)
}

export const playing = signal(false)
export const table = signal<Table | null>(null)

export function tableOf(frame: { header: ClipTable; arrays: Arrays }): Table {
  return {
    clip: frame.header.clip,
    times: floats(frame, 'times'),
    weights: floats(frame, 'weights'),
    values: floats(frame, 'values'),
    spots: indices(frame, 'spots'),
    local: floats(frame, 'local'),
  }
}

/** The row of a table at a time, linear between frames. */
export function row(table: Pick<Table, 'times'>, rows: Float32Array, time: number): Float32Array {
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
