/** Where points of the surface are in a pose: a few of them, without posing the whole face. */
import type { PointInfo } from '../core/protocol.gen'
import type { Shares } from '../core/regions'
import type { FaceData } from './geometry'
import type { Vec } from '../core/vec'

const copies = new WeakMap<FaceData, Map<number, number>>()

/** A render vertex of each rig vertex. */
function copyOf(data: FaceData): Map<number, number> {
  let known = copies.get(data)
  if (!known) {
    known = new Map()
    for (let r = data.vertex.length - 1; r >= 0; r--) known.set(data.vertex[r], r)
    copies.set(data, known)
  }
  return known
}

/** Where a point is for values (s,) of the shapes, or (1 + r, s) of the whole face and of each of its regions. */
export function gluedPlace(data: FaceData, values: Float32Array, point: PointInfo, shares: Shares | null = null): Vec {
  const local = values.length > data.shapes.starts.length - 1 ? shares : null
  const sum: [number, number, number] = [0, 0, 0]
  point.vertices.forEach((vertex, corner) => {
    const share = point.shares[corner]
    if (share === 0) return
    const place = vertexPlace(data, values, copyOf(data).get(vertex) ?? 0, local)
    for (let axis = 0; axis < 3; axis++) sum[axis] += share * place[axis]
  })
  return sum
}

function vertexPlace(data: FaceData, values: Float32Array, r: number, shares: Shares | null): [number, number, number] {
  const spans = data.attributes.getAttribute('span').array
  const texels = data.moves.image.data as unknown as Float32Array
  const place: [number, number, number] = [data.positions[3 * r], data.positions[3 * r + 1], data.positions[3 * r + 2]]
  for (let k = spans[2 * r]; k < spans[2 * r + 1]; k++) {
    const shape = texels[8 * k + 3]
    const value = shares
      ? sharedValue(shares, values, data.vertex[r], shape, data.shapes.starts.length - 1)
      : (values[shape] ?? 0)
    for (let axis = 0; axis < 3; axis++) place[axis] += value * texels[8 * k + axis]
  }
  return place
}

/** The mean of the regions' values, each by its share in the vertex; the first row of the values is the whole face's. */
function sharedValue(
  { starts, region, share }: Shares,
  values: Float32Array,
  vertex: number,
  shape: number,
  count: number,
): number {
  let sum = 0
  for (let k = starts[vertex]; k < starts[vertex + 1]; k++)
    sum += share[k] * (values[(region[k] + 1) * count + shape] ?? 0)
  return sum
}

/** Outwards at a point, at rest. */
export function gluedNormal(data: FaceData, point: PointInfo): Vec {
  const sum: [number, number, number] = [0, 0, 0]
  point.vertices.forEach((vertex, corner) => {
    const r = copyOf(data).get(vertex) ?? 0
    for (let axis = 0; axis < 3; axis++) sum[axis] += point.shares[corner] * data.normals[3 * r + axis]
  })
  return sum
}
