/** What a ray meets first. Plain loops: a face has some ten thousand triangles, which takes a millisecond. */
import type { RangeInfo } from '../core/frames'
import type { Vec } from '../core/vec'

export interface Ray {
  origin: Vec
  direction: Vec
}

export interface Hit {
  index: number // of the triangle among those given
  barycentric: [number, number, number]
  distance: number
}

/** Triangles in space, of which some ranges count. */
export interface Soup {
  positions: Float32Array // (r, 3)
  triangles: Uint32Array // (t, 3)
  ranges: Pick<RangeInfo, 'start' | 'count'>[]
}

/** The nearest triangle that a ray meets (Moller and Trumbore's test), from either side. */
export function firstHit({ positions, triangles, ranges }: Soup, ray: Ray): Hit | null {
  let best: Hit | null = null
  for (const { start, count } of ranges) {
    for (let t = start; t < start + count; t++) {
      const hit = meets(positions, triangles, t, ray)
      if (hit && (!best || hit.distance < best.distance)) best = hit
    }
  }
  return best
}

function meets(p: Float32Array, triangles: Uint32Array, t: number, { origin: o, direction: d }: Ray): Hit | null {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]]
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
  const [px, py, pz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx]
  const det = ux * px + uy * py + uz * pz
  if (det === 0) return null
  const [sx, sy, sz] = [o[0] - p[a], o[1] - p[a + 1], o[2] - p[a + 2]]
  const u = (sx * px + sy * py + sz * pz) / det
  if (u < 0 || u > 1) return null
  const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux]
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det
  if (v < 0 || u + v > 1) return null
  const distance = (vx * qx + vy * qy + vz * qz) / det
  return distance > 0 ? { index: t, barycentric: [1 - u - v, u, v], distance } : null
}

/** Rig vertices of render vertices (of these ranges) closer than `radius` to a place. */
export function within(soup: Soup, vertex: Uint32Array, place: Vec, radius: number): number[] {
  const found = new Set<number>()
  for (const { start, count } of soup.ranges) {
    for (let k = 3 * start; k < 3 * (start + count); k++) {
      const r = 3 * soup.triangles[k]
      const [x, y, z] = [
        soup.positions[r] - place[0],
        soup.positions[r + 1] - place[1],
        soup.positions[r + 2] - place[2],
      ]
      if (x * x + y * y + z * z <= radius * radius) found.add(vertex[r / 3])
    }
  }
  return [...found]
}
