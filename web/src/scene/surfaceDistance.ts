/** How far points are from a surface, along its normal at the nearest vertex. */

const CELLS = 48 // along the longest side of the surface

interface Surface {
  positions: Float32Array // (r, 3)
  triangles: ArrayLike<number> // (t, 3)
}

/** Distances (k,) of points (k, 3), above 0 outside; NaN where nothing of the surface is near. */
export function surfaceDistances(points: Float32Array, surface: Surface): Float32Array {
  const normals = vertexNormals(surface)
  const grid = new Grid(surface)
  const found = new Float32Array(points.length / 3)
  for (let i = 0; i < found.length; i++) {
    const at = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
    const nearest = grid.nearest(at)
    found[i] = nearest < 0 ? NaN : along(at, surface.positions, normals, nearest)
  }
  return found
}

function along([x, y, z]: number[], positions: Float32Array, normals: Float32Array, v: number): number {
  const [a, b, c] = [3 * v, 3 * v + 1, 3 * v + 2]
  return (x - positions[a]) * normals[a] + (y - positions[b]) * normals[b] + (z - positions[c]) * normals[c]
}

export function vertexNormals({ positions: p, triangles }: Surface): Float32Array {
  const n = new Float32Array(p.length)
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) n[corner + k] += normal[k]
  }
  for (let v = 0; v < n.length; v += 3) {
    const length = Math.hypot(n[v], n[v + 1], n[v + 2]) || 1
    for (let k = 0; k < 3; k++) n[v + k] /= length
  }
  return n
}

/** Vertices by the cell of space that they are in. */
class Grid {
  private readonly low = [Infinity, Infinity, Infinity]
  private readonly side: number
  private readonly cells = new Map<number, number[]>()
  private readonly positions: Float32Array

  constructor({ positions }: Surface) {
    this.positions = positions
    const high = [-Infinity, -Infinity, -Infinity]
    for (let i = 0; i < positions.length; i++) {
      this.low[i % 3] = Math.min(this.low[i % 3], positions[i])
      high[i % 3] = Math.max(high[i % 3], positions[i])
    }
    this.side = Math.max(...high.map((each, k) => each - this.low[k])) / CELLS || 1
    for (let v = 0; 3 * v < positions.length; v++) {
      const key = this.key(...this.cell(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]))
      const there = this.cells.get(key)
      if (there) there.push(v)
      else this.cells.set(key, [v])
    }
  }

  /** The nearest vertex within two cells; -1: there is none. */
  nearest([x, y, z]: number[]): number {
    const [cx, cy, cz] = this.cell(x, y, z)
    let [best, least] = [-1, Infinity]
    for (let reach = 1; reach <= 2; reach++) {
      for (let i = -reach; i <= reach; i++)
        for (let j = -reach; j <= reach; j++)
          for (let k = -reach; k <= reach; k++) {
            for (const v of this.cells.get(this.key(cx + i, cy + j, cz + k)) ?? []) {
              const p = this.positions
              const away = (p[3 * v] - x) ** 2 + (p[3 * v + 1] - y) ** 2 + (p[3 * v + 2] - z) ** 2
              if (away < least) [best, least] = [v, away]
            }
          }
      if (least <= (reach * this.side) ** 2) return best // nothing outside of these cells is nearer
    }
    return least <= (2 * this.side) ** 2 ? best : -1
  }

  private cell(x: number, y: number, z: number): [number, number, number] {
    const { low, side } = this
    return [Math.floor((x - low[0]) / side), Math.floor((y - low[1]) / side), Math.floor((z - low[2]) / side)]
  }

  private key(x: number, y: number, z: number): number {
    return (x + 512) * 1048576 + (y + 512) * 1024 + (z + 512)
  }
}
