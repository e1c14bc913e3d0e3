import { expect, test } from 'vitest'
import { typedNumber } from './typed'

test('numbers are typed with a point or a comma', () => {
  expect(typedNumber('0.35')).toBe(0.35)
  expect(typedNumber(' 0,35 ')).toBe(0.35)
  expect(typedNumber('−1')).toBe(-1)
  expect(typedNumber('1e-2')).toBe(0.01)
})

test('what is no number is none, not 0', () => {
  for (const text of ['abc', '', '  ', '1.2.3', '0.5x', 'Infinity', 'NaN']) expect(typedNumber(text)).toBeNull()
})
