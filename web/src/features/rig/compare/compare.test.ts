import { expect, test } from 'vitest'
import type { ComparedFaces } from '../../../core/frames'
import type { ComparedShape } from '../../../core/protocol.gen'
import { comparison, faces, heatHigh, listed, looks, sameCount } from './state'

const shape = (name: string, distance: number, driven_alike = true): ComparedShape => ({
  name,
  other: name,
  distance,
  furthest: 10 * distance,
  driven_alike,
})
const SHAPES = [shape('a', 0.1), shape('b', 0), shape('c', 0.5), shape('d', 1e-9, false)]
const names = (by: 'distance' | 'order', differing: boolean) =>
  listed(SHAPES, { by, differing })
    .map(({ name }) => name)
    .join('')

test('shapes are listed by distance or in order, all or those that differ in offsets or drivers', () => {
  expect(names('distance', true)).toBe('cad')
  expect(names('order', true)).toBe('acd')
  expect(names('order', false)).toBe('abcd')
  expect(sameCount(SHAPES)).toBe(2)
})

test('the colours end at a round number, of the shape that is shown or of all', () => {
  comparison.value = { name: 'second', obstacle: '', notes: [], shapes: SHAPES }
  faces.value = { arrays: { distances: new Float32Array([0, 0.3, 0.1]) } } as unknown as ComparedFaces
  expect(heatHigh.value).toBe(0.5)
  looks.value = { ...looks.value, oneScale: true }
  expect(heatHigh.value).toBe(5)
})
