/** Binary frames: see PROTOCOL.md. */
import type { ArrayInfo, FrameHeader } from './protocol.gen'

export type Arrays = Record<string, Float32Array | Uint32Array>
export type Frame = {
  [T in FrameHeader['type']]: { header: Extract<FrameHeader, { type: T }>; arrays: Arrays }
}[FrameHeader['type']]

const MAGIC = 0x31465746 // 'FWF1'

/** The header and views of the arrays; nothing is copied. */
export function unpack(buffer: ArrayBuffer): Frame {
  const view = new DataView(buffer)
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error('this is not a frame')
  const length = view.getUint32(4, true)
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as FrameHeader
  const base = Math.ceil((8 + length) / 8) * 8
  const arrays: Arrays = {}
  for (const [name, info] of Object.entries(header.arrays)) arrays[name] = array(buffer, base, info)
  return { header, arrays } as Frame
}

function array(buffer: ArrayBuffer, base: number, info: ArrayInfo): Float32Array | Uint32Array {
  const count = info.shape.reduce((product, size) => product * size, 1)
  return info.kind === 'f4'
    ? new Float32Array(buffer, base + info.offset, count)
    : new Uint32Array(buffer, base + info.offset, count)
}

/** An array of floats that a frame must have; empty where it has none. */
export function floats(frame: { arrays: Arrays }, name: string): Float32Array {
  const found = frame.arrays[name]
  return found instanceof Float32Array ? found : new Float32Array(0)
}

export function indices(frame: { arrays: Arrays }, name: string): Uint32Array {
  const found = frame.arrays[name]
  return found instanceof Uint32Array ? found : new Uint32Array(0)
}
