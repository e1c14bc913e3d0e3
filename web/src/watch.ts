/** A window into the page for tests and measurements: copies of what is shown, nothing to change. */
import * as state from './state/document'
import { playing } from './state/playback'
import { dragging, misses, places, values } from './state/pose'
import { posedRegions } from './state/local'
import { chosenName, fieldOf, hovered, levels, regions, shownLevel } from './state/regions'
import { sliders } from './state/sliders'
import { connected } from './state/toasts'
import { applied } from './studio'
import { face, viewport } from './view'

const look = {
  get ready() { return connected.value === true && face.value?.data.rig === state.rigId.value && viewport.value!.finished },
  get connected() { return connected.value === true },
  get rig() { return state.rig.value && { ...state.rig.value } },
  get weights() { return Object.fromEntries(sliders.value.map((slider) => [slider.info.name, slider.weight.value])) },
  get values() { return [...values] },
  get pins() { return state.pins.value.map((pin) => ({ ...pin, place: places.value.get(pin.id) })) },
  get held() { return { ...state.held.value } },
  get misses() { return misses.value.map((miss) => ({ ...miss })) },
  get history() { return { ...state.history.value } },
  get clip() { return state.clip.value && { ...state.clip.value } },
  get curves() { return state.clipCurves.value.map((curve) => ({ ...curve })) },
  get regions() { return regions.value.map((each) => ({ ...each })) },
  get region() { return chosenName.value },
  get posedRegions() { return posedRegions.value.map((node) => regions.value[node]?.name) },
  get levels() { return levels.value.map((nodes) => nodes.map((node) => regions.value[node].name)) },
  get level() { return shownLevel.value },
  get hovered() { return hovered.value === null ? '' : (regions.value[hovered.value]?.name ?? '') },
  /** How much of each vertex belongs to a region. */
  field(name: string) { return [...fieldOf(regions.value.findIndex((each) => each.name === name))] },
  /** Where every vertex of the rig is now, as it is picked. */
  get positions() { return face.value ? [...viewport.value!.positions()] : [] },
  get time() { return state.time.value },
  get file() { return { ...state.file.value } },
  get drag() { return { ...state.drag.value } },
  get playing() { return playing.value },
  get dragging() { return dragging.value },
  get applied() { return applied.value },
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
  /** Where a vertex of the rig is, at rest, in scene units. */
  vertex(index: number) {
    const { vertex, positions } = face.value!.data
    const r = vertex.indexOf(index)
    return [...positions.subarray(3 * r, 3 * r + 3)]
  },
  get rest() { return face.value ? { positions: [...face.value.data.positions], vertex: [...face.value.data.vertex] } : null },
}

export function watch(): void {
  Object.defineProperty(window, '__facewright', { value: Object.freeze(look), writable: false })
}
