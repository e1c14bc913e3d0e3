/** Points are painted, or with shift wiped away; a click takes the nearest one. */
import type { Edit, Intend } from '../intents'
import { distance, SLOP, type Gesture, type Pointer } from './pointer'

interface Asked {
  /** Vertices under the brush; the nearest one alone where `single`. Empty off the face. */
  under(pointer: Pointer, single: boolean): number[]
  /** What painting, or wiping, these vertices means. */
  edit(vertices: number[], wiping: boolean): Edit
  label(wiping: boolean): string
  send: Intend
}

export function brush({ under, edit, label, send }: Asked): Gesture {
  let painted: Set<number> | null = null
  let from: Pointer | null = null
  let wiping = false

  function update(): void {
    send({ type: 'GestureUpdated', edit: edit([...painted!], wiping) })
  }

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (painted) send({ type })
    painted = from = null
  }

  return {
    down(pointer) {
      const first = under(pointer, true)
      if (!first.length) return false
      painted = new Set(first)
      from = pointer
      wiping = pointer.shift
      send({ type: 'GestureBegan', label: label(wiping) })
      update()
      return true
    },
    move(pointer) {
      if (!painted || !from || (painted.size === 1 && distance(pointer, from) < SLOP)) return
      const before = painted.size
      for (const vertex of under(pointer, false)) painted.add(vertex)
      if (painted.size !== before) update()
    },
    up: () => end('GestureEnded'),
    cancel: () => end('GestureCancelled'),
  }
}
