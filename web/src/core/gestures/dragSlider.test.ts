import { expect, test } from 'vitest'
import type { Intent } from '../intents'
import { dragSlider, moved, reachable, wishes } from './dragSlider'

const jaw = { name: 'jawOpen', low: 0, high: 1 }

test('a slider never leaves its bounds and comes back as far as it went', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    members: () => [{ ...jaw, value: 0.5, partner: null }],
    change: (weights) => ({ type: 'SetWeights', weights, region: '' }),
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
    members: () => [{ ...jaw, value: 0, partner: null }],
    change: (weights) => ({ type: 'SetWeights', weights, region: '' }),
    send: (intent) => sent.push(intent),
  })
  drag.down(0, 100)
  drag.move(50, true)
  expect(sent[1]).toMatchObject({ edit: { weights: { jawOpen: 0.05 } } })
})

test('a click on a slider is no drag', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    members: () => [{ ...jaw, value: 0.5, partner: null }],
    change: (weights) => ({ type: 'SetWeights', weights, region: '' }),
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

const pair = [
  { ...jaw, value: 0.2, partner: null },
  { name: 'tilt', low: -1, high: 1, value: 0.8, partner: null },
]

test('selected sliders move by the same share of their ranges, each within its bounds', () => {
  expect(moved(pair, 0.05)).toEqual({ jawOpen: 0.25, tilt: 0.9 })
  expect(moved(pair, 0.5)).toEqual({ jawOpen: 0.7, tilt: 1 })
})

test('sliders that are all at their ends turn back at once', () => {
  expect(reachable(pair, 7)).toBeCloseTo(0.8)
  expect(reachable(pair, -7)).toBeCloseTo(-0.9)
  expect(reachable(pair, 0.3)).toBe(0.3)
})

test('a linked partner follows, unless it is selected itself', () => {
  const [left, right] = [
    { name: 'left', low: 0, high: 1 },
    { name: 'right', low: 0, high: 1 },
  ]
  expect(moved([{ ...left, value: 0.5, partner: right }], 0.1)).toEqual({ left: 0.6, right: 0.6 })
  const both = [
    { ...left, value: 0.5, partner: right },
    { ...right, value: 0.1, partner: left },
  ]
  expect(moved(both, 0.2)).toEqual({ left: 0.7, right: expect.closeTo(0.3) as number })
})

test('one drag of several sliders is one step, which says how many', () => {
  const sent: Intent[] = []
  const drag = dragSlider({
    members: () => pair,
    change: (weights) => ({ type: 'SetWeights', weights, region: 'mouth' }),
    region: () => 'mouth',
    send: (intent) => sent.push(intent),
  })
  drag.down(0, 100)
  drag.move(10, false)
  drag.move(20, false)
  drag.up()
  expect(sent.map(({ type }) => type)).toEqual(['GestureBegan', 'GestureUpdated', 'GestureUpdated', 'GestureEnded'])
  expect(sent[0]).toMatchObject({ label: 'Move 2 sliders in mouth' })
})
