import { expect, test } from 'vitest'
import { xOf } from '../../core/timeAxis'
import { keysAt, keysIn, rowY, type Layout } from './laneLayout'

const curve = (slider: string, times: number[], values: number[]) => ({
  clip: 'a',
  slider,
  times,
  values,
  interpolation: 'linear' as const,
  slopes: null,
  tangents: null,
  outside: 'hold' as const,
  keys: 0,
})
const layout: Layout = {
  width: 1100,
  height: 100,
  gutter: 100,
  row: 20,
  span: { from: 0, to: 10 },
  curves: [curve('a', [1, 2], [0, 1]), curve('b', [2], [0.5])],
  values: null,
}

test('the mark in the row of all keys stands for the keys of all sliders at that moment', () => {
  expect(keysAt(layout, { x: xOf(layout, 2), y: rowY(layout, 0) })).toEqual([
    { slider: 'a', times: [2] },
    { slider: 'b', times: [2] },
  ])
  expect(keysAt(layout, { x: xOf(layout, 2) + 4, y: rowY(layout, 2) })).toEqual([{ slider: 'b', times: [2] }])
  expect(keysAt(layout, { x: xOf(layout, 5), y: rowY(layout, 0) })).toEqual([])
})

test('a box takes the keys inside it', () => {
  const found = keysIn(layout, { x: xOf(layout, 0.5), y: 0 }, { x: xOf(layout, 1.5), y: 100 })
  expect(found).toEqual([{ slider: 'a', times: [1] }])
})

test('a box takes very many keys', () => {
  const times = Array.from({ length: 60_000 }, (_, i) => i / 6000)
  const full = { ...layout, curves: [curve('a', times, times)] }
  expect(keysIn(full, { x: 0, y: 0 }, { x: 1100, y: 100 })).toEqual([{ slider: 'a', times }])
})
