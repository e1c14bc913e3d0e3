import { expect, test } from 'vitest'
import { alongTheWay, defaultName, endOf, heights, placed, points, valueAt, type Curve } from './graph'
import { furthestOn } from './state'

const HAT: Curve = [[0, 0], [0.5, 1], [1, 0]] // prettier-ignore
const LINE: Curve = [[-1, -1], [0, 0], [1, 1]] // prettier-ignore

test('a curve is straight between its points and stays at its ends', () => {
  expect(valueAt(HAT, 0.25)).toBe(0.5)
  expect(valueAt(HAT, 0.5)).toBe(1)
  expect(valueAt(HAT, 2)).toBe(0)
  expect(valueAt(LINE, -3)).toBe(-1)
})

test('the product along the way has the knots of its factors', () => {
  const third: Curve = [[0, 0], [0.3, 1], [1, 0]] // prettier-ignore
  const way = alongTheWay([{ at: 1, curve: LINE }, { at: 0.3, curve: third }], 10) // prettier-ignore
  expect(way.find(([share]) => share === 0.3)![1]).toBeCloseTo(0.3)
  expect(way[0]).toEqual([0, 0])
  expect(way.at(-1)).toEqual([1, 0])
  for (const [share, value] of way) expect(value).toBeCloseTo(valueAt(LINE, share) * valueAt(third, share))
})

test('a factor that is full below 0 goes to the lower end', () => {
  expect(endOf({ at: -1, curve: LINE })).toBe(-1)
  expect(alongTheWay([{ at: -1, curve: [[-1, 1], [0, 0], [1, 0]] }], 2)).toEqual([[0, 0], [0.5, 0.5], [1, 1]]) // prettier-ignore
})

test('a graph holds 0, 1 and all of its curves', () => {
  expect(heights([LINE, HAT])).toEqual([-1, 1])
  const frame = { low: 0, high: 1, bottom: 0, top: 1, width: 100, height: 50, inset: 5 }
  expect(placed(frame, 0, 0)).toEqual([5, 45])
  expect(placed(frame, 1, 1)).toEqual([95, 5])
  expect(points(frame, HAT)).toBe('5.0,45.0 50.0,5.0 95.0,45.0')
})

test('a corrective is named after its sliders and the values that are not full', () => {
  expect(defaultName([{ slider: 'jaw', at: 0.5 }])).toBe('jaw 0.5')
  expect(defaultName([{ slider: 'jaw', at: 1 }, { slider: 'pucker', at: 0.5 }])).toBe('jaw x pucker 0.5') // prettier-ignore
})

test('of many sliders that are on, the few that are furthest on are proposed', () => {
  const shares = (...all: number[]) => all.map((share) => ({ share }))
  expect(furthestOn(shares(0.1, 1, 0.2))).toEqual(shares(0.1, 1, 0.2))
  expect(furthestOn(shares(0.1, 1, 0.2, 0.9, 0.3, 0.8))).toEqual(shares(1, 0.9, 0.8, 0.3))
})
