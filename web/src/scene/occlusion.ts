/** How open each vertex lies to the room: the share of directions from which it can be seen. */
const DIRECTIONS = 72
const GRID = 224
const SLACK = 2.2 // cells: closer surfaces do not hide each other

export interface Openness {
  positions: Float32Array // (n, 3)
  normals: Float32Array // (n, 3)
  triangles: Uint32Array // (t, 3)
}

export function openness({ positions, normals, triangles }: Openness): Float32Array {
  const count = positions.length / 3
  const [seen, total] = [new Float32Array(count), new Float32Array(count)]
  const { middle, radius } = sphere(positions)
  const depth = new Float32Array(GRID * GRID)
  const placed = new Float32Array(3 * count)
  for (let k = 0; k < DIRECTIONS; k++) {
    const axes = frame(k)
    place(positions, middle, radius, axes, placed)
    rasterise(placed, triangles, depth)
    gather(placed, normals, axes[2], depth, seen, total)
  }
  return seen.map((s, i) => (total[i] > 0 ? s / total[i] : 1))
}

function sphere(positions: Float32Array) {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  positions.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x)
    high[i % 3] = Math.max(high[i % 3], x)
  })
  const middle = low.map((l, i) => (l + high[i]) / 2)
  return { middle, radius: Math.hypot(...high.map((h, i) => h - middle[i])) || 1 }
}

/** Right, up and towards for the k-th of evenly spread directions (Fibonacci's spiral). */
function frame(k: number): [number[], number[], number[]] {
  const y = 1 - (2 * k + 1) / DIRECTIONS
  const r = Math.sqrt(1 - y * y)
  const angle = k * Math.PI * (3 - Math.sqrt(5))
  const z = [r * Math.cos(angle), y, r * Math.sin(angle)]
  const length = Math.hypot(z[0], z[2]) || 1
  const x = [z[2] / length, 0, -z[0] / length]
  const up = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]]
  return [x, up, z]
}

/** Into cells of the grid, and depth in cells towards the eye. */
function place(p: Float32Array, m: number[], radius: number, axes: number[][], out: Float32Array): void {
  const scale = (GRID / 2 - 1) / radius
  const [[rx, ry, rz], [ux, uy, uz], [tx, ty, tz]] = axes
  const [mx, my, mz] = m
  for (let i = 0; i < p.length; i += 3) {
    const x = p[i] - mx
    const y = p[i + 1] - my
    const z = p[i + 2] - mz
    out[i] = (x * rx + y * ry + z * rz) * scale + GRID / 2
    out[i + 1] = (x * ux + y * uy + z * uz) * scale + GRID / 2
    out[i + 2] = (x * tx + y * ty + z * tz) * scale
  }
}

/** The nearest surface in each cell. Runs for millions of cells: it makes no arrays. */
function rasterise(p: Float32Array, triangles: Uint32Array, depth: Float32Array): void {
  depth.fill(-Infinity)
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]
    const b = 3 * triangles[t + 1]
    const c = 3 * triangles[t + 2]
    const ax = p[a]
    const ay = p[a + 1]
    const bx = p[b]
    const by = p[b + 1]
    const cx = p[c]
    const cy = p[c + 1]
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if (Math.abs(area) < 1e-9) continue
    const x0 = Math.ceil(Math.min(ax, bx, cx) - 0.5)
    const x1 = Math.floor(Math.max(ax, bx, cx) - 0.5)
    const y0 = Math.ceil(Math.min(ay, by, cy) - 0.5)
    const y1 = Math.floor(Math.max(ay, by, cy) - 0.5)
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5
        const py = y + 0.5
        const u = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area
        const v = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area
        const w = 1 - u - v
        if (u < 0 || v < 0 || w < 0) continue
        const z = u * p[a + 2] + v * p[b + 2] + w * p[c + 2]
        if (z > depth[y * GRID + x]) depth[y * GRID + x] = z
      }
    }
  }
}

function gather(
  p: Float32Array,
  n: Float32Array,
  toward: number[],
  depth: Float32Array,
  seen: Float32Array,
  total: Float32Array,
): void {
  const [tx, ty, tz] = toward
  for (let i = 0; i < seen.length; i++) {
    const facing = n[3 * i] * tx + n[3 * i + 1] * ty + n[3 * i + 2] * tz
    if (facing <= 0.05) continue
    total[i] += facing
    const cell = Math.floor(p[3 * i + 1]) * GRID + Math.floor(p[3 * i])
    if (!(depth[cell] > p[3 * i + 2] + SLACK)) seen[i] += facing
  }
}
