/** Turning, shifting and nearing the camera. */
import type { Gesture, Pointer } from './pointer'

export interface Camera {
  yaw: number // radians round the face, towards its own left
  pitch: number
  distance: number // in sizes of the face
  target: [number, number, number] // in sizes of the face, from its middle
  fov?: number // degrees of the picture's height; absent: FIELD_OF_VIEW
  flat?: boolean // parallel rays, with the same height at the target
}

export const FIELD_OF_VIEW = 18 // degrees: a portrait lens
const TURN = 0.0065 // radians a pixel
const STEEPEST = 1.5
const NEAREST = 0.2 // with the usual lens
const FURTHEST = 20

export const FIELDS_OF_VIEW = [4, 90] as const

export const fovOf = ({ fov }: Pick<Camera, 'fov'>) => fov ?? FIELD_OF_VIEW

/** Half the height of the picture at a distance of 1. */
export const halfOf = (camera: Pick<Camera, 'fov'>) => Math.tan((fovOf(camera) * Math.PI) / 360)

/** Another lens, from where the target is seen as large as before. */
export function withLens(camera: Camera, fov: number): Camera {
  const next = Math.min(Math.max(fov, FIELDS_OF_VIEW[0]), FIELDS_OF_VIEW[1])
  return { ...camera, fov: next, distance: (camera.distance * halfOf(camera)) / halfOf({ fov: next }) }
}

export function turned(camera: Camera, dx: number, dy: number): Camera {
  const pitch = Math.min(Math.max(camera.pitch + TURN * dy, -STEEPEST), STEEPEST)
  return { ...camera, yaw: camera.yaw - TURN * dx, pitch }
}

/** The camera's right and up, in space. */
export function axesOf({ yaw, pitch }: Camera): { right: number[]; up: number[]; back: number[] } {
  const [s, c, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)]
  return { right: [c, 0, -s], up: [-s * sp, cp, -c * sp], back: [s * cp, sp, c * cp] }
}

/** `height` is that of the viewport, in pixels. */
export function shifted(camera: Camera, dx: number, dy: number, height: number): Camera {
  const perPixel = (2 * camera.distance * halfOf(camera)) / height
  const { right, up } = axesOf(camera)
  const target = camera.target.map((t, i) => t + perPixel * (dy * up[i] - dx * right[i]))
  return { ...camera, target: target as [number, number, number] }
}

/** Nearer by a factor, keeping what is under the pointer (from the viewport's middle, in pixels) where it is. */
export function nearer(camera: Camera, factor: number, at: { x: number; y: number }, height: number): Camera {
  const usual = halfOf({}) / halfOf(camera)
  const distance = Math.min(Math.max(camera.distance * factor, NEAREST * usual), FURTHEST * usual)
  const kept = 1 - distance / camera.distance
  const moved = shifted(camera, -at.x * kept, -at.y * kept, height)
  return { ...moved, distance }
}

/** The factor by which the wheel brings the camera nearer. */
export const wheelFactor = ({ deltaMode, deltaY }: WheelEvent) =>
  Math.exp(0.0012 * (deltaMode === 1 ? 30 * deltaY : deltaY))

interface Orbit {
  get(): Camera
  set(camera: Camera): void
  height(): number
}

/** Right button or the background turns, middle button or shift shifts. */
export function orbit({ get, set, height }: Orbit): Gesture {
  let last: Pointer | null = null
  let shifting = false
  return {
    down(pointer) {
      last = pointer
      shifting = pointer.button === 1 || pointer.shift
      return true
    },
    move(pointer) {
      if (!last) return
      const [dx, dy] = [pointer.x - last.x, pointer.y - last.y]
      last = pointer
      set(shifting ? shifted(get(), dx, dy, height()) : turned(get(), dx, dy))
    },
    up: () => {
      last = null
    },
    cancel: () => {
      last = null
    },
  }
}
