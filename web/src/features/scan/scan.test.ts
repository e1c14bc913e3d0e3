import { expect, test } from 'vitest'
import { surfaceDistances, vertexNormals } from '../../scene/surfaceDistance'
import { colorsOf } from './follow'
import { frameAt } from './state'

test('a moment lies between the frames around it, whatever their times are', () => {
  const times = Float64Array.of(0, 0.1, 0.5, 0.6)
  expect(frameAt(times, 0)).toBe(0)
  expect(frameAt(times, 0.3)).toBeCloseTo(1.5)
  expect(frameAt(times, 0.6)).toBe(3)
  expect(frameAt(times, 0.8)).toBeCloseTo(4)
  expect(frameAt(times, -0.2)).toBeCloseTo(-1)
})

/** A grid of vertices on a sphere, whose normals point away from its middle. */
function sphere(rows: number) {
  const positions: number[] = []
  const triangles: number[] = []
  for (let i = 0; i <= rows; i++)
    for (let j = 0; j <= rows; j++) {
      const [a, b] = [0.2 + (2.6 * i) / rows, (3 * j) / rows]
      positions.push(Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b))
      if (i && j) {
        const at = i * (rows + 1) + j
        triangles.push(at, at - 1, at - rows - 2, at, at - rows - 2, at - rows - 1)
      }
    }
  return { positions: Float32Array.from(positions), triangles }
}

test('distances are those along the normal at the nearest vertex, found by brute force', () => {
  const surface = sphere(40)
  const normals = vertexNormals(surface)
  const points = new Float32Array(3 * 200)
  for (let i = 0; i < 200; i++) {
    const at = 3 * ((i * 7) % (surface.positions.length / 3))
    const grown = 1 + 0.03 * Math.sin(i)
    for (let k = 0; k < 3; k++) points[3 * i + k] = grown * surface.positions[at + k] + 0.004 * Math.cos(5 * i + k)
  }
  const found = surfaceDistances(points, surface)
  for (let i = 0; i < 200; i++) {
    let [best, least] = [0, Infinity]
    for (let v = 0; v < surface.positions.length; v += 3) {
      const away = Math.hypot(...[0, 1, 2].map((k) => surface.positions[v + k] - points[3 * i + k]))
      if (away < least) [best, least] = [v, away]
    }
    const wanted = [0, 1, 2].reduce(
      (sum, k) => sum + (points[3 * i + k] - surface.positions[best + k]) * normals[best + k],
      0,
    )
    expect(found[i]).toBeCloseTo(wanted, 5)
  }
})

test('points far from the surface have no distance', () => {
  expect(surfaceDistances(Float32Array.of(5, 5, 5), sphere(10))[0]).toBeNaN()
})

test('points that are not compared have one colour', () => {
  const colors = colorsOf(2, Float32Array.of(NaN, 1), 2)
  expect([...colors.slice(0, 3)]).not.toEqual([...colors.slice(3)])
  expect([...colorsOf(1, null, 2)]).toEqual([...colors.slice(0, 3)])
})
