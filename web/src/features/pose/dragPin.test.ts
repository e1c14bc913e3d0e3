import { beforeEach, expect, test } from 'vitest'
import { dragPin, type PinWorld } from './dragPin'
import type { Axis, Pointer } from '../../core/gestures/pointer'
import type { Intent } from '../../core/intents'
import type { Vec } from '../../core/vec'

const at = (x: number, y: number, more: Partial<Pointer> = {}): Pointer => ({
  x,
  y,
  button: 0,
  shift: false,
  ctrl: false,
  alt: false,
  ...more,
})

let sent: Intent[]
let dragging: boolean[]
let chosen: [number, boolean][]
let axis: Axis | null
let pins: Map<number, Vec>

/** A flat world: pixels are places, y down becomes y up; the face fills x < 100. */
const world: PinWorld = {
  pinAt: ({ x, y }) => [...pins].find(([, p]) => Math.hypot(p[0] - x, -p[1] - y) < 10)?.[0] ?? null,
  surfaceAt: ({ x, y }) =>
    x < 100 ? { spot: { triangle: 7, barycentric: [0.2, 0.3, 0.5] }, place: [x, -y, 0], normal: [0, 0, 1] } : null,
  placeOf: (pin) => (pins.has(pin) ? { spot: { triangle: 0 }, place: pins.get(pin)!, normal: [0, 0, 1] } : null),
  companions: (pin) => [pin],
  freePin: () => 9,
  onPlane: ({ x, y }) => [x, -y, 0],
  onLine: ({ x, y }, through, along) => through.map((t, i) => t + along[i] * (x - y)) as unknown as Vec,
  viewDirection: () => [0, 0, -1],
  axis: () => axis,
  symmetric: () => false,
  region: () => '',
}

const gesture = (more: Partial<PinWorld> = {}) =>
  dragPin({
    world: { ...world, ...more },
    send: (intent) => sent.push(intent),
    selected: (pin, add) => chosen.push([pin, add]),
    dragging: (on) => dragging.push(on),
  })

const targets = (intent: Intent) =>
  intent.type === 'GestureUpdated' && intent.edit.type === 'DragPins' ? intent.edit.targets : null

beforeEach(() => {
  sent = []
  dragging = []
  chosen = []
  axis = null
  pins = new Map([[3, [20, -20, 0]]])
})

test('a click on the surface sets a pin there and drags nothing', () => {
  const drag = gesture()
  expect(drag.down(at(50, 60))).toBe(true)
  drag.move(at(51, 61))
  drag.up(at(51, 61))
  expect(sent).toEqual([
    { type: 'Edited', edit: { type: 'AddPin', pin: 9, triangle: 7, barycentric: [0.2, 0.3, 0.5] } },
  ])
  expect(dragging).toEqual([])
})

test('a click beside the face is left to others', () => {
  expect(gesture().down(at(150, 60))).toBe(false)
  expect(sent).toEqual([])
})

test('a pin that is taken off its middle does not jump', () => {
  const drag = gesture()
  drag.down(at(24, 18))
  drag.move(at(34, 18))
  expect(targets(sent[1])).toEqual([{ pin: 3, target: [30, -20, 0] }])
})

test('a drag is one gesture, whole wishes, ended once', () => {
  const drag = gesture()
  drag.down(at(20, 20))
  drag.move(at(30, 20))
  drag.move(at(40, 10))
  drag.up(at(40, 10))
  drag.up(at(40, 10))
  expect(sent.map((intent) => intent.type)).toEqual([
    'GestureBegan',
    'GestureUpdated',
    'GestureUpdated',
    'GestureEnded',
  ])
  expect(targets(sent[2])).toEqual([{ pin: 3, target: [40, -10, 0] }])
  expect(dragging).toEqual([true, false])
})

test('a cancelled drag is cancelled, not ended', () => {
  const drag = gesture()
  drag.down(at(20, 20))
  drag.move(at(40, 20))
  drag.cancel()
  drag.up(at(40, 20))
  expect(sent.at(-1)).toEqual({ type: 'GestureCancelled' })
})

test('in the view plane depth is free; along the normal and along an axis it counts', () => {
  const drag = gesture()
  drag.down(at(20, 20))
  drag.move(at(30, 20))
  expect(sent[1]).toMatchObject({ edit: { plane: [0, 0, -1], axes: 'xyz' } })
  drag.move(at(30, 20, { shift: true }))
  expect(sent[2]).toMatchObject({ edit: { plane: null, axes: 'xyz', targets: [{ pin: 3, target: [20, -20, 10] }] } })
  axis = 'x'
  drag.move(at(30, 20))
  expect(sent[3]).toMatchObject({ edit: { plane: null, axes: 'x', targets: [{ pin: 3, target: [30, -20, 0] }] } })
})

test('selected pins go along by the same way', () => {
  pins.set(4, [60, -60, 5])
  const drag = gesture({ companions: () => [3, 4] })
  drag.down(at(20, 20))
  drag.move(at(25, 15))
  expect(targets(sent[1])).toEqual([
    { pin: 3, target: [25, -15, 0] },
    { pin: 4, target: [65, -55, 5] },
  ])
})

test('a drag in a region says so, in its wish and in its name', () => {
  const drag = gesture({ region: () => 'left cheek' })
  drag.down(at(20, 20))
  drag.move(at(30, 20))
  expect(sent[0]).toEqual({ type: 'GestureBegan', label: 'Drag pin in left cheek' })
  expect(sent[1]).toMatchObject({ edit: { type: 'DragPins', region: 'left cheek' } })
})

test('several selected pins go together, and stay selected', () => {
  pins.set(4, [60, -20, 0])
  const drag = gesture({ companions: () => [3, 4] })
  drag.down(at(20, 20))
  drag.move(at(20, 40))
  drag.up(at(20, 40))
  expect(targets(sent[1]!)).toEqual([
    { pin: 3, target: [20, -40, 0] },
    { pin: 4, target: [60, -40, 0] },
  ])
  expect(chosen).toEqual([])
})

test('a click on one of several selected pins chooses it alone', () => {
  pins.set(4, [60, -20, 0])
  const drag = gesture({ companions: () => [3, 4] })
  drag.down(at(20, 20))
  drag.up(at(20, 20))
  expect(sent).toEqual([])
  expect(chosen).toEqual([[3, false]])
})
