/** The depth or scan sequence: its frame that is shown, and how well it was tracked. */
import { computed, signal } from '@preact/signals'
import { clip, scan, time } from '../../core/document'
import type { ScanCloud, ScanTable } from '../../core/frames'
import type { Residuals } from '../../widgets/drawResidual'

export const table = signal<ScanTable | null>(null)
export const cloud = signal<ScanCloud | null>(null)
export const cloudShown = signal(true)
export const trackOptions = signal({ own_face: false, keys: 0.005 })
export const off = signal<Float32Array>(new Float32Array(0)) // (k,) millimetres of the shown points from the face

/** Seconds of the frames; none where they are not there yet. */
export const times = computed(() =>
  table.value && table.value.scan === scan.value?.id ? table.value.arrays.times : null,
)

/** Where a moment is among the frames: between two of them their share, beyond the ends by the frames' rate. */
export function frameAt(at: Float64Array, seconds: number): number {
  const last = at.length - 1
  const step = last > 0 ? (at[last] - at[0]) / last : 1 / 30
  if (seconds <= at[0]) return (seconds - at[0]) / step
  if (seconds >= at[last]) return last + (seconds - at[last]) / step
  let [low, high] = [0, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (at[middle] <= seconds) low = middle
    else high = middle
  }
  return low + (seconds - at[low]) / (at[high] - at[low])
}

/** The frame that is shown; -1 where there is none. */
export const scanFrame = computed(() => {
  const at = times.value
  if (!at?.length) return -1
  const found = Math.round(frameAt(at, time.value))
  return found < 0 || found >= at.length ? -1 : found
})

/** What was tracked, if the clip at hand is the one that came of it. */
export const tracked = computed(() => {
  const found = scan.value?.tracked ?? null
  return found && found.clip === clip.value?.name ? found : null
})

export const residuals = computed<Residuals | null>(() => {
  const [found, there] = [tracked.value, table.value]
  if (!found || !there || there.scan !== scan.value?.id) return null
  const { residual, status } = there.arrays
  const levels = Array.from(status, (each, i) => (Number.isNaN(residual[i]) ? 2 : each > 0 ? 1 : 0))
  return { mean: residual, status: levels, worstFrames: found.worst_frames, typical: found.typical, most: found.most }
})

/** The status of a frame in words; '' where it was not tracked. */
export function statusOf(frame: number): string {
  const [found, there] = [tracked.value, table.value]
  const status = there?.arrays.status[frame]
  return found && status !== undefined ? (found.words[status] ?? '') : ''
}
