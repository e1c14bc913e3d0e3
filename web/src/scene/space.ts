/** The scene shows every face in one size: its diagonal is 1, its middle at 0. */
import { Matrix4, Vector3 } from 'three'

export class Space {
  readonly matrix: Matrix4

  constructor(
    readonly middle: Vector3,
    readonly size: number,
  ) {
    this.matrix = new Matrix4().makeScale(1 / size, 1 / size, 1 / size)
    this.matrix.multiply(new Matrix4().makeTranslation(middle.clone().negate()))
  }

  toScene(place: ArrayLike<number>): Vector3 {
    return new Vector3(place[0], place[1], place[2]).sub(this.middle).divideScalar(this.size)
  }

  toRig(point: Vector3): [number, number, number] {
    const { x, y, z } = point.clone().multiplyScalar(this.size).add(this.middle)
    return [x, y, z]
  }
}

/** The box (low, high) that holds points (n, 3). */
export function box(points: Float32Array): { low: Vector3; high: Vector3 } {
  const low = new Vector3(Infinity, Infinity, Infinity)
  const high = low.clone().negate()
  const point = new Vector3()
  for (let i = 0; i < points.length; i += 3) {
    point.set(points[i], points[i + 1], points[i + 2])
    low.min(point)
    high.max(point)
  }
  return points.length ? { low, high } : { low: new Vector3(), high: new Vector3() }
}

export function spaceOf(points: Float32Array): Space {
  const { low, high } = box(points)
  return new Space(low.clone().add(high).multiplyScalar(0.5), low.distanceTo(high) || 1)
}
