import { expect, test } from 'vitest'
import type { Intent } from '../intents'
import { brush } from './brush'
import { axesOf, nearer, shifted, turned, type Camera } from './orbit'
import type { Pointer } from './pointer'

const at = (x: number, y = 0, more: Partial<Pointer> = {}): Pointer => ({
  x,
  y,
  button: 0,
  shift: false,
  ctrl: false,
  alt: false,
  ...more,
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
