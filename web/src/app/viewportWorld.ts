/** What gestures on the viewport ask of the scene and of the state. */
import type { PinWorld, Spot } from '../features/pose/dragPin'
import type { Pointer } from '../core/gestures/pointer'
import type { Viewport } from '../scene/viewport'
import { pins } from '../core/document'
import { places } from '../core/pose'
import { chosenName, isInChosen, regionAt } from '../core/regions'
import { freePin, livePins } from '../core/selection'
import { brush, symmetric } from '../core/view'
import { heldAxis } from './shortcuts'

const GRAB = 11 // pixels round a pin

export function pinWorld(viewport: Viewport): PinWorld {
  return {
    pinAt: (pointer) => pinAt(viewport, pointer),
    surfaceAt(pointer) {
      const hit = viewport.surfaceAt(pointer)
      return (
        hit && { spot: { triangle: hit.triangle, barycentric: hit.barycentric }, place: hit.place, normal: hit.normal }
      )
    },
    placeOf(id) {
      const [place, pin] = [places.value.get(id), pins.value.find((each) => each.id === id)]
      return place && pin ? { place, normal: viewport.normalOf(pin) } : null
    },
    companions: (pin) => (livePins.value.includes(pin) ? livePins.value : [pin]),
    freePin,
    onPlane: (pointer, through) => viewport.onPlane(pointer, through),
    onLine: (pointer, through, along) => viewport.onLine(pointer, through, along),
    viewDirection: () => viewport.direction(),
    axis: () => heldAxis(),
    symmetric: () => symmetric.value,
    region: () => chosenName.value,
  }
}

/** What a choice of regions asks. */
export const regionWorld = (viewport: Viewport) => ({
  regionAt(pointer: Pointer): number | null {
    const hit = viewport.surfaceAt(pointer)
    return hit && regionAt(hit.vertex)
  },
  isInside(pointer: Pointer): boolean {
    const hit = viewport.surfaceAt(pointer)
    return hit !== null && isInChosen(hit.vertex)
  },
})

/** The point of the surface under a pointer. */
export function spotAt(viewport: Viewport, pointer: Pointer): Spot | null {
  const hit = viewport.surfaceAt(pointer)
  return hit && { triangle: hit.triangle, barycentric: hit.barycentric }
}

function pinAt(viewport: Viewport, pointer: Pointer): number | null {
  const near = [...places.value].flatMap(([id, place]) => {
    const { x, y, depth } = viewport.seen(place)
    const away = Math.hypot(x - pointer.x, y - pointer.y)
    return away <= GRAB ? [{ id, away, depth }] : []
  })
  // Of two that lie over each other the one in front.
  return near.sort((a, b) => a.depth - b.depth || a.away - b.away)[0]?.id ?? null
}

export function verticesUnder(viewport: Viewport, pointer: Pointer, single: boolean): number[] {
  const hit = viewport.surfaceAt(pointer)
  if (!hit) return []
  return single && brush.value === 0 ? [hit.vertex] : viewport.verticesNear(hit, brush.value).concat(hit.vertex)
}
