/** The markers of the shown frame, in pixels of the viewport. */
import { computed } from '@preact/signals'
import type { SeenMarker } from './drawMarkers'
import { gluedNormal, gluedPlace } from '../../scene/glued'
import type { Viewport } from '../../scene/viewport'
import { take } from '../../core/document'
import { head } from './head'
import { markerAt, shownMarkers, type ShownMarker } from './markers'
import { posed, values } from '../../core/pose'
import { shares } from '../../core/regions'
import { takeFrame } from '../../core/time'
import { isCompared, liveFit, markersOnFace, markersShown, positions } from './state'
import { face } from '../../scene/current'

const REACH = 9 // pixels round a marker
const NONE: ReadonlySet<number> = new Set()

/** Markers in the scene, as long as they are shown. */
export const markers = computed<ShownMarker[]>(() => {
  void posed.value
  const [of, there, data] = [take.value, positions.value, face.value?.data]
  if (!markersShown.value || !of || !data || there?.take !== of.id || takeFrame.value < 0) return []
  if (of.bound && !head.value) return [] // where the head is comes in a moment; without it they would jump
  return shownMarkers({
    markers: of.markers,
    positions: there.arrays.positions,
    frame: takeFrame.value,
    place: of.place,
    millimetres: of.millimetres,
    head: of.bound ? head.value : null,
    onFace: markersOnFace.value && of.bound,
    compared: isCompared.value,
    doubted: liveFit.value?.doubted.get(takeFrame.value) ?? NONE,
    glued: (point) => gluedPlace(data, values, point, shares.value),
    normal: (point) => gluedNormal(data, point),
  })
})

export function seenMarkers(viewport: Viewport): SeenMarker[] {
  if (!viewport.face) return []
  const [dx, dy, dz] = viewport.direction()
  return markers.value.flatMap((marker) => {
    const place = marker.place ?? marker.glued
    if (!place) return []
    const { x, y } = viewport.seen(place)
    const n = marker.normal
    const behind = take.value?.bound === true && n !== null && n[0] * dx + n[1] * dy + n[2] * dz > 0.2
    const glued = marker.glued && marker.place ? viewport.seen(marker.glued) : null
    return [{ marker, name: marker.name, x, y, glued, behind, gap: marker.place === null }]
  })
}

/** The marker under a pointer that can be bound; "" where there is none. */
export function markerUnder(viewport: Viewport, at: { x: number; y: number }, any = false): string {
  return markerAt(
    seenMarkers(viewport).filter(({ marker }) => any || marker.bindable),
    at,
    REACH,
  )
}
