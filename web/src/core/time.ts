/** Where in time the page is, in frames of the clip and of the take. */
import { computed, signal } from '@preact/signals'
import { clip, rate, scan, sound, take, time } from './document'
import type { TakeInfo } from './protocol.gen'
import { intend } from './server'
import { leave } from './unkeyed'

export const playing = signal(false)

export const frameOf = (seconds: number) => Math.round(seconds * rate.value)
export const toFrame = (seconds: number) => frameOf(seconds) / rate.value

/** The first moment there is: 0, or before it where a clip begins there. */
export const firstMoment = computed(() => Math.min(clip.value?.start ?? 0, 0))

export const LAST_MOMENT = 86_400 // seconds: a day, which no clip is as long as

export function scrubTo(at: number): void {
  const time = Math.min(Math.max(at, firstMoment.value), LAST_MOMENT)
  leave(time)
  intend({ type: 'Scrubbed', time })
}

/** Stop where it is, on a whole frame. */
export function stopPlaying(): void {
  if (!playing.value) return
  playing.value = false
  intend({ type: 'Scrubbed', time: toFrame(time.value) })
}

/** Seconds of the take's last frame. */
export const takeEnd = computed(() => (take.value ? Math.max(take.value.frames - 1, 0) / take.value.rate : 0))

/** Seconds of the last frame of take and sequence. */
export const recordedEnd = computed(() => Math.max(takeEnd.value, scan.value?.seconds ?? 0))

/** Seconds at which the sound ends. */
export const soundEnd = computed(() => (sound.value ? Math.max(sound.value.offset + sound.value.seconds, 0) : 0))

/** The take's frame that is shown; -1 where there is none. */
export const takeFrame = computed(() => (take.value ? frameAt(take.value, time.value) : -1))

export function frameAt({ frames, rate }: Pick<TakeInfo, 'frames' | 'rate'>, at: number): number {
  const found = Math.round(at * rate)
  return found < 0 || found >= frames ? -1 : found
}

/** The nearest time at which the take has a frame, so that face and markers are of one moment. */
export function onFrameOfTake(at: number): number {
  const frame = take.value ? frameAt(take.value, at) : -1
  return frame < 0 ? at : frame / take.value!.rate
}
