/** What can be done with keys besides dragging them. */
import { clip, rate, time } from '../../core/document'
import { chosen, liveKeys } from '../../core/selection'
import { edit } from '../../core/server'
import { scrubTo, toFrame } from '../../core/time'
import { say } from '../../core/toasts'
import { earliest, nextKey, previousKey } from './keytimes'

/** Key the whole pose at the current frame. */
export function keyPose(): void {
  edit({ type: 'SetKeys', time: toFrame(time.value) })
}

export function keySelected(): void {
  if (!chosen.value.length) return say('Select sliders first: click their names, with Ctrl to add more.')
  edit({ type: 'SetKeys', time: toFrame(time.value), sliders: chosen.value })
}

export function deleteKeys(): void {
  const keys = liveKeys.value
  if (!keys.length) return say('Select keys first: click them, or drag a box round them.')
  edit({ type: 'DeleteKeys', keys })
}

/** Copy the selected keys so that the first of them lands on the current time. */
export function copyKeys(): void {
  const keys = liveKeys.value
  if (!keys.length) return say('Select keys first: click them, or drag a box round them.')
  const by = toFrame(time.value) - earliest(keys)
  if (Math.abs(by) < 1e-6) return say('Move in time to where the copy should go.')
  edit({ type: 'CopyKeys', keys, by })
}

export function moveKeys(frames: number): void {
  if (liveKeys.value.length) edit({ type: 'MoveKeys', keys: liveKeys.value, by: frames / rate.value })
}

export const stepFrames = (by: number) => scrubTo(toFrame(time.value) + by / rate.value)

export function goToKey(direction: 1 | -1): void {
  const at = direction > 0 ? nextKey.value : previousKey.value
  if (at !== null) scrubTo(at)
  else if (!clip.value) say('There are no keys yet: K keys the pose.')
}
