// node encode.mjs < tasks: compresses and unpacks with the reference codec. Each line in is JSON {mode, count, stride,
// data, version, filter, bits} with data in base64, each line out is JSON {encoded, decoded}, both in base64.
import { readFileSync } from 'node:fs'
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer'

await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready])

const filters = {
  OCTAHEDRAL: MeshoptEncoder.encodeFilterOct,
  QUATERNION: MeshoptEncoder.encodeFilterQuat,
  EXPONENTIAL: MeshoptEncoder.encodeFilterExp,
  COLOR: MeshoptEncoder.encodeFilterColor,
}

function encode({ mode, count, stride, version, filter, bits }, source) {
  if (filter) source = filters[filter](new Float32Array(source.slice().buffer), count, stride, bits)
  if (mode === 'ATTRIBUTES') return MeshoptEncoder.encodeVertexBufferLevel(source, count, stride, 3, version)
  if (mode === 'TRIANGLES') return MeshoptEncoder.encodeIndexBuffer(source, count, stride)
  return MeshoptEncoder.encodeIndexSequence(source, count, stride)
}

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const task = JSON.parse(line)
  const encoded = encode(task, new Uint8Array(Buffer.from(task.data, 'base64')))
  const decoded = new Uint8Array(task.count * task.stride)
  MeshoptDecoder.decodeGltfBuffer(decoded, task.count, task.stride, encoded, task.mode, task.filter ?? 'NONE')
  const text = (bytes) => Buffer.from(bytes).toString('base64')
  console.log(JSON.stringify({ encoded: text(encoded), decoded: text(decoded) }))
}
