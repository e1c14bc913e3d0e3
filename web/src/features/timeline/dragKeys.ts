/** Keys are dragged in time and, in the curve view, in value; with alt copies of them are. */
import type { Intend } from '../../core/intents'
import type { KeyChoice } from '../../core/protocol.gen'
import { distance, SLOP, type Gesture, type Pointer } from '../../core/gestures/pointer'

export interface KeyWorld {
  /** The keys under the pointer; empty where there are none. */
  keysAt(pointer: Pointer): KeyChoice[]
  selected(): KeyChoice[]
  select(keys: KeyChoice[]): void
  keysIn(from: Pointer, to: Pointer): KeyChoice[]
  frame(from: Pointer | null, to: Pointer | null): void // the box that is drawn
  secondsPer(pixels: number): number // on whole frames
  valuePer(pixels: number): number // 0 where values are not shown
}

export function dragKeys({ world, send }: { world: KeyWorld; send: Intend }): Gesture {
  let from: Pointer | null = null
  let keys: KeyChoice[] = []
  let moved = false

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (moved && keys.length) send({ type })
    world.frame(null, null)
    from = null
    moved = false
  }

  return {
    down(pointer) {
      from = pointer
      const hit = world.keysAt(pointer)
      keys = hit.length
        ? contains(world.selected(), hit)
          ? world.selected()
          : joined(pointer.ctrl ? world.selected() : [], hit)
        : []
      if (hit.length || !pointer.ctrl) world.select(keys)
      return true
    },
    move(pointer) {
      if (!from || (!moved && distance(pointer, from) < SLOP)) return
      if (!keys.length) {
        moved = true
        world.frame(from, pointer)
        return world.select(world.keysIn(from, pointer))
      }
      if (!moved) send({ type: 'GestureBegan', label: from.alt ? 'Copy keys' : 'Move keys' })
      moved = true
      const by = world.secondsPer(pointer.x - from.x)
      const lift = world.valuePer(from.y - pointer.y)
      if (from.alt) send({ type: 'GestureUpdated', edit: { type: 'CopyKeys', keys, by } })
      else send({ type: 'GestureUpdated', edit: { type: 'MoveKeys', keys, by, lift } })
    },
    up(pointer) {
      if (from && moved && keys.length) world.select(shifted(keys, world.secondsPer(pointer.x - from.x)))
      end('GestureEnded')
    },
    cancel: () => end('GestureCancelled'),
  }
}

const shifted = (keys: KeyChoice[], by: number) =>
  keys.map(({ slider, times }) => ({ slider, times: times.map((t) => t + by) }))

function contains(all: KeyChoice[], some: KeyChoice[]): boolean {
  const times = new Map(all.map((choice) => [choice.slider, new Set(choice.times)]))
  return some.every(({ slider, times: wanted }) => wanted.every((t) => times.get(slider)?.has(t)))
}

export function joined(a: KeyChoice[], b: KeyChoice[]): KeyChoice[] {
  const times = new Map<string, Set<number>>()
  for (const choice of [...a, ...b]) {
    const known = times.get(choice.slider) ?? new Set()
    for (const t of choice.times) known.add(t)
    times.set(choice.slider, known)
  }
  return [...times].map(([slider, set]) => ({ slider, times: [...set].sort((x, y) => x - y) }))
}
