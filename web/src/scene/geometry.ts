/** The arrays of a rig, as they came, with what the scene derives from them. */
import { BufferAttribute, BufferGeometry, type DataTexture } from 'three'
import type { Geometry, MaterialInfo, RangeInfo, ShapeChange } from '../core/frames'
import type { PartInfo } from '../core/protocol.gen'
import type { Shares } from '../core/regions'
import { drawsInSoftware } from './card'
import { gaze } from './gaze'
import { displacement, movesOf, movesTexture, refillMoves, withShape, type Shapes } from './morph'
import { surfaceNamed } from './palette'
import { spaceOf, type Space } from './space'
import { Stiff } from './stiff'

export interface FaceData {
  rig: string
  positions: Float32Array // (r, 3) at rest
  normals: Float32Array // (r, 3)
  vertex: Uint32Array // (r,) of the rig
  triangles: Uint32Array // (t, 3)
  triangle: Uint32Array // (t,) of the rig
  ranges: RangeInfo[]
  materials: MaterialInfo[] // empty where the file says nothing
  parts: PartInfo[]
  shapes: Shapes
  vertexCount: number
  space: Space
  attributes: BufferGeometry // all attributes, no index
  moves: DataTexture
  first: Uint32Array // (v + 1,) where the moves of each vertex begin in it
  stiff: Stiff
  kinds: Uint32Array // (r,) of which stiff part, from 1; 0: of none
}

export function faceData(frame: Geometry, parts: PartInfo[], vertexCount: number): FaceData {
  const { positions, normals, vertex, triangles, triangle, uvs } = frame.arrays
  const shapes: Shapes = frame.arrays
  const moves = movesOf(shapes, vertexCount)
  const attributes = new BufferGeometry()
  const set = (name: string, array: Float32Array | Uint32Array, size: number) =>
    attributes.setAttribute(name, new BufferAttribute(array as Float32Array<ArrayBuffer>, size))
  set('position', positions, 3)
  set('normal', normals, 3)
  set('uv', uvs ?? new Float32Array(2 * vertex.length), 2)
  set('span', spans(moves.first, vertex), 2)
  set('open', new Float32Array(vertex.length).fill(1), 1)
  set('follow', new Float32Array(4 * vertex.length), 4)
  set('within', new Uint32Array(2 * vertex.length), 2)
  set('paint', new Float32Array(4 * vertex.length), 4)
  set('picked', new Float32Array(2 * vertex.length), 2)
  if (drawsInSoftware()) {
    set('posed', positions.slice(), 3)
    set('posedNormal', normals.slice(), 3)
  }
  const stiff = stiffOf(frame)
  const data: FaceData = {
    rig: frame.rig,
    positions,
    normals,
    vertex,
    triangles,
    triangle,
    ranges: frame.ranges,
    materials: frame.materials,
    parts,
    shapes,
    vertexCount,
    space: spaceOf(positions),
    attributes,
    moves: movesTexture(moves),
    first: moves.first,
    stiff,
    kinds: stiff.kinds(vertex),
  }
  set('kind', data.kinds, 1)
  set('ball', balls(data), 3)
  return data
}

/** Put another version of one shape, or of none, in place of it. Gives whether `moves` is another texture now. */
export function changeShape(data: FaceData, { rig, shape, arrays }: ShapeChange): boolean {
  data.rig = rig
  if (shape < 0) return false
  const { starts, vertices } = data.shapes
  const before = vertices.subarray(starts[shape], starts[shape + 1])
  const same = before.length === arrays.vertices.length && before.every((vertex, k) => vertex === arrays.vertices[k])
  data.shapes = withShape(data.shapes, shape, arrays)
  data.stiff.follow(shape, arrays)
  if (same) {
    refillMoves({ first: data.first, texels: data.moves.image.data as unknown as Float32Array }, shape, arrays)
    data.moves.needsUpdate = true
    return false
  }
  const moves = movesOf(data.shapes, data.vertexCount)
  data.moves.dispose()
  data.moves = movesTexture(moves)
  data.first = moves.first
  const span = data.attributes.getAttribute('span') as BufferAttribute
  ;(span.array as Uint32Array).set(spans(moves.first, data.vertex))
  span.needsUpdate = true
  return true
}

/** Parts that move as one. */
function stiffOf({ arrays, eyes }: Geometry): Stiff {
  const { vertex, positions, riders, carriers } = arrays
  const first = new Map<number, number>()
  vertex.forEach((v, r) => {
    if (!first.has(v)) first.set(v, r)
  })
  const neutral = (v: number) => positions.subarray(3 * first.get(v)!, 3 * first.get(v)! + 3)
  const drawn = (some: Uint32Array) => some.filter((v) => first.has(v))
  const balls = eyes.map((info) => ({ info, vertices: drawn(arrays.eyeballs.subarray(info.start, info.stop)) }))
  return new Stiff({ riders, carriers: drawn(carriers), eyes: balls }, neutral, arrays)
}

export function spans(first: Uint32Array, vertex: Uint32Array): Uint32Array {
  const made = new Uint32Array(2 * vertex.length)
  vertex.forEach((v, r) => {
    made[2 * r] = first[v]
    made[2 * r + 1] = first[v + 1]
  })
  return made
}

/** Places on the eyeball, for parts that are eyes. */
function balls({ parts, positions, vertex }: FaceData): Float32Array {
  const made = new Float32Array(positions.length)
  for (const part of parts) {
    if (!surfaceNamed(part.name).iris) continue
    const own = [...vertex.keys()].filter((r) => vertex[r] >= part.start && vertex[r] < part.stop)
    const placed = gaze(new Float32Array(own.flatMap((r) => [...positions.subarray(3 * r, 3 * r + 3)])))
    own.forEach((r, k) => made.set(placed.subarray(3 * k, 3 * k + 3), 3 * r))
  }
  return made
}

/** A geometry with the face's attributes and an index of its own. */
export function indexed(data: FaceData, index: Uint32Array): BufferGeometry {
  const made = new BufferGeometry()
  for (const [name, attribute] of Object.entries(data.attributes.attributes)) made.setAttribute(name, attribute)
  made.setIndex(new BufferAttribute(index as Uint32Array<ArrayBuffer>, 1))
  return made
}

/** Where the render vertices are in a pose, in scene units (r, 3). Parts that move as one are left to `Stiff`. */
export function posedPositions(data: FaceData, values: Float32Array, shares: Shares | null = null): Float32Array {
  const moved = displacement(data.shapes, values, data.vertexCount, shares)
  return added(data.positions, moved, data.vertex)
}

/** Normals of the render vertices in a pose (r, 3), not of length 1. Parts that move as one are left to `Stiff`. */
export function posedNormals(data: FaceData, values: Float32Array, shares: Shares | null = null): Float32Array {
  const turned = displacement(data.shapes, values, data.vertexCount, shares, 'turns')
  return added(data.normals, turned, data.vertex)
}

function added(rest: Float32Array, change: Float32Array, vertex: Uint32Array): Float32Array {
  const made = rest.slice()
  vertex.forEach((v, r) => {
    made[3 * r] += change[3 * v]
    made[3 * r + 1] += change[3 * v + 1]
    made[3 * r + 2] += change[3 * v + 2]
  })
  return made
}
