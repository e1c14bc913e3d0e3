/** A click chooses a region; where one is chosen already, the pointer poses it. */
import { distance, SLOP, type Gesture, type Pointer } from '../../core/gestures/pointer'

interface Asked {
  /** The region under the pointer, of the level that is shown; null off the face. */
  regionAt(pointer: Pointer): number | null
  /** Whether what is under the pointer is part of the chosen region. */
  isInside(pointer: Pointer): boolean
  choose(region: number): void
  pose: Gesture
}

export function inRegion({ regionAt, isInside, choose, pose }: Asked): Gesture {
  let posing = false
  let from: Pointer | null = null
  let found: number | null = null

  return {
    down(pointer) {
      posing = isInside(pointer) && pose.down(pointer)
      if (posing) return true
      from = pointer
      found = regionAt(pointer)
      return found !== null
    },
    move(pointer) {
      if (posing) return pose.move(pointer)
      if (from && distance(pointer, from) >= SLOP) found = null // it was no click
    },
    up(pointer) {
      if (posing) pose.up(pointer)
      else if (found !== null) choose(found)
      posing = false
      from = found = null
    },
    cancel() {
      if (posing) pose.cancel()
      posing = false
      from = found = null
    },
  }
}
