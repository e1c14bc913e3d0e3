/** Where each vertex of an eyeball sits on its ball, in radii; +z looks ahead. For irises on eyes without a texture. */
import { box } from './space'

export function gaze(rest: Float32Array): Float32Array {
  const { low, high } = box(rest)
  const two = high.x - low.x > 2 * (high.y - low.y)
  const middle = (low.x + high.x) / 2
  const placed = new Float32Array(rest.length)
  for (const left of two ? [true, false] : [true]) {
    const ball: number[] = []
    for (let i = 0; i < rest.length / 3; i++) if (!two || rest[3 * i] > middle === left) ball.push(i)
    inRadii(rest, ball, placed)
  }
  return placed
}

function inRadii(rest: Float32Array, ball: number[], placed: Float32Array): void {
  const points = new Float32Array(ball.flatMap((i) => [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]]))
  const { low, high } = box(points)
  // Height and width of a ball are whole even where its back was cut away.
  const radius = Math.max(high.x - low.x, high.y - low.y) / 2 || 1
  const centre = [(low.x + high.x) / 2, (low.y + high.y) / 2, high.z - radius]
  ball.forEach((i, k) => {
    for (let axis = 0; axis < 3; axis++) placed[3 * i + axis] = (points[3 * k + axis] - centre[axis]) / radius
  })
}
