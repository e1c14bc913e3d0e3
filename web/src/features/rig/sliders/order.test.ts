import { expect, test } from 'vitest'
import { joinedName, placeBefore } from './order'

const ALL = ['a', 'b', 'c', 'd']

test('a slider goes one place up or down', () => {
  expect(placeBefore(ALL, ['c'], 'up')).toBe('b')
  expect(placeBefore(ALL, ['b'], 'down')).toBe('d')
  expect(placeBefore(ALL, ['c'], 'down')).toBe('')
})

test('several sliders come together, and go on from the one that is furthest', () => {
  expect(placeBefore(ALL, ['b', 'd'], 'up')).toBe('a')
  expect(placeBefore(ALL, ['a', 'c'], 'down')).toBe('')
  expect(placeBefore(ALL, ['a', 'b'], 'down')).toBe('d')
})

test('what is at an end stays', () => {
  expect(placeBefore(ALL, ['a', 'c'], 'up')).toBe(null)
  expect(placeBefore(ALL, ['d'], 'down')).toBe(null)
  expect(placeBefore(ALL, [], 'down')).toBe(null)
})

test('a joined slider is called by what both names begin with, if that is free', () => {
  expect(joinedName('jawRight', 'jawLeft', ALL)).toBe('jaw')
  expect(joinedName('eyeLookInLeft', 'eyeLookOutLeft', [])).toBe('eyeLook')
  expect(joinedName('jawRight', 'jawLeft', ['jaw'])).toBe('jawRight_jawLeft')
  expect(joinedName('frown', 'smile', [])).toBe('frown_smile')
  expect(joinedName('mouth_frown', 'mouth_smile', [])).toBe('mouth')
})
