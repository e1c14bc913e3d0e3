import { expect, test } from 'vitest'
import type { Intent } from '../../core/intents'
import { dragSlider, wishes } from './dragSlider'

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
