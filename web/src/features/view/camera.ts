/** Where the camera is: framing, the lens, and views that the document keeps. */
import { bookmarks, held, pins, rig } from '../../core/document'
import { fovOf, type Camera } from '../../core/gestures/orbit'
import { places } from '../../core/pose'
import type { BookmarkEntry } from '../../core/protocol.gen'
import { chosen, livePins } from '../../core/selection'
import { edit } from '../../core/server'
import { say } from '../../core/toasts'
import { camera } from '../../core/view'
import type { Vec } from '../../core/vec'
import { viewport } from '../../scene/current'
import type { FaceData } from '../../scene/geometry'

const VISIBLE = 0.1 // of the largest motion of a shape: what it moves less need not be in the picture

export const TOP = Math.PI / 2 - 1e-3 // the camera cannot look along its own up direction

/** See all of the face from where the camera looks now. */
export function frameFace(): void {
  if (viewport.value?.face) camera.value = viewport.value.framed(camera.value.yaw, camera.value.pitch)
}

/** See what is selected: pins, what selected sliders move, else held points, else all pins. */
export function frameSelection(): void {
  const where = viewport.value
  if (!where?.face) return
  const wanted = selectedPlaces(where.face.data, where.positions())
  if (wanted.length) camera.value = where.framedOn(wanted)
  else {
    frameFace()
    say('Nothing is selected: select pins or sliders, or hold points, to see them alone.')
  }
}

function selectedPlaces(data: FaceData, positions: Float32Array): Vec[] {
  const at = (vertex: number): Vec => [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]]
  const pinned = (ids: readonly number[]) =>
    ids.map((id) => places.value.get(id)).filter((place) => place !== undefined)
  const found = [...pinned(livePins.value), ...movedBy(data, chosen.value).map(at)]
  if (found.length) return found
  if (held.value.vertices.length) return held.value.vertices.map(at)
  return pinned(pins.value.map((pin) => pin.id))
}

/** Rig vertices that some sliders move visibly. */
export function movedBy({ shapes }: Pick<FaceData, 'shapes'>, sliders: readonly string[]): number[] {
  const wanted = new Set(sliders)
  const found = new Set<number>()
  rig.value?.shapes.forEach(({ sliders: drivers }, shape) => {
    if (!drivers.some((slider) => wanted.has(rig.value!.sliders[slider].name))) return
    const lengths: number[] = []
    for (let k = shapes.starts[shape]; k < shapes.starts[shape + 1]; k++)
      lengths.push(Math.hypot(shapes.offsets[3 * k], shapes.offsets[3 * k + 1], shapes.offsets[3 * k + 2]))
    const least = VISIBLE * lengths.reduce((most, length) => Math.max(most, length), 0)
    lengths.forEach((length, i) => {
      if (length > least) found.add(shapes.vertices[shapes.starts[shape] + i])
    })
  })
  return [...found]
}

export function toggleFlat(): void {
  camera.value = { ...camera.value, flat: !camera.value.flat }
}

const freeName = () => {
  const taken = new Set(bookmarks.value.map(({ name }) => name))
  for (let n = 1; ; n++) if (!taken.has(`View ${n}`)) return `View ${n}`
}

/** Keep where the camera is, under a name. */
export function keepView(name = freeName()): void {
  const { yaw, pitch, distance, target, flat = false } = camera.value
  const field_of_view = fovOf(camera.value)
  void edit({ type: 'SetBookmark', name, yaw, pitch, distance, target, field_of_view, orthographic: flat })
}

export const cameraOf = ({ yaw, pitch, distance, target, field_of_view, orthographic }: BookmarkEntry): Camera => ({
  yaw,
  pitch,
  distance,
  target: [...target],
  fov: field_of_view,
  flat: orthographic,
})

export function goTo(view: BookmarkEntry): void {
  camera.value = cameraOf(view)
}

/** Whether the camera is where a view has it. */
export function isAt(view: BookmarkEntry): boolean {
  const [a, b] = [cameraOf(view), camera.value]
  const numbers = (of: Camera) => [of.yaw, of.pitch, of.distance, ...of.target, fovOf(of), of.flat ? 1 : 0]
  return numbers(a).every((number, i) => Math.abs(number - numbers(b)[i]) < 1e-4)
}

/** To the next view that is kept, in their order. */
export function nextView(): void {
  const all = bookmarks.value
  if (!all.length) return say('No view is kept yet: Shift+U keeps this one.')
  goTo(all[(all.findIndex(isAt) + 1) % all.length])
}
