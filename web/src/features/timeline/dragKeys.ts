/** Keys are dragged in time and, in the graph, in value; with alt copies of them are, with shift they may leave the bounds. */
import type { Intend } from '../../core/intents'
import type { KeyChoice } from '../../core/protocol.gen'
import { distance, SLOP, type Axis, type Gesture, type Pointer } from '../../core/gestures/pointer'

export interface KeyWorld {
  /** The keys under the pointer; empty where there are none. */
  keysAt(pointer: Pointer): KeyChoice[]
  selected(): KeyChoice[]
  select(keys: KeyChoice[]): void
  keysIn(from: Pointer, to: Pointer): KeyChoice[]
  frame(from: Pointer | null, to: Pointer | null): void // the box that is drawn
  /** A drag begins or ends: what is seen keeps its scale in between. */
  hold(on: boolean): void
  secondsPer(pixels: number): number // on whole frames, if keys go to them
  valuePer(pixels: number): number // 0 where values are not shown
  axis(): Axis | null // that is held down: x moves in time alone, y in value
}

export function dragKeys({ world, send }: { world: KeyWorld; send: Intend }): Gesture {
  let from: Pointer | null = null
  let keys: KeyChoice[] = []
  let moved = false

  const way = (pointer: Pointer) => ({
    by: world.axis() === 'y' ? 0 : world.secondsPer(pointer.x - from!.x),
    lift: world.axis() === 'x' ? 0 : world.valuePer(from!.y - pointer.y),
  })

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (moved && keys.length) send({ type })
    world.frame(null, null)
    world.hold(false)
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
      world.hold(true)
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
      const { by, lift } = way(pointer)
      if (from.alt) send({ type: 'GestureUpdated', edit: { type: 'CopyKeys', keys, by } })
      else send({ type: 'GestureUpdated', edit: { type: 'MoveKeys', keys, by, lift, beyond: pointer.shift } })
    },
    up(pointer) {
      if (from && moved && keys.length) world.select(shifted(keys, way(pointer).by))
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
