import { expect, test } from 'vitest'
import { pruneColors, splitColors } from './colors'
import { driversOf, percent } from './ShapeRow'
import { matching } from './state'

test('the halves of a split are mixed by their shares, and arrays of another face show nothing', () => {
  const [left, right, middle] = [1, 0, 0.5].map((share) => [...splitColors(new Float32Array([share]), 1)!])
  middle.forEach((value, c) => expect(value).toBeCloseTo((left[c] + right[c]) / 2, 6))
  expect(left).not.toEqual(right)
  expect(splitColors(new Float32Array([1]), 2)).toBeNull()
  expect(splitColors(undefined, 2)).toBeNull()
})

test('what pruning drops has a colour of its own, what the shape does not move has none', () => {
  const made = pruneColors(new Float32Array([0, 0.01, 0.5]), 3, 0.1)!
  expect(made[3]).toBe(0)
  expect([...made.subarray(4, 8)]).not.toEqual([...made.subarray(8, 12)])
})

test('the drivers of a shape are named unless its own slider is the only one, at 1', () => {
  expect(driversOf({ name: 'jaw', sliders: ['jaw'], at: [1] })).toBe('')
  expect(driversOf({ name: 'half', sliders: ['jaw'], at: [0.5] })).toBe('jaw 0.5')
  expect(driversOf({ name: 'both', sliders: ['jaw', 'smile'], at: [1, 0.25] })).toBe('jaw × smile 0.25')
})

test('a filter finds names, groups and sliders, in any case', () => {
  const all = [
    { name: 'jawOpen', group: 'jaw', sliders: ['jawOpen'] },
    { name: 'fix', group: 'mouth', sliders: ['jawOpen', 'Smile'] },
  ]
  expect(matching(all, ' smile ').map(({ name }) => name)).toEqual(['fix'])
  expect(matching(all, 'JAW')).toHaveLength(2)
  expect(matching(all, '')).toHaveLength(2)
})

test('a length is shown as a share of the face', () => {
  expect(percent(1, 50)).toBe('2.0 %')
  expect(percent(1e-6, 1)).toBe('<0.1 %')
  expect(percent(0, 1)).toBe('0.0 %')
})
