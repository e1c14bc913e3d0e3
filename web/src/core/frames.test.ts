import { expect, test } from 'vitest'
import { decode, decodeAs } from './frames'

/** A frame as the server packs it: its header, and its arrays one after the other. */
function packed(type: string, arrays: Record<string, Float32Array | Uint32Array>, fields: object = {}): ArrayBuffer {
  let at = 0
  const infos = Object.entries(arrays).map(([name, array]) => {
    const info = { kind: array instanceof Float32Array ? 'f4' : 'u4', shape: [array.length], offset: at }
    at += Math.ceil(array.byteLength / 8) * 8
    return [name, info] as const
  })
  const header = new TextEncoder().encode(JSON.stringify({ type, ...fields, arrays: Object.fromEntries(infos) }))
  const base = Math.ceil((8 + header.length) / 8) * 8
  const buffer = new ArrayBuffer(base + at)
  new Uint8Array(buffer).set(new TextEncoder().encode('FWF1'))
  new DataView(buffer).setUint32(4, header.length, true)
  new Uint8Array(buffer).set(header, 8)
  for (const [name, { offset }] of infos) {
    const array = arrays[name]
    const to = array instanceof Float32Array ? Float32Array : Uint32Array
    new to(buffer, base + offset, array.length).set(array)
  }
  return buffer
}

const pose = {
  weights: new Float32Array([0.25, 0.5]),
  values: new Float32Array([1]),
  places: new Float32Array(0),
  spots: new Uint32Array(0),
  local: new Float32Array(0),
}

test('a frame gives its arrays back without a copy', () => {
  const buffer = packed('Pose', pose, { seq: 7 })
  const frame = decodeAs('Pose', buffer)
  expect(frame.seq).toBe(7)
  expect([...frame.arrays.weights]).toEqual([0.25, 0.5])
  expect(frame.arrays.weights.buffer).toBe(buffer)
  expect(frame.shapes.weights).toEqual([2])
  expect(() => decode(new ArrayBuffer(16))).toThrow('not a frame')
})

test('an array that a frame may lack is null, one that it must have is an error', () => {
  expect(decodeAs('Pose', packed('Pose', pose)).arrays.change).toBeNull()
  const { weights, places } = pose
  expect(() => decode(packed('Pose', { weights, places }))).toThrow('Pose came without its array values')
})

test('an array of another kind and a frame of another type are errors', () => {
  expect(() => decode(packed('Pose', { ...pose, weights: new Uint32Array(2) }))).toThrow('weights of Pose is u4')
  expect(() => decodeAs('TakeTable', packed('Pose', pose))).toThrow('sent Pose in place of TakeTable')
  expect(() => decode(packed('Nonsense', pose))).toThrow('no frame of the type Nonsense')
})
