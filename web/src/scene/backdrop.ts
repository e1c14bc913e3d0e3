/** What is behind a face: a soft light on a grey wall. */
import { GLSL3, Mesh, PlaneGeometry, ShaderMaterial } from 'three'
import { BACKDROP_FRAGMENT, BACKDROP_VERTEX } from './shaders'

export function backdrop(): Mesh {
  const material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: BACKDROP_VERTEX,
    fragmentShader: BACKDROP_FRAGMENT,
    depthTest: false,
    depthWrite: false,
  })
  const mesh = new Mesh(new PlaneGeometry(2, 2), material)
  mesh.renderOrder = -1
  mesh.frustumCulled = false
  return mesh
}
