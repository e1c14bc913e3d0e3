/** A pin is set by a click on the surface and dragged at once, or an old one is taken. */
import type { Intend } from '../../core/intents'
import {
  distance,
  SLOP,
  type Axis,
  type Gesture,
  type OnSurface,
  type Pointer,
  type Spot,
} from '../../core/gestures/pointer'
import type { Vec } from '../../core/vec'

/** What the gesture asks of the scene. */
export interface PinWorld {
  pinAt(pointer: Pointer): number | null
  surfaceAt(pointer: Pointer): { spot: Spot; place: Vec; normal: Vec } | null
  placeOf(pin: number): { spot: OnSurface; place: Vec; normal: Vec } | null
  /** Pins that go along with this one, itself among them. */
  companions(pin: number): number[]
  freePin(): number
  onPlane(pointer: Pointer, through: Vec, of: OnSurface): Vec
  onLine(pointer: Pointer, through: Vec, along: Vec, of: OnSurface): Vec
  viewDirection(of: OnSurface): Vec
  axis(): Axis | null // a key that is held down
  symmetric(): boolean
  region(): string // that the drag is kept to, '' for the whole face
}

interface Asked {
  world: PinWorld
  send: Intend
  selected(pin: number, add: boolean): void
  dragging(on: boolean): void
}

interface Grip {
  pin: number // that was pressed
  among: boolean // whether it was selected with others
  pins: Map<number, Vec> // where they were
  spot: OnSurface
  from: Vec
  normal: Vec
  down: Pointer
  moved: boolean
}

const UNITS: Record<Axis, Vec> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }

export function dragPin({ world, send, selected, dragging }: Asked): Gesture {
  let grip: Grip | null = null

  function grasp(pin: number, at: { spot: OnSurface; place: Vec; normal: Vec }, down: Pointer): void {
    // A press on one of several selected pins may begin a drag of all of them: then the selection stays.
    const among = !down.ctrl && world.companions(pin).length > 1
    if (!among) selected(pin, down.ctrl)
    const pins = new Map<number, Vec>([[pin, at.place]])
    for (const other of world.companions(pin)) {
      const there = world.placeOf(other)
      if (there) pins.set(other, there.place)
    }
    grip = { pin, among, pins, spot: at.spot, from: at.place, normal: at.normal, down, moved: false }
  }

  /** How far the pointer has come since it went down, in space, and how the solver should see it. */
  function travel(g: Grip, pointer: Pointer) {
    const axis = world.axis()
    const along = axis ? UNITS[axis] : pointer.shift ? g.normal : null
    const where = (p: Pointer) => (along ? world.onLine(p, g.from, along, g.spot) : world.onPlane(p, g.from, g.spot))
    const [a, b] = [where(g.down), where(pointer)]
    const by: Vec = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    const plane = along ? null : ([...world.viewDirection(g.spot)] as [number, number, number])
    return { by, plane, axes: axis ?? 'xyz' }
  }

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (grip?.moved) {
      send({ type })
      dragging(false)
    } else if (grip?.among) selected(grip.pin, false) // a click chooses it alone
    grip = null
  }

  return {
    down(pointer) {
      const pin = world.pinAt(pointer)
      const there = pin === null ? null : world.placeOf(pin)
      if (pin !== null && there) {
        grasp(pin, there, pointer)
        return true
      }
      const hit = world.surfaceAt(pointer)
      if (!hit) return false
      const id = world.freePin()
      send({ type: 'Edited', edit: { type: 'AddPin', pin: id, ...hit.spot } })
      grasp(id, hit, { ...pointer, ctrl: false })
      return true
    },
    move(pointer) {
      if (!grip) return
      if (!grip.moved) {
        if (distance(pointer, grip.down) < SLOP) return
        grip.moved = true
        dragging(true)
        const what = grip.pins.size > 1 ? `Drag ${grip.pins.size} pins` : 'Drag pin'
        send({ type: 'GestureBegan', label: world.region() ? `${what} in ${world.region()}` : what })
      }
      const { by, plane, axes } = travel(grip, pointer)
      const targets = [...grip.pins].map(([pin, [x, y, z]]) => ({
        pin,
        target: [x + by[0], y + by[1], z + by[2]] as [number, number, number],
      }))
      send({
        type: 'GestureUpdated',
        edit: { type: 'DragPins', targets, plane, axes, symmetric: world.symmetric(), region: world.region() },
      })
    },
    up: () => end('GestureEnded'),
    cancel: () => end('GestureCancelled'),
  }
}
