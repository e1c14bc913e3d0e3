/** A table of frames played: its rows at a time, and the time as it passes. */

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
