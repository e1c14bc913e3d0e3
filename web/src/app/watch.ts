/** A window into the page for tests and measurements: copies of what is shown, nothing to change. */
import type { Mixing } from '../scene/textures/textures'
import * as state from '../core/document'
import { shown, stage } from '../features/build/shown'
import { build } from '../features/build/state'
import { playing } from '../features/timeline/playback'
import { dragging, misses, places, values } from '../core/pose'
import { posedRegions } from '../core/local'
import { chosenName, fieldOf, hovered, levels, regions, shownLevel } from '../core/regions'
import { sliders } from '../core/sliders'
import { connected } from '../core/toasts'
import { liveFit } from '../features/take/state'
import { seenMarkers } from '../features/take/seenMarkers'
import { applied } from '../core/server'
import { face, viewport } from '../scene/current'

const look = {
  get ready() {
    return (
      connected.value === true &&
      face.value?.data.rig === state.rigId.value &&
      viewport.value!.finished &&
      viewport.value!.textures.complete
    )
  },
  get connected() {
    return connected.value === true
  },
  get rig() {
    return state.rig.value && { ...state.rig.value }
  },
  get weights() {
    return Object.fromEntries(sliders.value.map((slider) => [slider.info.name, slider.weight.value]))
  },
  get values() {
    return [...values]
  },
  get pins() {
    return state.pins.value.map((pin) => ({ ...pin, place: places.value.get(pin.id) }))
  },
  get held() {
    return { ...state.held.value }
  },
  get misses() {
    return misses.value.map((miss) => ({ ...miss }))
  },
  get history() {
    return { ...state.history.value }
  },
  get clip() {
    return state.clip.value && { ...state.clip.value }
  },
  get curves() {
    return state.clipCurves.value.map((curve) => ({ ...curve }))
  },
  get regions() {
    return regions.value.map((each) => ({ ...each }))
  },
  get region() {
    return chosenName.value
  },
  get posedRegions() {
    return posedRegions.value.map((node) => regions.value[node]?.name)
  },
  get levels() {
    return levels.value.map((nodes) => nodes.map((node) => regions.value[node].name))
  },
  get level() {
    return shownLevel.value
  },
  get hovered() {
    return hovered.value === null ? '' : (regions.value[hovered.value]?.name ?? '')
  },
  /** How much of each vertex belongs to a region. */
  field(name: string) {
    return [...fieldOf(regions.value.findIndex((each) => each.name === name))]
  },
  /** Where every vertex of the rig is now, as it is picked. */
  get positions() {
    return face.value ? [...viewport.value!.positions()] : []
  },
  get time() {
    return state.time.value
  },
  get file() {
    return { ...state.file.value }
  },
  get drag() {
    return { ...state.drag.value }
  },
  get playing() {
    return playing.value
  },
  get take() {
    return state.take.value && { ...state.take.value }
  },
  get solving() {
    return state.solving.value && { ...state.solving.value }
  },
  get fit() {
    return (
      liveFit.value && {
        clip: liveFit.value.clip,
        typical: liveFit.value.typical,
        worst: [...liveFit.value.worstFrames],
        mean: [...liveFit.value.mean],
      }
    )
  },
  /** Markers as they are shown, in pixels of the page. */
  get markers() {
    const { left, top } = document.querySelector('.viewport canvas')!.getBoundingClientRect()
    return seenMarkers(viewport.value!).map(({ name, x, y, glued, behind, gap, marker }) => ({
      name,
      x: x + left,
      y: y + top,
      glued: glued && { x: glued.x + left, y: glued.y + top },
      behind,
      gap,
      residual: marker.residual,
    }))
  },
  get look() {
    return state.look.value && { ...state.look.value }
  },
  /** Nothing is on its way to the face: neither a texture nor a change of detail; and it is drawn sharp. */
  get still() {
    const { complete, detail } = viewport.value!.textures.told
    return (
      complete &&
      (detail.share === 1 || detail.map === detail.former) &&
      viewport.value!.frames.still &&
      (stage.value?.frames.still ?? true)
    )
  },
  /** What was asked for is drawn, sharp or not yet. */
  get drawn() {
    return viewport.value!.frames.drawn && (stage.value?.frames.drawn ?? true)
  },
  get mix() {
    return viewport.value!.textures.told
  },
  get scriptTime() {
    return viewport.value!.scriptTime
  },
  /** The texture as it is shown, flat: bytes (h, w, 4) in base 64. */
  texture(mixing: Mixing, width: number, height: number) {
    const pixels = viewport.value!.flat(mixing, width, height)
    let text = ''
    for (let i = 0; i < pixels.length; i += 0x8000) text += String.fromCharCode(...pixels.subarray(i, i + 0x8000))
    return btoa(text)
  },
  get dragging() {
    return dragging.value
  },
  get build() {
    return build.value && { ...build.value }
  },
  get staged() {
    return shown.value.map(({ title, note }) => ({ title, note }))
  },
  /** Where a vertex of a face on the stage is on the page, in pixels. */
  stagedVertex(cell: number, vertex: number) {
    const canvas = document.querySelector('.stage canvas')!.getBoundingClientRect()
    const { x, y } = stage.value!.seen(cell, stage.value!.placeOf(cell, vertex)!)
    return { x: x + canvas.left, y: y + canvas.top }
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

export function watch(): void {
  Object.defineProperty(window, '__facewright', { value: Object.freeze(look), writable: false })
}
