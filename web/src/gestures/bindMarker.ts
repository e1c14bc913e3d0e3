/** A marker is chosen by a click on it; the next click on the face says where it belongs. */
import type { Send } from '../intents'
import { distance, SLOP, type Gesture, type Pointer } from './pointer'
import type { Spot } from './dragPin'

interface Asked {
  markerAt(pointer: Pointer): string // "" where there is none
  surfaceAt(pointer: Pointer): Spot | null
  chosen(): string
  choose(marker: string): void
  send: Send
}

export function bindMarker({ markerAt, surfaceAt, chosen, choose, send }: Asked): Gesture {
  let from: Pointer | null = null
  let spot: Spot | null = null

  return {
    down(pointer) {
      const marker = markerAt(pointer)
      if (marker && marker !== chosen()) {
        choose(marker)
        from = spot = null
        return true
      }
      spot = chosen() ? surfaceAt(pointer) : null
      if (!spot) return false // the background turns the face
      from = pointer
      return true
    },
    move(pointer) {
      if (from && distance(pointer, from) > SLOP) spot = surfaceAt(pointer) ?? spot
    },
    up() {
      if (from && spot && chosen()) send({ type: 'Edited', edit: { type: 'PairMarker', marker: chosen(), ...spot } })
      from = spot = null
    },
    cancel() {
      from = spot = null
    },
  }
}
