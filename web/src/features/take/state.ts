/** The take's markers, and how near the clip at hand comes to them. */
import { computed, signal } from '@preact/signals'
import { floats, indices, type Arrays } from '../../core/frames'
import type { MarkerInfo, TakeFitTable, TakeInfo, TakeTable } from '../../core/protocol.gen'
import { clip, take, time } from '../../core/document'

export interface Positions {
  take: string // id
  data: Float32Array // (f, m, 3) in the take's room, NaN where one was not seen
}

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
  doubted: ReadonlyMap<number, ReadonlySet<number>> // frame -> markers that are not gone by
}

export const positions = signal<Positions | null>(null)
export const fit = signal<Fit | null>(null)
export const chosenMarker = signal('') // to be bound by the next click on the face
export const hoveredMarker = signal('')

/** Seconds of the take's last frame. */
export const takeEnd = computed(() => (take.value ? Math.max(take.value.frames - 1, 0) / take.value.rate : 0))

/** The take's frame that is shown; -1 where there is none. */
export const takeFrame = computed(() => (take.value ? frameAt(take.value, time.value) : -1))

export function frameAt({ frames, rate }: Pick<TakeInfo, 'frames' | 'rate'>, at: number): number {
  const found = Math.round(at * rate)
  return found < 0 || found >= frames ? -1 : found
}

/** The nearest time at which the take shows something, so that face and markers are of one moment. */
export function onFrameOfTake(at: number): number {
  const frame = take.value ? frameAt(take.value, at) : -1
  return frame < 0 ? at : frame / take.value!.rate
}

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

export function positionsOf(frame: { header: TakeTable; arrays: Arrays }): Positions {
  return { take: frame.header.take, data: floats(frame, 'positions') }
}

export function fitOf(frame: { header: TakeFitTable; arrays: Arrays }): Fit {
  const { clip: name, statuses, worst_frames, typical, most } = frame.header
  const pairs = indices(frame, 'doubted')
  const doubted = new Map<number, Set<number>>()
  for (let i = 0; i < pairs.length; i += 2)
    doubted.set(pairs[i], (doubted.get(pairs[i]) ?? new Set()).add(pairs[i + 1]))
  return {
    clip: name,
    statuses,
    worstFrames: worst_frames,
    typical,
    most,
    doubted,
    mean: floats(frame, 'mean'),
    worst: indices(frame, 'worst'),
    status: indices(frame, 'status'),
    head: floats(frame, 'head'),
  }
}

/** What stands in for a marker in the list: how it takes part. */
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
