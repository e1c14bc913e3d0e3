/** The take's markers, and how near the clip at hand comes to them. */
import { computed, signal } from '@preact/signals'
import { clip, take } from '../../core/document'
import type { TakeFitTable, TakeTable } from '../../core/frames'
import type { MarkerInfo } from '../../core/protocol.gen'
import { takeFrame } from '../../core/time'

export interface Fit {
  clip: string
  mean: Float32Array // (f,) millimetres, NaN where nothing is known
  worst: Uint32Array // (f,) the marker that is furthest off
  status: Uint32Array // (f,)
  statuses: string[]
  worstFrames: number[]
  typical: number
  most: number
  head: Float32Array // (f, 12), empty where the clip itself has the head's motion
  doubted: ReadonlyMap<number, ReadonlySet<number>> // frame -> markers that the solver leaves out there
}

export const positions = signal<TakeTable | null>(null)
export const fit = signal<Fit | null>(null)
export const chosenMarker = signal('') // to be bound by the next click on the face
export const hoveredMarker = signal('')
export const markersShown = signal(true)
export const markersOnFace = signal(true) // at rest markers lie on this face, whatever the actor's is like
export const headMotion = signal(false) // the face moves as the head did
export const solveOptions = signal({
  smooth: '',
  keys: 0.005,
  residual: false,
  gaze: null as boolean | null, // null: as the markers tell
  by_region: false,
  head: 'solved' as 'solved' | 'still',
})

/** The fit, if it is that of the clip at hand and says anything. */
export const liveFit = computed(() => {
  const found = fit.value
  return found && found.mean.length && found.clip === (clip.value?.name ?? '') && take.value?.bound ? found : null
})

/** Whether the frame lies where the clip at hand says something, so that markers can be compared with the face. */
export const isCompared = computed(() => {
  const found = liveFit.value
  return found !== null && takeFrame.value >= 0 && !Number.isNaN(found.mean[takeFrame.value] ?? NaN)
})

/** A fit as it came; null where the take is not bound. */
export function fitOf(frame: TakeFitTable): Fit | null {
  const { clip: name, statuses, worst_frames, typical, most } = frame
  const { mean, worst, status, head, doubted: pairs } = frame.arrays
  if (!worst || !status || !head || !pairs) return null
  const doubted = new Map<number, Set<number>>()
  for (let i = 0; i < pairs.length; i += 2)
    doubted.set(pairs[i], (doubted.get(pairs[i]) ?? new Set()).add(pairs[i + 1]))
  return { clip: name, statuses, worstFrames: worst_frames, typical, most, doubted, mean, worst, status, head }
}

/** How a marker takes part. */
export type Part = 'ignored' | 'loose' | 'paired' | 'bound' | 'unusable'

export function partOf(marker: MarkerInfo, bound: boolean): Part {
  if (marker.ignored) return 'ignored'
  if (marker.paired) return 'paired'
  if (!marker.bindable) return 'unusable'
  return bound && marker.point ? 'bound' : 'loose'
}

/** The next of the worst frames after a frame, or the one before it; round at the ends. */
export function worstFrom(frames: readonly number[], at: number, direction: 1 | -1): number | null {
  if (!frames.length) return null
  if (direction > 0) return frames.find((each) => each > at) ?? frames[0]
  return frames.findLast((each) => each < at) ?? frames[frames.length - 1]
}
