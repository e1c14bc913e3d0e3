import { expect, test } from 'vitest'
import { brush } from '../core/gestures/brush'
import { dragKeys, joined, type KeyWorld } from '../features/timeline/dragKeys'
import { dragSlider, wishes } from '../features/sliders/dragSlider'
import { axesOf, nearer, shifted, turned, type Camera } from '../core/gestures/orbit'
import type { Pointer } from '../core/gestures/pointer'
import type { Intent } from '../core/intents'
import type { KeyChoice } from '../core/protocol.gen'

const at = (x: number, y = 0, more: Partial<Pointer> = {}): Pointer => ({
  x,
  y,
  button: 0,
  shift: false,
  ctrl: false,
  alt: false,
  ...more,
})
const jaw = { name: 'jawOpen', low: 0, high: 1 }

test('a slider never leaves its bounds and comes back as far as it went', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    range: jaw,
    value: () => 0.5,
    partner: () => null,
    region: () => '',
    send: (intent) => sent.push(intent),
  })
  drag.down(100, 200)
  drag.move(500, false)
  drag.move(400, false)
  expect(drag.up()).toBe(true)
  const values = sent.flatMap((intent) =>
    intent.type === 'GestureUpdated' && intent.edit.type === 'SetWeights' ? [intent.edit.weights.jawOpen] : [],
  )
  expect(values).toEqual([1, 0.5])
})

test('with shift a slider goes a tenth of the way', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    range: jaw,
    value: () => 0,
    partner: () => null,
    region: () => '',
    send: (intent) => sent.push(intent),
  })
  drag.down(0, 100)
  drag.move(50, true)
  expect(sent[1]).toMatchObject({ edit: { weights: { jawOpen: 0.05 } } })
})

test('a click on a slider is no drag', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    range: jaw,
    value: () => 0.5,
    partner: () => null,
    region: () => '',
    send: (intent) => sent.push(intent),
  })
  drag.down(100, 200)
  drag.move(101, false)
  expect(drag.up()).toBe(false)
  expect(sent).toEqual([])
})

test('a linked partner gets the same value, inside its own bounds', () => {
  expect(wishes(0.8, jaw, { name: 'other', low: 0, high: 0.5 })).toEqual({ jawOpen: 0.8, other: 0.5 })
})

const edit = (vertices: number[], wiping: boolean) =>
  ({ type: 'HoldVertices', vertices, axes: 'y', mode: wiping ? 'remove' : 'add' }) as const

test('a brush stroke sends all points painted so far, each once', () => {
  const sent: Intent[] = []
  const paint = brush({
    under: ({ x }) => (x < 50 ? [x, x + 1] : []),
    edit,
    label: () => 'paint',
    send: (intent) => sent.push(intent),
  })
  expect(paint.down(at(60))).toBe(false)
  expect(paint.down(at(10))).toBe(true)
  paint.move(at(11))
  paint.move(at(20))
  paint.up(at(20))
  expect(sent.at(-2)).toEqual({
    type: 'GestureUpdated',
    edit: { type: 'HoldVertices', vertices: [10, 11, 12, 20, 21], axes: 'y', mode: 'add' },
  })
  expect(sent.at(-1)).toEqual({ type: 'GestureEnded' })
})

test('with shift the brush takes points away', () => {
  const sent: Intent[] = []
  const paint = brush({ under: ({ x }) => [x], edit, label: () => 'paint', send: (intent) => sent.push(intent) })
  paint.down(at(5, 0, { shift: true }))
  expect(sent[1]).toMatchObject({ edit: { mode: 'remove' } })
})

function keyed(keys: KeyChoice[]) {
  const sent: Intent[] = []
  let selected: KeyChoice[] = []
  const world: KeyWorld = {
    keysAt: ({ x }) => keys.filter((choice) => choice.times.includes(x)),
    keysIn: (a, b) =>
      keys.filter((choice) => choice.times.some((t) => t >= Math.min(a.x, b.x) && t <= Math.max(a.x, b.x))),
    selected: () => selected,
    select: (next) => {
      selected = next
    },
    frame: () => undefined,
    secondsPer: (pixels) => pixels,
    valuePer: (pixels) => pixels / 100,
  }
  return { sent, selected: () => selected, drag: dragKeys({ world, send: (intent) => sent.push(intent) }) }
}

test('keys are moved by the whole way from where they were taken, and stay selected', () => {
  const { sent, selected, drag } = keyed([{ slider: 'jawOpen', times: [10] }])
  drag.down(at(10, 50))
  drag.move(at(15, 40))
  drag.move(at(30, 40))
  drag.up(at(30, 40))
  expect(sent.at(-2)).toEqual({
    type: 'GestureUpdated',
    edit: { type: 'MoveKeys', keys: [{ slider: 'jawOpen', times: [10] }], by: 20, lift: 0.1 },
  })
  expect(selected()).toEqual([{ slider: 'jawOpen', times: [30] }])
})

test('with alt copies are moved', () => {
  const { sent, drag } = keyed([{ slider: 'jawOpen', times: [10] }])
  drag.down(at(10, 0, { alt: true }))
  drag.move(at(25))
  expect(sent[1]).toMatchObject({ edit: { type: 'CopyKeys', by: 15 } })
})

test('a box selects and changes nothing', () => {
  const { sent, selected, drag } = keyed([
    { slider: 'a', times: [10] },
    { slider: 'b', times: [90] },
  ])
  drag.down(at(0))
  drag.move(at(50))
  drag.up(at(50))
  expect(selected()).toEqual([{ slider: 'a', times: [10] }])
  expect(sent).toEqual([])
})

test('joining choices keeps every key once, in order', () => {
  expect(
    joined(
      [{ slider: 'a', times: [2, 1] }],
      [
        { slider: 'a', times: [1, 3] },
        { slider: 'b', times: [0] },
      ],
    ),
  ).toEqual([
    { slider: 'a', times: [1, 2, 3] },
    { slider: 'b', times: [0] },
  ])
})

const camera: Camera = { yaw: 0.4, pitch: -0.3, distance: 3, target: [0.1, 0.2, 0.3] }

test('the axes of a camera are orthonormal and right handed', () => {
  const { right, up, back } = axesOf(camera)
  const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0)
  const cross = [
    right[1] * up[2] - right[2] * up[1],
    right[2] * up[0] - right[0] * up[2],
    right[0] * up[1] - right[1] * up[0],
  ]
  expect([dot(right, up), dot(up, back), dot(right, back)].every((x) => Math.abs(x) < 1e-12)).toBe(true)
  back.forEach((x, i) => expect(cross[i]).toBeCloseTo(x, 12))
})

test('turning and shifting back gives the view back', () => {
  const there = shifted(turned(camera, 40, -25), 30, 12, 500)
  const back = turned(shifted(there, -30, -12, 500), -40, 25)
  expect(back.yaw).toBeCloseTo(camera.yaw, 12)
  back.target.forEach((t, i) => expect(t).toBeCloseTo(camera.target[i], 12))
})

test('nearing keeps the place under the pointer, and stops before the face', () => {
  const near = nearer(camera, 0.5, { x: 100, y: -40 }, 500)
  expect(near.distance).toBeCloseTo(1.5)
  const place = (view: Camera) => shifted(view, -100, 40, 500).target
  place(near).forEach((p, i) => expect(p).toBeCloseTo(place(camera)[i], 12))
  expect(nearer(camera, 1e-9, { x: 0, y: 0 }, 500).distance).toBeGreaterThan(0.1)
})
