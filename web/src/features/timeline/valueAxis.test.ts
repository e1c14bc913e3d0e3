import { expect, test } from 'vitest'
import { aroundValues, levelsOf, zoomValues } from './valueAxis'

test('zooming keeps the value under the pointer where it is', () => {
  const near = zoomValues({ low: 0, high: 1 }, 0.5, 0.8)
  expect(near.high - near.low).toBeCloseTo(0.5)
  expect((0.8 - near.low) / (near.high - near.low)).toBeCloseTo(0.8)
  const nearest = zoomValues({ low: 0, high: 1 }, 1e-9, 0.3)
  expect(nearest.high - nearest.low).toBeCloseTo(1e-3)
})

test('levels are round numbers inside of the range, with as many digits as tell them apart', () => {
  expect(levelsOf({ low: 0, high: 1 }, 5)).toEqual({ levels: [0, 1, 2, 3, 4, 5].map((i) => i * 0.2), digits: 1 })
  const { levels, digits } = levelsOf({ low: 0.412, high: 0.468 }, 6)
  expect(levels.map((level) => level.toFixed(digits))).toEqual(['0.42', '0.43', '0.44', '0.45', '0.46'])
  expect(levelsOf({ low: -30, high: 70 }, 4).levels).toEqual([0, 50])
  expect(levelsOf({ low: -30, high: 70 }, 10).levels).toHaveLength(11)
})

test('one value alone is shown with room around it', () => {
  const { low, high } = aroundValues([0.4])
  expect(low).toBeLessThan(0.4)
  expect(high).toBeGreaterThan(0.4)
})
