// Sets expressions of VRM files as @pixiv/three-vrm does, and prints where all vertices are then.
// Arguments: pairs of a file and JSON of values, such as avatar.vrm '{"happy": 0.5}'.
import { readFileSync } from 'node:fs'
import { VRMLoaderPlugin } from '@pixiv/three-vrm'
import { Vector3 } from 'three'
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js'

globalThis.self = globalThis
console.error = () => {} // pictures cannot be loaded without a browser, and are not asked for
console.warn = () => {}

const words = process.argv.slice(2)
for (let at = 0; at < words.length; at += 2) {
  const data = readFileSync(words[at])
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const loader = new GLTFLoader().register(parser => new VRMLoaderPlugin(parser))
  const { vrm } = (await loader.parseAsync(bytes, '')).userData
  const manager = vrm.expressionManager
  for (const [name, value] of Object.entries(JSON.parse(words[at + 1]))) manager.setValue(name, value)
  manager.update()
  vrm.scene.updateMatrixWorld(true)
  const places = []
  vrm.scene.traverse(object => {
    if (!object.isMesh) return
    const place = new Vector3()
    for (let vertex = 0; vertex < object.geometry.attributes.position.count; vertex++) {
      object.getVertexPosition(vertex, place)
      places.push(place.applyMatrix4(object.matrixWorld).toArray())
    }
  })
  const { meta } = vrm
  console.log(JSON.stringify({ expressions: manager.expressions.map(one => one.expressionName), places, meta }))
}
