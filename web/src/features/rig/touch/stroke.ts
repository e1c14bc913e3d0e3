/** A stroke of a brush over the face: all of its dabs so far are sent, or how far it was grabbed. */
import type { Intend } from '../../../core/intents'
import type { Gesture, Pointer, Spot } from '../../../core/gestures/pointer'
import type { TouchUpShape } from '../../../core/protocol.gen'
import type { Vec } from '../../../core/vec'

export interface Place extends Spot {
  place: Vec
}

interface Asked {
  /** What is under the pointer; null off the face. */
  at(pointer: Pointer): Place | null
  /** Where the pointer is in the plane through a place that faces the camera. */
  onPlane(pointer: Pointer, through: Vec, of: Spot): Vec
  /** The brush as it is set when a stroke begins; null: there is no shape to touch up. */
  brush(): Omit<TouchUpShape, 'type' | 'path' | 'move'> | null
  /** Scene units between two dabs. */
  spacing(): number
  label(): string
  send: Intend
}

const MOST = 4096 // dabs of a stroke

export function stroke({ at, onPlane, brush, spacing, label, send }: Asked): Gesture {
  let own: ReturnType<typeof brush> = null
  let path: TouchUpShape['path'] = []
  let from: Vec = [0, 0, 0] // the first place of a grab, else the last one
  let step = 0

  function update(move?: Vec): void {
    const edit = { type: 'TouchUpShape', ...own!, path } as const
    send({ type: 'GestureUpdated', edit: move ? { ...edit, move: [...move] } : edit })
  }

  function add({ triangle, barycentric, place }: Place): void {
    path = [...path, [triangle, ...barycentric]]
    from = place
  }

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (own) send({ type })
    own = null
  }

  return {
    down(pointer) {
      const first = at(pointer)
      own = first && brush()
      if (!first || !own) return false
      path = []
      step = spacing()
      add(first)
      send({ type: 'GestureBegan', label: label() })
      if (own.kind !== 'grab') update()
      return true
    },
    move(pointer) {
      if (!own) return
      if (own.kind === 'grab') {
        const [triangle, ...barycentric] = path[0]
        const to = onPlane(pointer, from, { triangle, barycentric })
        return update([to[0] - from[0], to[1] - from[1], to[2] - from[2]])
      }
      const next = at(pointer)
      if (!next || path.length >= MOST || apart(next.place, from) < step) return
      add(next)
      update()
    },
    up: () => end('GestureEnded'),
    cancel: () => end('GestureCancelled'),
  }
}

const apart = (a: Vec, b: Vec) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
