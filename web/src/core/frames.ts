/** Binary frames with their arrays; the layout of the bytes is in PROTOCOL.md. */
import type { ArrayInfo, FrameHeader } from './protocol.gen'

/** The fields of a frame's header. `shapes` holds the shape of each array that came. */
type Header<T extends FrameHeader['type']> = Omit<Extract<FrameHeader, { type: T }>, 'arrays'> & {
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The face as it is now: n sliders, s shapes, k pins, d of them dragged or holding. */
export interface Pose extends Header<'Pose'> {
  arrays: {
    weights: Float32Array // (n,)
    values: Float32Array // (s,), or (1 + r, s) of the whole face and of each of the finest regions
    places: Float32Array // (k, 3)
    spots: Uint32Array | null // (p, 2) region and slider
    local: Float32Array | null // (p,) what the region adds to the slider
    change: Float32Array | null // (n,) since the beginning of the drag
    helped: Float32Array | null // (n,) share of the wanted motion
    residual: Float32Array | null // (d,)
    target: Float32Array | null // (d, 3)
  }
}

/** A clip, frame by frame. */
export interface ClipTable extends Header<'ClipTable'> {
  arrays: {
    times: Float32Array // (f,) seconds
    weights: Float32Array // (f, n)
    values: Float32Array // (f, s), or (f, 1 + r, s)
    spots: Uint32Array | null // (p, 2)
    local: Float32Array | null // (f, p)
  }
}

/** Where the markers of a take are. */
export interface TakeTable extends Header<'TakeTable'> {
  arrays: {
    positions: Float32Array // (f, m, 3) in the take's room, NaN where a marker was not seen
  }
}

/** How near a clip comes to the take. A take that is not bound has an empty `mean` and nothing else. */
export interface TakeFitTable extends Header<'TakeFitTable'> {
  arrays: {
    mean: Float32Array // (f,) millimetres, NaN where nothing is known
    worst: Uint32Array | null // (f,) the marker furthest off
    status: Uint32Array | null // (f,) of `statuses`
    doubted: Uint32Array | null // (q, 2) frame and marker
    head: Float32Array | null // (f, 12) rotation, rows first, and offset; (0, 12) where the clip moves the head
  }
}

/** The mesh and the shapes of a rig: r render vertices, t triangles, s shapes. */
export interface Geometry extends Header<'Geometry'> {
  arrays: {
    positions: Float32Array // (r, 3)
    normals: Float32Array // (r, 3)
    uvs: Float32Array | null // (r, 2)
    vertex: Uint32Array // (r,) of the rig
    triangles: Uint32Array // (t, 3)
    triangle: Uint32Array // (t,) of the rig
    starts: Uint32Array // (s + 1,)
    vertices: Uint32Array // (m,) of the rig
    offsets: Float32Array // (m, 3)
    turns: Float32Array // (m, 3) of the normals
    riders: Uint32Array // (k,) of the rig, which move as the carriers do
    carriers: Uint32Array // (c,) of the rig
    eyes: Uint32Array // (e,) of the rig
  }
}

/** The regions, and which share of each of v vertices belongs to which of the finest. */
export interface RegionMap extends Header<'RegionMap'> {
  arrays: {
    starts: Uint32Array // (v + 1,)
    region: Uint32Array // (k,)
    share: Float32Array // (k,)
  }
}

/** The smooth part of a texture, RGBA in half precision, two numbers in a word. */
export interface LowBand extends Header<'LowBand'> {
  arrays: {
    texels: Uint32Array // (h, w, 2)
    detail: Float32Array // (n, 3) a sample
  }
}

/** The darkest and the brightest of all textures at each texel. */
export interface LowLimits extends Header<'LowLimits'> {
  arrays: {
    darkest: Uint32Array // (h, w, 2)
    brightest: Uint32Array // (h, w, 2)
  }
}

/** An example of a build and, once it is solved, the rig's version of it; v vertices. */
export interface BuiltPose extends Header<'BuiltPose'> {
  arrays: {
    example: Float32Array // (v, 3)
    example_normals: Float32Array // (v, 3)
    version: Float32Array | null // (v, 3)
    version_normals: Float32Array | null // (v, 3)
    distances: Float32Array | null // (v,)
  }
}

export type Frame = Pose | ClipTable | TakeTable | TakeFitTable | Geometry | RegionMap | LowBand | LowLimits | BuiltPose

export type FrameOf<T extends Frame['type']> = Extract<Frame, { type: T }>

/** How an array is declared: its kind, with `?` where a frame may come without it. */
type Declared<A> = [A] extends [Float32Array]
  ? 'f4'
  : [A] extends [Uint32Array]
    ? 'u4'
    : [A] extends [Float32Array | null]
      ? 'f4?'
      : 'u4?'
type Declaration<T extends Frame['type']> = {
  [K in keyof FrameOf<T>['arrays']]: Declared<FrameOf<T>['arrays'][K]>
}

const ARRAYS: { [T in Frame['type']]: Declaration<T> } = {
  Pose: {
    weights: 'f4',
    values: 'f4',
    places: 'f4',
    spots: 'u4?',
    local: 'f4?',
    change: 'f4?',
    helped: 'f4?',
    residual: 'f4?',
    target: 'f4?',
  },
  ClipTable: { times: 'f4', weights: 'f4', values: 'f4', spots: 'u4?', local: 'f4?' },
  TakeTable: { positions: 'f4' },
  TakeFitTable: { mean: 'f4', worst: 'u4?', status: 'u4?', doubted: 'u4?', head: 'f4?' },
  Geometry: {
    positions: 'f4',
    normals: 'f4',
    uvs: 'f4?',
    vertex: 'u4',
    triangles: 'u4',
    triangle: 'u4',
    starts: 'u4',
    vertices: 'u4',
    offsets: 'f4',
    turns: 'f4',
    riders: 'u4',
    carriers: 'u4',
    eyes: 'u4',
  },
  RegionMap: { starts: 'u4', region: 'u4', share: 'f4' },
  LowBand: { texels: 'u4', detail: 'f4' },
  LowLimits: { darkest: 'u4', brightest: 'u4' },
  BuiltPose: { example: 'f4', example_normals: 'f4', version: 'f4?', version_normals: 'f4?', distances: 'f4?' },
}

const MAGIC = 0x31465746 // 'FWF1'

/** The frame in a buffer. Its arrays are views of the buffer: nothing is copied. A missing array is an error. */
export function decode(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer)
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('this is not a frame')
  const length = view.getUint32(4, true)
  const { arrays: infos, ...header } = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, 8, length)),
  ) as FrameHeader
  const base = Math.ceil((8 + length) / 8) * 8
  const declared: Record<string, string> = ARRAYS[header.type]
  if (!declared) throw new Error(`there is no frame of the type ${header.type}`)
  const arrays: Record<string, Float32Array | Uint32Array | null> = {}
  for (const [name, kind] of Object.entries(declared)) {
    const info = infos[name]
    if (info && info.kind !== kind.slice(0, 2))
      throw new Error(`${name} of ${header.type} is ${info.kind}, not ${kind}`)
    if (!info && !kind.endsWith('?')) throw new Error(`${header.type} came without its array ${name}`)
    arrays[name] = info ? arrayOf(buffer, base, info) : null
  }
  const shapes = Object.fromEntries(Object.entries(infos).map(([name, { shape }]) => [name, shape]))
  return { ...header, arrays, shapes } as unknown as Frame
}

function arrayOf(buffer: ArrayBuffer, base: number, { kind, shape, offset }: ArrayInfo): Float32Array | Uint32Array {
  const count = shape.reduce((product, size) => product * size, 1)
  return new (kind === 'f4' ? Float32Array : Uint32Array)(buffer, base + offset, count)
}

/** A frame of a known type, such as a route answers with. */
export function decodeAs<T extends Frame['type']>(type: T, buffer: ArrayBuffer): FrameOf<T> {
  const frame = decode(buffer)
  if (frame.type !== type) throw new Error(`The server sent ${frame.type} in place of ${type}; reload the page.`)
  return frame as FrameOf<T>
}
