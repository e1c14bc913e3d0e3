/** Binary frames with their arrays; the layout of the bytes is in PROTOCOL.md. */
import { ARRAYS, type Frame } from './frames.gen'

export type * from './frames.gen'

export type FrameOf<T extends Frame['type']> = Extract<Frame, { type: T }>

/** Where an array is: `offset` bytes after the header's padding, row after row. */
interface ArrayInfo {
  kind: keyof typeof KINDS
  shape: number[]
  offset: number
}

type Header = { type: Frame['type']; arrays: Record<string, ArrayInfo> }

const KINDS = { f4: Float32Array, f8: Float64Array, u4: Uint32Array }
type Numbers = Float32Array | Float64Array | Uint32Array

const MAGIC = 0x31465746 // 'FWF1'

/** The frame in a buffer. Its arrays are views of the buffer: nothing is copied. A missing array is an error. */
export function decode(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer)
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('this is not a frame')
  const length = view.getUint32(4, true)
  const { arrays: infos, ...header } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as Header
  const base = Math.ceil((8 + length) / 8) * 8
  const declared: Readonly<Record<string, string>> | undefined = ARRAYS[header.type]
  if (!declared) throw new Error(`there is no frame of the type ${header.type}`)
  const arrays: Record<string, Numbers | null> = {}
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

function arrayOf(buffer: ArrayBuffer, base: number, { kind, shape, offset }: ArrayInfo): Numbers {
  const count = shape.reduce((product, size) => product * size, 1)
  return new KINDS[kind](buffer, base + offset, count)
}

/** A frame of a known type, such as a route answers with. */
export function decodeAs<T extends Frame['type']>(type: T, buffer: ArrayBuffer): FrameOf<T> {
  const frame = decode(buffer)
  if (frame.type !== type) throw new Error(`The server sent ${frame.type} in place of ${type}; reload the page.`)
  return frame as FrameOf<T>
}
