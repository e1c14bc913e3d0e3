import { expect, test } from 'vitest'
import { clockTime, row } from './playing'

test('a clip is shown linear between frames and holds at its ends', () => {
  const table = {
    clip: 'a',
    times: new Float32Array([0, 0.5, 1]),
    weights: new Float32Array([0, 10, 2, 20, 4, 30]),
    values: new Float32Array(0),
  }
  expect([...row(table, table.weights, 0.25)]).toEqual([1, 15])
  expect([...row(table, table.weights, -3)]).toEqual([0, 10])
  expect([...row(table, table.weights, 7)]).toEqual([4, 30])
})

test('the clock loops, or stops at the end', () => {
  const span = { start: 1, end: 3 }
  expect(clockTime(2, 0.5, span, true)).toBeCloseTo(2.5)
  expect(clockTime(2, 1.5, span, true)).toBeCloseTo(1.5)
  expect(clockTime(2, 1.5, span, false)).toBeNull()
})
