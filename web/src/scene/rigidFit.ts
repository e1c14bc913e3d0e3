/** Turning and shifting points as one. */
import { Matrix4, Quaternion, Vector3 } from 'three'

/** The rotation and shift that bring points (k, 3) nearest to others, in least squares (Horn 1987). */
export function rigid(from: Float32Array, to: Float32Array): Matrix4 {
  const [a, b] = [mean(from), mean(to)]
  const s = Array.from({ length: 9 }, () => 0)
  for (let i = 0; i < from.length; i += 3) {
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) s[3 * r + c] += (from[i + r] - a[r]) * (to[i + c] - b[c])
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s
  const [w, x, y, z] = largest([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ])
  const turned = new Quaternion(x, y, z, w).normalize()
  const shift = new Vector3(...b).sub(new Vector3(...a).applyQuaternion(turned))
  return new Matrix4().compose(shift, turned, new Vector3(1, 1, 1))
}

function mean(points: Float32Array): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0]
  points.forEach((value, i) => {
    sum[i % 3] += value
  })
  return sum.map((value) => value / Math.max(points.length / 3, 1)) as [number, number, number]
}

/** The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations. */
function largest(matrix: number[][]): number[] {
  const n = matrix.length
  const vectors = matrix.map((_, i) => matrix.map((__, j) => Number(i === j)))
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (matrix[p][q] === 0) continue
        const angle = 0.5 * Math.atan2(2 * matrix[p][q], matrix[q][q] - matrix[p][p])
        const [c, s] = [Math.cos(angle), Math.sin(angle)]
        for (const rows of [matrix, vectors])
          for (const row of rows) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]]
        for (let k = 0; k < n; k++)
          [matrix[p][k], matrix[q][k]] = [c * matrix[p][k] - s * matrix[q][k], s * matrix[p][k] + c * matrix[q][k]]
      }
    }
  }
  const best = matrix.map((row, i) => row[i]).reduce((top, value, i, all) => (value > all[top] ? i : top), 0)
  return vectors.map((row) => row[best])
}
