/** The end of a key's tangent is dragged; with alt the two sides of the key part. */
import type { Gesture, Pointer } from '../../core/gestures/pointer'
import type { Intend } from '../../core/intents'
import type { Handle } from './laneLayout'

export interface HandleWorld {
  handleAt(pointer: Pointer): Handle | null
  /** Where a pointer is, in seconds and units of the curve. */
  place(pointer: Pointer): { time: number; value: number }
  leastSeconds(): number // that a handle is from its key, so that a slope is finite
  hold(on: boolean): void
}

export function dragHandle({ world, send }: { world: HandleWorld; send: Intend }): Gesture {
  let handle: Handle | null = null
  let moved = false

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (handle && moved) send({ type })
    if (handle) world.hold(false)
    handle = null
    moved = false
  }

  return {
    down(pointer) {
      handle = world.handleAt(pointer)
      if (handle) world.hold(true)
      return handle !== null
    },
    move(pointer) {
      if (!handle) return
      if (!moved) send({ type: 'GestureBegan', label: 'Turn tangent' })
      moved = true
      const { curve, key, leaving } = handle
      const { time, value } = world.place(pointer)
      const way = leaving ? 1 : -1
      const run = Math.max(way * (time - curve.times[key]), world.leastSeconds())
      const slope = (way * (value - curve.values[key])) / run
      const edit = { slider: curve.slider, time: curve.times[key], slope, leaving, broken: pointer.alt }
      send({ type: 'GestureUpdated', edit: { type: 'TurnHandle', ...edit } })
    },
    up: () => end('GestureEnded'),
    cancel: () => end('GestureCancelled'),
  }
}
