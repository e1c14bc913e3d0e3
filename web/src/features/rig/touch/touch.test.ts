import { expect, test } from 'vitest'
import type { Pointer } from '../../../core/gestures/pointer'
import type { Intent } from '../../../core/intents'
import { movesOf, refillMoves, withShape, type Shapes } from '../../../scene/morph'
import type { BrushKind } from './state'
import { stroke, type Place } from './stroke'

const at = (x: number): Pointer => ({ x, y: 0, button: 0, shift: false, ctrl: false, alt: false })
const spot = (x: number): Place => ({ triangle: x, barycentric: [1, 0, 0], place: [x, 0, 0] })

function brushed(kind: BrushKind, xs: readonly number[]): Intent[] {
  const sent: Intent[] = []
  const gesture = stroke({
    at: ({ x }) => (x < 50 ? spot(x) : null),
    onPlane: ({ x }) => [x, 1, 0],
    brush: () => ({ shape: 'smile', kind, radius: 0.1, strength: 0.5 }),
    spacing: () => 5,
    label: () => 'Smooth smile',
    send: (intent) => sent.push(intent),
  })
  if (!gesture.down(at(xs[0]))) return sent
  for (const x of xs.slice(1)) gesture.move(at(x))
  gesture.up(at(xs.at(-1)!))
  return sent
}

test('a stroke sends all its dabs so far, as far apart as the brush wants them, and ends as one gesture', () => {
  const sent = brushed('smooth', [10, 12, 16, 60, 23])
  expect(sent[0]).toEqual({ type: 'GestureBegan', label: 'Smooth smile' })
  expect(sent.at(-2)).toMatchObject({
    edit: { type: 'TouchUpShape', path: [[10, 1, 0, 0], [16, 1, 0, 0], [23, 1, 0, 0]] }, // prettier-ignore
  })
  expect(sent.at(-1)).toEqual({ type: 'GestureEnded' })
  expect(sent).toHaveLength(5)
})

test('a grab stays where it began and sends how far the pointer went', () => {
  const sent = brushed('grab', [10, 14, 20])
  expect(sent.at(-2)).toMatchObject({ edit: { path: [[10, 1, 0, 0]], move: [10, 1, 0] } })
})

test('off the face nothing begins', () => {
  expect(brushed('smooth', [60, 10])).toEqual([])
})

const SHAPES: Shapes = {
  starts: new Uint32Array([0, 2, 3, 5]),
  vertices: new Uint32Array([0, 2, 1, 0, 1]),
  offsets: new Float32Array(Array.from({ length: 15 }, (_, i) => i + 1)),
  turns: new Float32Array(Array.from({ length: 15 }, (_, i) => -i - 1)),
}

test('a shape that is put in place of another moves its vertices, and those of the others stay', () => {
  const by = {
    vertices: new Uint32Array([0, 1, 2]),
    offsets: new Float32Array([20, 21, 22, 23, 24, 25, 26, 27, 28]),
    turns: new Float32Array(9).fill(7),
  }
  const made = withShape(SHAPES, 1, by)
  expect([...made.starts]).toEqual([0, 2, 5, 7])
  expect([...made.vertices]).toEqual([0, 2, 0, 1, 2, 0, 1])
  expect([...made.offsets.subarray(6, 15)]).toEqual([...by.offsets])
  expect([...made.offsets.subarray(15)]).toEqual([...SHAPES.offsets.subarray(9)])
})

test('moves that are filled again equal those that are made anew', () => {
  const by = { vertices: SHAPES.vertices.slice(3), offsets: new Float32Array(6).fill(3), turns: new Float32Array(6).fill(4) } // prettier-ignore
  const moves = movesOf(SHAPES, 3)
  refillMoves(moves, 2, by)
  expect(moves).toEqual(movesOf(withShape(SHAPES, 2, by), 3))
})
