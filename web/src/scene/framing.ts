/** Cameras that see all of a face, or some places. */
import { axesOf, type Camera } from '../core/gestures/orbit'
import type { Vec } from '../core/vec'
import { fitting, type Size } from './aim'
import type { FaceData } from './geometry'
import { box } from './space'

const LEAST_FRAMED = 0.06 // sizes of the face: half of what is seen around a point

/** The camera that sees the whole face from an angle, with the lens of another. */
export function framingFace(data: FaceData | null, view: Camera, size: Size, yaw: number, pitch: number): Camera {
  const { low, high } = data ? box(data.positions) : { low: null, high: null }
  const lens = { fov: view.fov, flat: view.flat }
  if (!low || !high || !data) return { ...lens, yaw, pitch, distance: 3.3, target: [0, 0, 0] }
  const half = high
    .clone()
    .sub(low)
    .multiplyScalar(0.5 / data.space.size)
  const wide = Math.abs(Math.cos(yaw)) * half.x + Math.abs(Math.sin(yaw)) * half.z
  const [sin, cos] = [Math.abs(Math.sin(pitch)), Math.abs(Math.cos(pitch))]
  const deep = Math.abs(Math.sin(yaw)) * half.x + Math.abs(Math.cos(yaw)) * half.z
  const tall = cos * half.y + sin * deep
  const distance = fitting({ x: wide, y: tall, z: half.z / 2 }, size, lens)
  return { ...lens, yaw, pitch, distance, target: [0, 0, 0] }
}

/** The camera that sees some places of the scene from where another looks. */
export function framingPlaces(places: Iterable<Vec>, view: Camera, size: Size): Camera {
  const { right, up, back } = axesOf(view)
  const axes = [right, up, back]
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  for (const [x, y, z] of places) {
    axes.forEach((axis, k) => {
      const at = axis[0] * x + axis[1] * y + axis[2] * z
      low[k] = Math.min(low[k], at)
      high[k] = Math.max(high[k], at)
    })
  }
  const half = axes.map((_, k) => Math.max((high[k] - low[k]) / 2, LEAST_FRAMED))
  const middle = axes.map((_, k) => (low[k] + high[k]) / 2)
  const target = [0, 1, 2].map((i) => axes.reduce((sum, axis, k) => sum + middle[k] * axis[i], 0))
  const distance = fitting({ x: half[0], y: half[1], z: half[2] }, size, view, 1.3)
  return { ...view, distance, target: target as unknown as Camera['target'] }
}
