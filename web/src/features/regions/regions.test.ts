import { beforeAll, beforeEach, expect, test } from 'vitest'
import { inRegion } from './inRegion'
import type { Gesture, Pointer } from '../../core/gestures/pointer'
import type { RegionInfo } from '../../core/frames'
import { displacement, Values } from '../../scene/morph'
import { rig } from '../../core/document'
import { followChosenRegion, showPosed, posedRegions, weightsIn } from '../../core/local'
import {
  applyRegions,
  choose,
  chosenName,
  chosenNode,
  fieldOf,
  isInChosen,
  level,
  levels,
  membersOf,
  neighboursOf,
  partsOf,
  pathOf,
  region,
  regionAt,
  setLevel,
  shownLevel,
  shownNodes,
} from '../../core/regions'
import { sliders } from '../../core/sliders'

const info = (name: string, parent: number, at: number, beside: number[] = []): RegionInfo => ({
  name,
  parent,
  level: at,
  color: '#808080',
  beside,
})

/** Four strips a to d side by side; a and b join first, then c and d, then all. Vertex 4 lies between b and c. */
const TREE = [
  info('a', 4, 0, [1]),
  info('b', 4, 0, [0, 2]),
  info('c', 5, 0, [1, 3]),
  info('d', 5, 0, [2]),
  info('ab', 6, 1),
  info('cd', 6, 2),
  info('whole', -1, 3),
]

function arrive(): void {
  applyRegions({
    type: 'RegionMap',
    regions: TREE,
    shapes: {},
    arrays: {
      starts: new Uint32Array([0, 1, 2, 3, 4, 6]),
      region: new Uint32Array([0, 1, 2, 3, 1, 2]),
      share: new Float32Array([1, 1, 1, 1, 0.25, 0.75]),
    },
  })
}

beforeAll(followChosenRegion)

beforeEach(() => {
  arrive()
  level.value = 0
  region.value = ''
})

test('each level covers the face, and the whole alone is no level to choose from', () => {
  expect(levels.value).toEqual([
    [0, 1, 2, 3],
    [2, 3, 4],
    [4, 5],
  ])
})

test('a region knows what contains it and what it is made of', () => {
  expect(pathOf(1)).toEqual([1, 4])
  expect(partsOf(5)).toEqual([2, 3])
  expect(membersOf(4)).toEqual([0, 1])
})

test('a vertex belongs to the region of the shown level that has most of it', () => {
  expect(regionAt(4)).toBe(2)
  setLevel(1)
  expect([0, 1, 4].map(regionAt)).toEqual([4, 4, 2])
  setLevel(2)
  expect([0, 4].map(regionAt)).toEqual([4, 5])
  expect(regionAt(99)).toBe(null)
})

test('how much belongs to a region adds up over its parts', () => {
  expect([...fieldOf(5)]).toEqual([0, 0, 1, 1, 0.75])
  expect([...fieldOf(4)]).toEqual([1, 1, 0, 0, 0.25])
})

test('another level chooses what contains the chosen region, or its largest part', () => {
  choose(1)
  setLevel(1)
  expect(chosenName.value).toBe('ab')
  setLevel(2)
  expect(chosenName.value).toBe('ab')
  setLevel(0)
  expect(chosenName.value).toBe('a')
  setLevel(99)
  expect(shownLevel.value).toBe(2)
  expect(shownNodes.value).toEqual([4, 5])
})

test('the whole face, or a name that is gone, is no region', () => {
  region.value = 'whole'
  expect(chosenNode.value).toBe(-1)
  region.value = 'of yesterday'
  expect(chosenName.value).toBe('')
})

test('neighbours to merge with are of the shown level and touch', () => {
  expect(neighboursOf(1)).toEqual([0, 2])
  setLevel(2)
  expect(neighboursOf(4)).toEqual([5])
})

test('inside is what belongs to the chosen region most', () => {
  choose(5)
  expect([0, 2, 4].map(isInChosen)).toEqual([false, true, true])
})

function withSliders(): void {
  const slider = (name: string, low: number) => ({ name, low, high: 1, group: '', mirror: -1 })
  rig.value = {
    id: 'r',
    base: '',
    vertices: 5,
    triangles: 0,
    size: 1,
    linear: true,
    sliders: [slider('x', 0), slider('y', -1)],
    shapes: [],
    parts: [],
    exclusive: [],
  }
}

test('sliders show the chosen region: the whole, and what it and all around it add, within the bounds', () => {
  withSliders()
  const local = { spots: new Uint32Array([4, 0, 1, 0, 1, 1]), added: new Float32Array([0.25, 0.75, -0.5]) }
  showPosed(new Float32Array([0.25, 0.25]), local)
  expect(posedRegions.value).toEqual([1, 4])
  expect([...weightsIn(4)]).toEqual([0.5, 0.25])
  expect([...weightsIn(1)]).toEqual([1, -0.25])
  expect([...weightsIn(0)]).toEqual([0.5, 0.25])
  choose(1)
  expect(sliders.value.map((slider) => slider.weight.value)).toEqual([1, -0.25])
  expect(sliders.value.map((slider) => slider.local.value)).toEqual([true, true])
  choose(4)
  expect(sliders.value.map((slider) => slider.local.value)).toEqual([true, false])
  choose(null)
  expect(sliders.value.map((slider) => slider.weight.value)).toEqual([0.25, 0.25])
})

test('where regions differ a vertex moves by the mean of its own', () => {
  const shapes = {
    starts: new Uint32Array([0, 2]),
    vertices: new Uint32Array([1, 4]),
    offsets: new Float32Array([1, 0, 0, 0, 2, 0]),
    turns: new Float32Array(6),
  }
  const shares = {
    starts: new Uint32Array([0, 1, 2, 3, 4, 6]),
    region: new Uint32Array([0, 1, 2, 3, 1, 2]),
    share: new Float32Array([1, 1, 1, 1, 0.25, 0.75]),
  }
  const values = new Float32Array([9, 0, 1, 0.5, 0]) // the whole face's, then those of a to d
  const moved = displacement(shapes, values, 5, shares)
  expect([...moved.subarray(3, 6)]).toEqual([1, 0, 0])
  expect([...moved.subarray(12, 15)]).toEqual([0, 2 * (0.25 * 1 + 0.75 * 0.5), 0])
  expect([...displacement(shapes, new Float32Array([0.5]), 5, shares)].filter(Boolean)).toEqual([0.5, 1])
})

test('values of regions get the room they need, and one row is enough again', () => {
  const values = new Values(700)
  values.fill(new Float32Array(700 * 3).fill(0.5))
  expect(values.uniforms.rows.value).toBe(3)
  values.fill(new Float32Array(700).fill(0.25))
  expect(values.uniforms.rows.value).toBe(1)
  const data = values.uniforms.values.value.image.data as unknown as Float32Array
  expect([data[0], data[699], data[700]]).toEqual([0.25, 0.25, 0])
})

const at = (x: number): Pointer => ({ x, y: 0, button: 0, shift: false, ctrl: false, alt: false })

function pointing(inside: boolean) {
  const told: string[] = []
  const pose: Gesture = {
    down: () => (told.push('down'), true),
    move: () => told.push('move'),
    up: () => told.push('up'),
    cancel: () => told.push('cancel'),
  }
  const gesture = inRegion({
    regionAt: ({ x }) => (x < 50 ? 2 : null),
    isInside: () => inside,
    choose: (node) => told.push(`choose ${node}`),
    pose,
  })
  return { gesture, told }
}

test('a click on another region chooses it, a drag there does nothing', () => {
  const { gesture, told } = pointing(false)
  expect(gesture.down(at(10))).toBe(true)
  gesture.up(at(10))
  gesture.down(at(10))
  gesture.move(at(30))
  gesture.up(at(30))
  expect(told).toEqual(['choose 2'])
  expect(gesture.down(at(80))).toBe(false)
})

test('inside the chosen region the pointer poses', () => {
  const { gesture, told } = pointing(true)
  gesture.down(at(10))
  gesture.move(at(30))
  gesture.up(at(30))
  gesture.down(at(10))
  gesture.cancel()
  expect(told).toEqual(['down', 'move', 'up', 'down', 'cancel'])
})
