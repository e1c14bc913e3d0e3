/** A marker is chosen by a click on it; the next click on the face says where it belongs. */
import type { Intend } from '../../core/intents'
import { distance, SLOP, type Gesture, type Pointer, type Spot } from '../../core/gestures/pointer'

interface Asked {
  markerAt(pointer: Pointer): string // "" where there is none
  surfaceAt(pointer: Pointer): Spot | null
  chosen(): string
  choose(marker: string): void
  send: Intend
}

export function bindMarker({ markerAt, surfaceAt, chosen, choose, send }: Asked): Gesture {
  let from: Pointer | null = null
  let spot: Spot | null = null

  return {
    down(pointer) {
      // Markers that are bound lie all over the face: while one waits for its place, the others do not count there.
      spot = chosen() ? surfaceAt(pointer) : null
      from = spot && pointer
      const marker = spot ? '' : markerAt(pointer)
      if (marker) choose(marker)
      return spot !== null || marker !== '' // else the background turns the face
    },
    move(pointer) {
      if (from && distance(pointer, from) > SLOP) spot = surfaceAt(pointer) ?? spot
    },
    up() {
      const marker = chosen()
      if (from && spot && marker) {
        send({ type: 'Edited', edit: { type: 'PairMarker', marker, ...spot } })
        choose('')
      }
      from = spot = null
    },
    cancel() {
      from = spot = null
    },
  }
}
