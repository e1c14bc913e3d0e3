/** Sparse shapes on the graphics card: each vertex has a list of the shapes that move it, in one texture. */
import { DataTexture, FloatType, NearestFilter, RedFormat, RGBAFormat, RGFormat, type IUniform } from 'three'
import type { Shares } from '../core/regions'

/** Shapes as they come: shape j moves vertices[starts[j] ... starts[j + 1]]. */
export interface Shapes {
  starts: Uint32Array // (s + 1,)
  vertices: Uint32Array // (m,)
  offsets: Float32Array // (m, 3)
  turns: Float32Array // (m, 3) of the normals
}

export const MOVES_WIDTH = 2048 // texels; a move takes two, which must not be in different rows
export const VALUES_WIDTH = 1024
export const SHARES_WIDTH = 1024

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

/** The shapes with one of them replaced. */
export function withShape(shapes: Shapes, shape: number, by: Omit<Shapes, 'starts'>): Shapes {
  const [start, stop] = [shapes.starts[shape], shapes.starts[shape + 1]]
  const more = by.vertices.length - (stop - start)
  const joined = <T extends Float32Array | Uint32Array>(all: T, part: T, size: number): T => {
    const made = new (all.constructor as new (length: number) => T)(all.length + size * more)
    made.set(all.subarray(0, size * start))
    made.set(part, size * start)
    made.set(all.subarray(size * stop), size * start + part.length)
    return made
  }
  return {
    starts: shapes.starts.map((at, i) => (i > shape ? at + more : at)),
    vertices: joined(shapes.vertices, by.vertices, 1),
    offsets: joined(shapes.offsets, by.offsets, 3),
    turns: joined(shapes.turns, by.turns, 3),
  }
}

/** Write one shape, which moves the same vertices as before, into texels that `movesOf` made. */
export function refillMoves({ first, texels }: Moves, shape: number, by: Omit<Shapes, 'starts'>): void {
  by.vertices.forEach((vertex, k) => {
    for (let move = first[vertex]; move < first[vertex + 1]; move++) {
      if (texels[8 * move + 3] !== shape) continue
      texels.set(by.offsets.subarray(3 * k, 3 * k + 3), 8 * move)
      texels.set(by.turns.subarray(3 * k, 3 * k + 3), 8 * move + 4)
    }
  })
}

export function movesTexture({ texels }: Moves): DataTexture {
  return texture(texels, MOVES_WIDTH, RGBAFormat)
}

/** The value of each of s shapes, all over the face or (1 + r, s) of the whole and of each region, as uniforms. */
export class Values {
  readonly uniforms: { values: IUniform<DataTexture>; rows: IUniform<number>; shapes: IUniform<number> }

  constructor(private readonly count: number) {
    this.uniforms = { values: { value: valuesTexture(count) }, rows: { value: 1 }, shapes: { value: count } }
  }

  fill(from: Float32Array): void {
    const { values, rows } = this.uniforms
    if (from.length > roomOf(values.value)) {
      values.value.dispose()
      values.value = valuesTexture(from.length)
    }
    const data = dataOf(values.value)
    data.set(from)
    data.fill(0, from.length)
    values.value.needsUpdate = true
    rows.value = this.count ? Math.max(Math.floor(from.length / this.count), 1) : 1
  }

  dispose(): void {
    this.uniforms.values.value.dispose()
  }
}

const dataOf = (values: DataTexture) => values.image.data as unknown as Float32Array
const roomOf = (values: DataTexture) => dataOf(values).length

function valuesTexture(count: number): DataTexture {
  const rows = Math.max(Math.ceil(count / VALUES_WIDTH), 1)
  return texture(new Float32Array(rows * VALUES_WIDTH), VALUES_WIDTH, RedFormat)
}

/** How much of each vertex belongs to which region: pairs of region and share. */
export function sharesTexture({ region, share }: Shares): DataTexture {
  const rows = Math.max(Math.ceil(region.length / SHARES_WIDTH), 1)
  const texels = new Float32Array(2 * rows * SHARES_WIDTH)
  for (let k = 0; k < region.length; k++) {
    texels[2 * k] = region[k]
    texels[2 * k + 1] = share[k]
  }
  return texture(texels, SHARES_WIDTH, RGFormat)
}

const CHANNELS = new Map<number, number>([
  [RGBAFormat, 4],
  [RGFormat, 2],
  [RedFormat, 1],
])

function texture(
  data: Float32Array,
  width: number,
  format: typeof RGBAFormat | typeof RedFormat | typeof RGFormat,
): DataTexture {
  const made = new DataTexture(
    data as Float32Array<ArrayBuffer>,
    width,
    data.length / width / CHANNELS.get(format)!,
    format,
    FloatType,
  )
  made.minFilter = made.magFilter = NearestFilter
  made.needsUpdate = true
  return made
}

/** How far shapes of these values move each vertex, or how they change its normal (v, 3). */
export function displacement(
  shapes: Shapes,
  values: Float32Array,
  vertexCount: number,
  shares: Shares | null = null,
  what: 'offsets' | 'turns' = 'offsets',
): Float32Array {
  const moved = new Float32Array(3 * vertexCount)
  const offsets = shapes[what]
  const count = shapes.starts.length - 1
  const local = shares !== null && values.length > count
  for (let shape = 0; shape < count; shape++) {
    const plain = values[shape] ?? 0
    if (plain === 0 && !local) continue
    for (let k = shapes.starts[shape]; k < shapes.starts[shape + 1]; k++) {
      const vertex = shapes.vertices[k]
      const value = local ? shared(shares, values, vertex, shape, count) : plain
      moved[3 * vertex] += value * offsets[3 * k]
      moved[3 * vertex + 1] += value * offsets[3 * k + 1]
      moved[3 * vertex + 2] += value * offsets[3 * k + 2]
    }
  }
  return moved
}

/** The value of a shape at a vertex: the mean of its regions'. The first row of the values is the whole face's. */
function shared(
  { starts, region, share }: Shares,
  values: Float32Array,
  vertex: number,
  shape: number,
  count: number,
): number {
  const whole = values[shape]
  let sum = whole // counted from there, so that a vertex whose regions do not differ is exactly where it was
  for (let k = starts[vertex]; k < starts[vertex + 1]; k++)
    sum += share[k] * ((values[(region[k] + 1) * count + shape] ?? whole) - whole)
  return sum
}
