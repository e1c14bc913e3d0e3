/** Every marker of the shown frame: where it is, where it is glued, how far apart the two are. */
import { takenOut, type Head } from '../../scene/head'
import type { Vec } from '../../core/vec'
import type { MarkerInfo, PlaceInfo, PointInfo } from '../../core/protocol.gen'

export interface ShownMarker {
  index: number
  name: string
  place: Vec | null // with the head held; null in a gap
  glued: Vec | null // on the surface
  normal: Vec | null // there
  residual: number // millimetres; NaN where it is not compared
  ignored: boolean
  doubted: boolean
  bindable: boolean
}

export interface Shown {
  markers: readonly MarkerInfo[]
  positions: Float32Array // (f, m, 3)
  frame: number
  place: PlaceInfo
  head: Head | null
  onFace: boolean // less their offset at rest, so that they lie on the surface then
  millimetres: number // in a scene unit
  compared: boolean
  doubted: ReadonlySet<number>
  glued(point: PointInfo): Vec
  normal(point: PointInfo): Vec
}

export function shownMarkers(shown: Shown): ShownMarker[] {
  return shown.markers.map((marker, index) => shownMarker(shown, marker, index))
}

function shownMarker(shown: Shown, marker: MarkerInfo, index: number): ShownMarker {
  const { point, offset, name, ignored, bindable } = marker
  const recorded = recordedPlace(shown, index)
  const still = recorded && shown.head ? takenOut(shown.head, recorded) : recorded
  const glued = point ? shown.glued(point) : null
  const placed = still && offset ? ([still[0] - offset[0], still[1] - offset[1], still[2] - offset[2]] as const) : still
  const doubted = shown.doubted.has(index)
  const compared = shown.compared && glued && offset && placed && !ignored && !doubted
  return {
    index,
    name,
    ignored,
    doubted,
    bindable,
    glued,
    place: shown.onFace ? placed : still,
    normal: point ? shown.normal(point) : null,
    residual: compared
      ? shown.millimetres * Math.hypot(placed[0] - glued[0], placed[1] - glued[1], placed[2] - glued[2])
      : NaN,
  }
}

/** Where a marker was recorded, in scene units, with the head's motion. */
function recordedPlace({ positions, frame, markers, place }: Shown, index: number): Vec | null {
  const at = 3 * (frame * markers.length + index)
  const p = [place.mirrored ? -positions[at] : positions[at], positions[at + 1], positions[at + 2]]
  if (frame < 0 || !(at + 2 < positions.length) || Number.isNaN(p[0])) return null
  const turned = [0, 3, 6].map(
    (row, axis) =>
      place.scale * (place.rotation[row] * p[0] + place.rotation[row + 1] * p[1] + place.rotation[row + 2] * p[2]) +
      place.offset[axis],
  )
  return turned as unknown as Vec
}

/** The marker within reach of a pointer, the nearest one; those in front first. */
export function markerAt(
  seen: readonly { name: string; x: number; y: number; behind: boolean }[],
  at: { x: number; y: number },
  reach: number,
): string {
  let best = { name: '', away: reach }
  for (const { name, x, y, behind } of seen) {
    const away = Math.hypot(x - at.x, y - at.y) + (behind ? reach / 2 : 0)
    if (away <= best.away) best = { name, away }
  }
  return best.name
}
