import { expect, test } from 'vitest'
import { onLine, onPlane } from './aim'
import { edges } from './edges'
import { gaze } from './gaze'
import { displacement, movesOf } from './morph'
import { openness } from './occlusion'
import { surfaceNamed, EYE, HAIR, SKIN } from './palette'
import { firstHit, within } from './pick'
import { spaceOf } from './space'

const shapes = {
  starts: new Uint32Array([0, 2, 3]),
  vertices: new Uint32Array([0, 2, 2]),
  offsets: new Float32Array([1, 0, 0, 0, 2, 0, 0, 0, 3]),
  turns: new Float32Array([0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3]),
}

test('the lists of each vertex hold the same moves as the shapes', () => {
  const { first, texels } = movesOf(shapes, 3)
  expect([...first]).toEqual([0, 1, 1, 3])
  const entry = (i: number) => [...texels.subarray(8 * i, 8 * i + 7)].map((x) => Math.round(10 * x) / 10)
  expect([0, 1, 2].map(entry)).toEqual([
    [1, 0, 0, 0, 0.1, 0, 0],
    [0, 2, 0, 0, 0, 0.2, 0],
    [0, 0, 3, 1, 0, 0, 0.3],
  ])
})

test('displacement is the sum of the shapes times their values', () => {
  expect([...displacement(shapes, new Float32Array([0.5, -1]), 3)]).toEqual([0.5, 0, 0, 0, 0, 0, 0, 1, -3])
})

test('normals change by the turns of the shapes times their values', () => {
  const turned = displacement(shapes, new Float32Array([0.5, -1]), 3, null, 'turns')
  ;[0.05, 0, 0, 0, 0, 0, 0, 0.1, -0.3].forEach((wanted, i) => expect(turned[i]).toBeCloseTo(wanted, 6))
})

const square = {
  positions: new Float32Array([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0, -1, 2, 0, -1, 2, 2, -1]),
  triangles: new Uint32Array([0, 1, 2, 0, 2, 3, 4, 5, 6]),
  ranges: [{ start: 0, count: 3 }],
}

test('a ray meets the nearest triangle, and barycentric coordinates give the place back', () => {
  const hit = firstHit(square, { origin: [1.5, 0.5, 5], direction: [0, 0, -1] })!
  expect([hit.index, hit.distance]).toEqual([0, 5])
  const corner = (k: number) => square.positions.subarray(3 * square.triangles[k], 3 * square.triangles[k] + 3)
  const place = [0, 1, 2].map((axis) => hit.barycentric.reduce((sum, b, k) => sum + b * corner(k)[axis], 0))
  expect(place).toEqual([1.5, 0.5, 0])
})

test('hidden parts are not met, and a ray that misses meets nothing', () => {
  const hit = firstHit(
    { ...square, ranges: [{ start: 2, count: 1 }] },
    { origin: [1.5, 0.5, 5], direction: [0, 0, -1] },
  )
  expect(hit?.index).toBe(2)
  expect(firstHit(square, { origin: [5, 5, 5], direction: [0, 0, -1] })).toBeNull()
})

test('a brush takes each rig vertex in reach once, copies at seams and all', () => {
  const vertex = new Uint32Array([0, 1, 2, 3, 0, 1, 2])
  expect(within(square, vertex, [0, 0, 0], 1.5).sort()).toEqual([0])
  expect(within(square, vertex, [1, 1, 0], 1.5).sort()).toEqual([0, 1, 2, 3])
})

test('a pointer on a plane stays on it, one on a line comes as close as it can', () => {
  const ray = { origin: [1, 2, 10] as const, direction: [0, 0, -1] as const }
  expect(onPlane(ray, [5, 5, 3], [0, 0, 1])).toEqual([1, 2, 3])
  expect(onLine(ray, [0, 0, 0], [1, 0, 0])).toEqual([1, 0, 0])
  expect(onLine(ray, [1, 2, 0], [0, 0, 1])).toEqual([1, 2, 0])
})

test('the scene shows every face in one size', () => {
  for (const scale of [0.01, 1, 100]) {
    const space = spaceOf(new Float32Array([0, 0, 0, 2, 1, 2].map((x) => x * scale)))
    expect(space.toScene([2 * scale, scale, 2 * scale]).length()).toBeCloseTo(0.5, 5)
    space.toRig(space.toScene([1, 2, 3])).forEach((x, i) => expect(x).toBeCloseTo([1, 2, 3][i], 4))
  }
})

test('the diagonal that a quad was cut along is no edge, others are edges once', () => {
  const pairs = edges(new Uint32Array([0, 1, 2, 0, 2, 3, 3, 2, 4]), new Uint32Array([0, 1, 2]))
  const found = Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]].sort().join(' '))
  expect(found.sort()).toEqual(['0 1', '0 3', '1 2', '2 3', '2 4', '3 4'])
})

test('an open plane is open, the inside of a box is not', () => {
  const normals = new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
  const plane = {
    positions: new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
    normals,
    triangles: new Uint32Array([0, 1, 2, 0, 2, 3]),
  }
  expect(Math.min(...openness(plane))).toBe(1)
  const lid = [-9, -9, 0.5, 9, -9, 0.5, 9, 9, 0.5, -9, 9, 0.5]
  const covered = openness({
    positions: new Float32Array([...plane.positions, ...lid]),
    normals: new Float32Array([...normals, ...normals]),
    triangles: new Uint32Array([...plane.triangles, 4, 5, 6, 4, 6, 7]),
  })
  expect(Math.max(...covered.subarray(0, 4))).toBeLessThan(0.2)
  expect(Math.min(...covered.subarray(4))).toBeGreaterThan(0.95) // cells are coarse at grazing angles
})

test('each of two eyes in one part has a ball of its own', () => {
  const ball = (x: number) => [x - 1, 0, 0, x + 1, 0, 0, x, 1, 0, x, -1, 0, x, 0, 1]
  const placed = gaze(new Float32Array([...ball(-4), ...ball(4)]))
  expect([...placed.subarray(12, 15)]).toEqual([0, 0, 1])
  expect([...placed.subarray(27, 30)]).toEqual([0, 0, 1])
})

test('parts are made of what their names say', () => {
  expect([surfaceNamed('left eye'), surfaceNamed('eyelashes'), surfaceNamed('eyelid'), surfaceNamed('head')]).toEqual([
    EYE,
    HAIR,
    SKIN,
    SKIN,
  ])
})
