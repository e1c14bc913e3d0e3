/** Times of the current clip that have a key. */
import { computed } from '@preact/signals'
import { keysBefore } from '../../core/curve'
import { clipCurves, time } from '../../core/document'
import type { KeyChoice } from '../../core/protocol.gen'

const SAME = 1e-6 // seconds

export const previousKey = computed(() => {
  const before = clipCurves.value.map(({ times }) => times[keysBefore(times, time.value - SAME) - 1] ?? -Infinity)
  const last = before.reduce((a, b) => Math.max(a, b), -Infinity)
  return Number.isFinite(last) ? last : null
})

export const nextKey = computed(() => {
  const after = clipCurves.value.map(({ times }) => times[keysBefore(times, time.value + SAME)] ?? Infinity)
  const first = after.reduce((a, b) => Math.min(a, b), Infinity)
  return Number.isFinite(first) ? first : null
})

/** The time of the first of some keys; times of each slider increase. */
export const earliest = (keys: readonly KeyChoice[]) =>
  keys.reduce((least, { times }) => Math.min(times[0] ?? Infinity, least), Infinity)

/** The time of the last of some keys. */
export const latest = (keys: readonly KeyChoice[]) =>
  keys.reduce((most, { times }) => Math.max(times.at(-1) ?? -Infinity, most), -Infinity)
