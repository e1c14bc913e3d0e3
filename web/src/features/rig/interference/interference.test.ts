import { expect, test } from 'vitest'
import type { PairInfo } from '../../../core/protocol.gen'
import { signed } from './Matrix'
import { chosenPair, choosePair, info, isSame, pair, sorted, table } from './state'

const made = (first: string, interference: number, shared: number): PairInfo => ({
  first,
  second: 'z',
  interference,
  shared,
  direction: interference / shared,
  twin: null,
  advice: '',
})
const PAIRS = [made('a', -0.9, 0.95), made('b', 0.5, 0.5), made('c', 0.7, 0.99)]
const order = (by: 'interference' | 'shared' | 'direction', down: boolean) =>
  sorted(PAIRS, { by, down })
    .map(({ first }) => first)
    .join('')

test('pairs are sorted by strength, by what they share, or by direction', () => {
  expect(order('interference', true)).toBe('acb')
  expect(order('interference', false)).toBe('bca')
  expect(order('shared', true)).toBe('cab')
  expect(order('direction', true)).toBe('bca')
})

test('a pair is the same in either order, and choosing it again leaves it', () => {
  expect(isSame({ first: 'a', second: 'z' }, ['z', 'a'])).toBe(true)
  expect(isSame({ first: 'a', second: 'z' }, ['a', 'b'])).toBe(false)
  choosePair('a', 'z')
  choosePair('z', 'a')
  expect(chosenPair.value).toBeNull()
})

test('a pair of the matrix that is not listed has its numbers', () => {
  info.value = {
    progress: null,
    current: true,
    found: { id: '1', sliders: ['a', 'b', 'z'], fighting: 0, pairs: [PAIRS[0]], shapes: [] },
  }
  table.value = {
    interference: new Float32Array([1, 0.25, -0.9, 0.25, 1, 0, -0.9, 0, 1]),
    shared: new Float32Array([1, 0.5, 0.95, 0.5, 1, 0, 0.95, 0, 1]),
  }
  choosePair('b', 'a')
  expect(pair.value).toMatchObject({ first: 'b', interference: 0.25, shared: 0.5, direction: 0.5 })
  chosenPair.value = ['z', 'a']
  expect(pair.value).toBe(PAIRS[0])
  chosenPair.value = ['a', 'gone']
  expect(pair.value).toBeNull()
})

test('numbers have their sign', () => {
  expect([0.5, -0.25].map(signed)).toEqual(['+0.50', '−0.25'])
})
