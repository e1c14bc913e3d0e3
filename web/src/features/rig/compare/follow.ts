/** Fetches both faces whenever what they show changes, and puts them on the stage. */
import { effect, signal } from '@preact/signals'
import { rig } from '../../../core/document'
import type { ComparedFaces } from '../../../core/frames'
import { posed } from '../../../core/pose'
import { query } from '../../../core/server'
import { complain } from '../../../core/toasts'
import { covered, face, stage } from '../../../scene/current'
import type { FaceData } from '../../../scene/geometry'
import { heatColors } from '../../../scene/stage/heat'
import { PreviewFace, type MeshData } from '../../../scene/stage/preview'
import { chosenShapes, comparison, faces, heatHigh, isShown, looks } from './state'

/** The two faces on the stage, of which the second one is the second rig's. */
export const previews = signal<readonly PreviewFace[]>([])

function meshOf({ rig: id, positions, normals, vertex, triangles, triangle, ...data }: FaceData): MeshData {
  const open = data.attributes.getAttribute('open').array as Float32Array
  const parts = data.parts.map(({ name }) => name)
  const { ranges, space } = data
  return { id, positions, normals, vertex, triangles, triangle, ranges, parts, space, open: open.slice() }
}

let asking = false
let again = false

/** Ask for both faces; while an answer is on its way, only the newest question waits. */
async function ask(): Promise<void> {
  again = asking
  if (asking) return
  asking = true
  do {
    again = false
    const { name: shape = '', other = '' } = chosenShapes.peek() ?? {}
    await query({ type: 'AskCompared', shape, other }).catch((problem: unknown) => {
      if (isShown.peek()) complain(problem)
    })
  } while (again && isShown.peek())
  asking = false
}

export function applyFaces(frame: ComparedFaces): void {
  if (isShown.peek()) faces.value = frame
}

export function followComparison(): void {
  effect(() => {
    covered.value = isShown.value
  })
  effect(() => {
    const [info, chosen] = [comparison.value, chosenShapes.value]
    if (!info) faces.value = null
    if (!chosen) void posed.value
    if (isShown.value && rig.value) void ask()
  })
  // A shape that is no longer there is left.
  effect(() => {
    const [info, chosen] = [comparison.value, chosenShapes.value]
    const there = info?.shapes.some(({ name, other }) => name === chosen?.name && other === chosen.other)
    if (chosen && !there) chosenShapes.value = null
  })
  effect(() => {
    const data = isShown.value ? face.value?.data : undefined
    for (const preview of previews.peek()) preview.dispose()
    previews.value = data ? [new PreviewFace(meshOf(data)), new PreviewFace(meshOf(data))] : []
  })
  effect(() => {
    const [where, both, shown, { colors }] = [stage.value, previews.value, faces.value, looks.value]
    if (!where || !both.length || !shown) return
    const { one, one_normals, two, two_normals, distances } = shown.arrays
    if (distances.length !== face.value?.data.vertexCount) return // of another face
    both[0].pose({ positions: one, normals: one_normals })
    both[1].pose({ positions: two, normals: two_normals })
    both[1].color(colors ? heatColors(distances, heatHigh.value, both[1].data.vertex) : null)
    where.show(both)
  })
}
