import { expect, test } from 'vitest'
import { xOf } from '../../core/timeAxis'
import { handleAt, handlesOf, keysAt, keysIn, rowY, yOf, type Layout } from './laneLayout'
import { marksOf } from './laneMarks'
import { rowsOf } from './rows'

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
const curves = [curve('a', [1, 2], [0, 1]), curve('b', [2], [0.5])]
const groupOf = ({ slider }: { slider: string }) => ({ group: slider === 'a' ? 'jaw' : 'brow' })
const layout: Layout = {
  width: 1100,
  height: 100,
  gutter: 100,
  row: 20,
  scroll: 0,
  span: { from: 0, to: 10 },
  rows: rowsOf(curves, groupOf, []),
  curves: [],
  values: null,
}
const graph: Layout = { ...layout, curves, values: { low: 0, high: 1 } }

test('rows are all keys, then groups from the top of the face with their curves, unless they are folded', () => {
  expect(layout.rows.map((row) => row.name)).toEqual(['All keys', 'brow', 'b', 'jaw', 'a'])
  expect(rowsOf(curves, groupOf, ['jaw']).map((row) => row.name)).toEqual(['All keys', 'brow', 'b', 'jaw'])
})

test('the mark in the row of all keys stands for the keys of all sliders at that moment', () => {
  expect(keysAt(layout, { x: xOf(layout, 2), y: rowY(layout, 0) })).toEqual([
    { slider: 'a', times: [2] },
    { slider: 'b', times: [2] },
  ])
  expect(keysAt(layout, { x: xOf(layout, 2) + 4, y: rowY(layout, 2) })).toEqual([{ slider: 'b', times: [2] }])
  expect(keysAt(layout, { x: xOf(layout, 5), y: rowY(layout, 0) })).toEqual([])
  const scrolled = { ...layout, scroll: 40 }
  expect(keysAt(scrolled, { x: xOf(layout, 1), y: rowY(scrolled, 3) })).toEqual([{ slider: 'a', times: [1] }])
})

test('a box takes the keys inside it, in rows by time and in the graph by value as well', () => {
  expect(keysIn(layout, { x: xOf(layout, 0.5), y: 0 }, { x: xOf(layout, 1.5), y: 100 })).toEqual([
    { slider: 'a', times: [1] },
  ])
  const upper = yOf(graph, 0.4)
  expect(keysIn(graph, { x: 100, y: 0 }, { x: 1100, y: upper })).toEqual([
    { slider: 'a', times: [2] },
    { slider: 'b', times: [2] },
  ])
  expect(keysIn(graph, { x: 100, y: 0 }, { x: 1100, y: yOf(graph, 0.8) })).toEqual([{ slider: 'a', times: [2] }])
})

test('a box takes very many keys', () => {
  const times = Array.from({ length: 60_000 }, (_, i) => i / 6000)
  const full = { ...layout, rows: rowsOf([curve('a', times, times)], groupOf, []) }
  expect(keysIn(full, { x: 0, y: 0 }, { x: 1100, y: 100 })).toEqual([{ slider: 'a', times }])
})

test('keys that cannot be told apart are one bar, and others are marks of their own', () => {
  expect(marksOf(layout, [1, 2, 9]).map(({ from, to }) => to - from)).toEqual([0, 0, 0])
  const dense = Array.from({ length: 6000 }, (_, i) => i / 1000)
  const [bar, ...rest] = marksOf(layout, [...dense, 8])
  expect(rest).toEqual([{ from: xOf(layout, 8), to: xOf(layout, 8) }])
  expect(bar.from).toBe(xOf(layout, 0))
  expect(bar.to).toBeCloseTo(xOf(layout, dense.at(-1)!))
})

test('selected keys of the graph have tangents that point along the curve', () => {
  const selected = [{ slider: 'a', times: [1] }]
  const [handle, ...none] = handlesOf(graph, selected)
  expect(none).toEqual([]) // before its first key a curve is held
  expect((handle.x - xOf(graph, 1)) / (yOf(graph, 0) - handle.y)).toBeCloseTo(
    (xOf(graph, 2) - xOf(graph, 1)) / (yOf(graph, 0) - yOf(graph, 1)),
  )
  expect(handleAt(graph, selected, { x: handle.x + 2, y: handle.y })?.leaving).toBe(true)
  expect(handleAt(graph, [], { x: handle.x, y: handle.y })).toBeNull()
  expect(handlesOf(layout, selected)).toEqual([])
})
