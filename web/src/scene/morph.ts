/** Sparse shapes on the graphics card: each vertex has a list of the shapes that move it, in one texture. */
import { DataTexture, FloatType, NearestFilter, RedFormat, RGBAFormat } from 'three'

/** Shapes as they come: shape j moves vertices[starts[j] ... starts[j + 1]]. */
export interface Shapes {
  starts: Uint32Array // (s + 1,)
  vertices: Uint32Array // (m,)
  offsets: Float32Array // (m, 3)
  turns: Float32Array // (m, 3) of the normals
}

export const MOVES_WIDTH = 2048 // texels; a move takes two, which must not be in different rows
export const VALUES_WIDTH = 1024

/** The same, vertex by vertex: vertex i is moved by entries first[i] ... first[i + 1]. */
export interface Moves {
  first: Uint32Array // (v + 1,)
  texels: Float32Array // offset and shape, then turn and nothing
}

export function movesOf(shapes: Shapes, vertexCount: number): Moves {
  const first = new Uint32Array(vertexCount + 1)
  for (const vertex of shapes.vertices) first[vertex + 1] += 1
  for (let i = 0; i < vertexCount; i++) first[i + 1] += first[i]
  const rows = Math.max(Math.ceil((2 * shapes.vertices.length) / MOVES_WIDTH), 1)
  const texels = new Float32Array(rows * MOVES_WIDTH * 4)
  const next = first.slice(0, vertexCount)
  for (let shape = 0; shape + 1 < shapes.starts.length; shape++) {
    for (let k = shapes.starts[shape]; k < shapes.starts[shape + 1]; k++) {
      const at = 8 * next[shapes.vertices[k]]++
      texels.set(shapes.offsets.subarray(3 * k, 3 * k + 3), at)
      texels[at + 3] = shape
      texels.set(shapes.turns.subarray(3 * k, 3 * k + 3), at + 4)
    }
  }
  return { first, texels }
}

export function movesTexture({ texels }: Moves): DataTexture {
  return texture(texels, MOVES_WIDTH, RGBAFormat)
}

/** A texture that holds the value of each of s shapes. */
export function valuesTexture(count: number): DataTexture {
  const rows = Math.max(Math.ceil(count / VALUES_WIDTH), 1)
  return texture(new Float32Array(rows * VALUES_WIDTH), VALUES_WIDTH, RedFormat)
}

export function fill(values: DataTexture, from: Float32Array): void {
  const data = values.image.data as unknown as Float32Array
  data.set(from.subarray(0, data.length))
  values.needsUpdate = true
}

function texture(data: Float32Array, width: number, format: typeof RGBAFormat | typeof RedFormat): DataTexture {
  const made = new DataTexture(data as Float32Array<ArrayBuffer>, width, data.length / width / (format === RGBAFormat ? 4 : 1), format, FloatType)
  made.minFilter = made.magFilter = NearestFilter
  made.needsUpdate = true
  return made
}

/** Where shapes of these values bring each vertex: offsets (v, 3). */
export function displacement(shapes: Shapes, values: Float32Array, vertexCount: number): Float32Array {
  const moved = new Float32Array(3 * vertexCount)
  for (let shape = 0; shape + 1 < shapes.starts.length; shape++) {
    const value = values[shape] ?? 0
    if (value === 0) continue
    for (let k = shapes.starts[shape]; k < shapes.starts[shape + 1]; k++) {
      const at = 3 * shapes.vertices[k]
      moved[at] += value * shapes.offsets[3 * k]
      moved[at + 1] += value * shapes.offsets[3 * k + 1]
      moved[at + 2] += value * shapes.offsets[3 * k + 2]
    }
  }
  return moved
}
