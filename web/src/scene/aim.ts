/** Converts between pixels and places in space. */
import { PerspectiveCamera, Vector3 } from 'three'
import { axesOf, fovOf, halfOf, type Camera } from '../core/gestures/orbit'
import type { Vec } from '../core/vec'
import type { Ray } from './pick'
import type { Space } from './space'

export interface Size {
  width: number
  height: number
}

/** The camera that looks at the scene as `view` says. */
export function aim(camera: PerspectiveCamera, view: Camera, size: Size): void {
  const { back } = axesOf(view)
  camera.fov = fovOf(view)
  camera.aspect = size.width / size.height
  camera.near = Math.max(view.distance - 1.5, 0.02)
  camera.far = view.distance + 3
  camera.position.set(...(view.target.map((t, i) => t + view.distance * back[i]) as [number, number, number]))
  camera.up.set(0, 1, 0)
  camera.lookAt(...view.target)
  camera.updateProjectionMatrix()
  if (view.flat) {
    const high = view.distance * halfOf(view)
    const wide = high * camera.aspect
    camera.projectionMatrix.makeOrthographic(-wide, wide, high, -high, camera.near, camera.far)
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert()
  }
  camera.updateMatrixWorld()
}

/** The distance from which a box of these half sizes is seen whole through a lens. */
export function fitting(
  half: { x: number; y: number; z: number },
  size: Size,
  lens: Pick<Camera, 'fov'> = {},
  margin = 1.12,
): number {
  const tall = half.y / halfOf(lens)
  const wide = half.x / (halfOf(lens) * (size.width / size.height))
  return margin * Math.max(tall, wide) + half.z
}

/** Whether the camera's rays are parallel. */
const isFlat = (camera: PerspectiveCamera) => camera.projectionMatrix.elements[15] === 1

/** The ray through a pixel, in rig space. */
export function rayAt(camera: PerspectiveCamera, space: Space, size: Size, at: { x: number; y: number }): Ray {
  const on = (depth: number) =>
    new Vector3((2 * at.x) / size.width - 1, 1 - (2 * at.y) / size.height, depth).unproject(camera)
  const origin = isFlat(camera) ? on(-1) : camera.position
  const direction = on(0.5).sub(origin).normalize()
  return { origin: space.toRig(origin), direction: [direction.x, direction.y, direction.z] }
}

export interface Seen {
  x: number
  y: number
  depth: number // from the camera, in rig space
}

export function seen(camera: PerspectiveCamera, space: Space, size: Size, place: Vec): Seen {
  const point = space.toScene(place)
  const depth = point.distanceTo(camera.position) * space.size
  const { x, y } = point.project(camera)
  return { x: ((x + 1) / 2) * size.width, y: ((1 - y) / 2) * size.height, depth }
}

/** Where a ray passes the plane through a place. */
export function onPlane({ origin: o, direction: d }: Ray, through: Vec, normal: Vec): Vec {
  const along = dot(sub(through, o), normal) / dot(d, normal)
  return [o[0] + along * d[0], o[1] + along * d[1], o[2] + along * d[2]]
}

/** The place on a line that comes closest to a ray. */
export function onLine({ origin: o, direction: d }: Ray, through: Vec, along: Vec): Vec {
  const w = sub(through, o)
  const [aa, ad, dd, aw, dw] = [dot(along, along), dot(along, d), dot(d, d), dot(along, w), dot(d, w)]
  const parallel = aa * dd - ad * ad
  // A ray along the line determines no place on it.
  const t = parallel < 1e-4 * aa * dd ? 0 : (ad * dw - dd * aw) / parallel
  return [through[0] + t * along[0], through[1] + t * along[1], through[2] + t * along[2]]
}

const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
