/** `window.__facewright`, for tests and measurements: copies of what is shown, nothing to change. */
import { opened, pins, rig, rigId } from '../core/document'
import { places, values } from '../core/pose'
import { applied } from '../core/receive'
import { snapshot, type Remembered } from '../core/remember'
import { connected } from '../core/toasts'
import { face, stage, viewport } from '../scene/current'
import type { Feature } from '../features/feature'

const own = {
  get ready() {
    return (
      connected.value === true &&
      face.value?.data.rig === rigId.value &&
      viewport.value!.finished &&
      viewport.value!.textures.complete
    )
  },
  get connected() {
    return connected.value === true
  },
  get rig() {
    return rig.value && { ...rig.value }
  },
  get opened() {
    return opened.value
  },
  get values() {
    return [...values]
  },
  get pins() {
    return pins.value.map((pin) => ({ ...pin, place: places.value.get(pin.id) }))
  },
  /** Where every vertex of the rig is now, as it is picked. */
  get positions() {
    return face.value ? [...viewport.value!.positions()] : []
  },
  /** The same, read back from what draws: by the shaders of a graphics card, whether there is one or not. */
  get drawnPositions() {
    return face.value ? [...viewport.value!.drawnPositions()] : []
  },
  /** Where the vertices of meshes besides the face are drawn, in the scene. */
  get carriedPositions() {
    return [...viewport.value!.carriedPositions()]
  },
  /** Nothing is on its way to the face: neither a texture nor a change of detail; and it is drawn sharp. */
  get still() {
    const { complete, detail } = viewport.value!.textures.figures
    return (
      complete &&
      (detail.share === 1 || detail.map === detail.former) &&
      viewport.value!.redraw.still &&
      (stage.value?.redraw.still ?? true)
    )
  },
  /** What was asked for is drawn, sharp or not yet. */
  get drawn() {
    return viewport.value!.redraw.drawn && (stage.value?.redraw.drawn ?? true)
  },
  get scriptTime() {
    return viewport.value!.scriptTime
  },
  get applied() {
    return applied.value
  },
  /** Kept when the next pose has been applied. */
  next() {
    const before = applied.peek()
    return new Promise<void>((done) => {
      const stop = applied.subscribe((count) => {
        if (count === before) return
        queueMicrotask(() => stop())
        done()
      })
    })
  },
  /** Where a place in scene units is on the page, in pixels. */
  seen(place: [number, number, number]) {
    const canvas = document.querySelector('.viewport canvas')!.getBoundingClientRect()
    const { x, y } = viewport.value!.seen(place)
    return { x: x + canvas.left, y: y + canvas.top }
  },
  /** Where a place in the scene is on the page, whatever the head does. */
  seenInScene(place: [number, number, number]) {
    const canvas = document.querySelector('.viewport canvas')!.getBoundingClientRect()
    const { x, y } = viewport.value!.seenInScene(place)
    return { x: x + canvas.left, y: y + canvas.top }
  },
  /** Where a vertex of the rig is, at rest, in scene units. */
  vertex(index: number) {
    const { vertex, positions } = face.value!.data
    const r = vertex.indexOf(index)
    return [...positions.subarray(3 * r, 3 * r + 3)]
  },
  get rest() {
    return face.value ? { positions: [...face.value.data.positions], vertex: [...face.value.data.vertex] } : null
  },
}

export function watch(features: readonly Feature[], remembered: Remembered): void {
  const value = {}
  /** How the user looks at the work. */
  const view = {
    get view() {
      return snapshot(remembered)
    },
  }
  for (const part of [own, view, ...features.flatMap((feature) => feature.watched ?? [])]) {
    const taken = Object.keys(part).find((name) => name in value)
    if (taken) throw new Error(`two parts of the page tell tests of ${taken}`)
    Object.defineProperties(value, Object.getOwnPropertyDescriptors(part))
  }
  Object.defineProperty(window, '__facewright', { value: Object.freeze(value), writable: false })
}
