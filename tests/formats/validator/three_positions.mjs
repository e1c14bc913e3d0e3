// Prints the places of all vertices of GLB files as three.js shows them: one list of meshes for each file. At rest, or,
// for file.glb#0.5, half a second into its first animation.
import { readFileSync } from 'node:fs'

const modules = new URL('../../../web/node_modules/', import.meta.url)
globalThis.self = globalThis // the loader looks for it
console.error = () => {} // pictures cannot be loaded without a browser, and are not asked for
const three = await import(new URL('three/build/three.module.js', modules))
const { GLTFLoader } = await import(new URL('three/examples/jsm/loaders/GLTFLoader.js', modules))

for (const argument of process.argv.slice(2)) {
  const [file, time] = argument.split('#')
  const data = readFileSync(file)
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const gltf = await new GLTFLoader().parseAsync(bytes, '')
  if (time !== undefined) {
    const mixer = new three.AnimationMixer(gltf.scene)
    mixer.clipAction(gltf.animations[0]).play()
    mixer.setTime(Number(time))
  }
  gltf.scene.updateMatrixWorld(true)
  const meshes = []
  gltf.scene.traverse(object => {
    if (!object.isMesh) return
    const at = new three.Vector3()
    const places = []
    for (let vertex = 0; vertex < object.geometry.attributes.position.count; vertex++) {
      object.getVertexPosition(vertex, at) // with targets and joints
      places.push(at.applyMatrix4(object.matrixWorld).toArray())
    }
    meshes.push({ name: object.name, places })
  })
  console.log(JSON.stringify(meshes))
}
