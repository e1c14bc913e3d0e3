import { expect, test } from 'vitest'
import { newTie } from './newTie'

const NAMES = ['a', 'b', 'c']

test('the selected sliders are tied, the first to the second', () => {
  expect(newTie(NAMES, ['c', 'a'], ['', ''])).toEqual(['c', 'a'])
  expect(newTie(NAMES, ['b'], ['', ''])).toEqual(['b', 'a'])
  expect(newTie(NAMES, [], ['', ''])).toEqual(['a', 'b'])
})

test('what was chosen counts more, as long as the rig has it', () => {
  expect(newTie(NAMES, ['c', 'a'], ['b', 'c'])).toEqual(['b', 'c'])
  expect(newTie(NAMES, ['c', 'a'], ['gone', 'b'])).toEqual(['c', 'b'])
})

test('a slider is never tied to itself', () => {
  expect(newTie(NAMES, ['a', 'c'], ['a', 'a'])).toEqual(['a', 'c'])
  expect(newTie(['a'], [], ['', ''])).toEqual(['a', ''])
})
