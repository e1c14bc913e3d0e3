/** Keys of a lane as marks: single ones, and bars where they are too near to be told apart. */
import { keysBefore } from '../../core/curve'
import { secondsPerPixel, xOf, type TimeAxis } from '../../core/timeAxis'

const APART = 5 // pixels: nearer keys are one bar
const EDGE = 8 // pixels beyond the ends that are still seen

export interface Mark {
  from: number // pixels
  to: number // the same for a single key
}

/** Lists of times without those that are the same as one before: curves of a take have their keys at the same times. */
export function distinct(lists: readonly (readonly number[])[]): (readonly number[])[] {
  const kept: (readonly number[])[] = []
  for (const times of lists) if (!kept.some((other) => isSame(other, times))) kept.push(times)
  return kept
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let k = a.length - 1; k >= 0; k--) if (a[k] !== b[k]) return false
  return true
}

/** The marks of increasing times that are seen. What it costs grows with the pixels, not with the keys. */
export function marksOf(axis: TimeAxis, times: ArrayLike<number>): Mark[] {
  const perPixel = secondsPerPixel(axis)
  const end = axis.span.to + EDGE * perPixel
  const marks: Mark[] = []
  let at = keysBefore(times, axis.span.from - EDGE * perPixel)
  while (at < times.length && times[at] <= end) {
    let last = at
    for (;;) {
      const next = keysBefore(times, times[last] + APART * perPixel) - 1
      if (next <= last || times[last] > end) break
      last = next
    }
    marks.push({ from: xOf(axis, times[at]), to: xOf(axis, times[last]) })
    at = last + 1
  }
  return marks
}
