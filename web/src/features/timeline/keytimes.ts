/** All times of the current clip that have a key. */
import { computed } from '@preact/signals'
import { clipCurves, time } from '../../core/document'
import type { KeyChoice } from '../../core/protocol.gen'

const SAME = 1e-6 // seconds

const keyTimes = computed(() => {
  const sorted = clipCurves.value.flatMap((curve) => curve.times).sort((a, b) => a - b)
  return sorted.filter((t, i) => i === 0 || t - sorted[i - 1] > SAME)
})

export const previousKey = computed(() => keyTimes.value.findLast((t) => t < time.value - SAME) ?? null)
export const nextKey = computed(() => keyTimes.value.find((t) => t > time.value + SAME) ?? null)

/** The time of the first of some keys, which may be too many for Math.min(...times). */
export const earliest = (keys: readonly KeyChoice[]) =>
  keys.reduce((least, { times }) => times.reduce((a, b) => Math.min(a, b), least), Infinity)

/** Every key at one time, of all sliders. */
export function keysAt(at: number): KeyChoice[] {
  return clipCurves.value.flatMap(({ slider, times }) => {
    const here = times.filter((t) => Math.abs(t - at) <= SAME)
    return here.length ? [{ slider, times: here }] : []
  })
}
