/** Where the shaders move the vertices of a face, read back from what draws: for tests and measurements. */
import {
  Camera,
  FloatType,
  GLSL3,
  NearestFilter,
  Points,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three'
import type { Face } from './face'
import { MORPH } from './shaders'

const WIDTH = 256 // pixels; each holds the place of one vertex

const VERTEX = /* glsl */ `${MORPH}
uniform vec2 size;
flat out vec3 place;
void main() {
  vec3 p = position;
  vec3 n = normal;
  morph(p, n);
  place = p;
  vec2 cell = vec2(gl_VertexID % ${WIDTH}, gl_VertexID / ${WIDTH}) + 0.5;
  gl_Position = vec4(2.0 * cell / size - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}`

const FRAGMENT = /* glsl */ `
precision highp float;
flat in vec3 place;
out vec4 color;
void main() { color = vec4(place, 1.0); }`

/** The vertices of the rig (v, 3), in scene units, as the vertex shader of the face places them. */
export function readPositions(renderer: WebGLRenderer, face: Face): Float32Array {
  const { vertex, vertexCount, attributes } = face.data
  const height = Math.max(Math.ceil(vertex.length / WIDTH), 1)
  const target = new WebGLRenderTarget(WIDTH, height, {
    type: FloatType,
    format: RGBAFormat,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
  })
  const material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    depthTest: false,
    uniforms: { ...face.own, size: { value: [WIDTH, height] } },
  })
  const points = new Points(attributes, material)
  points.frustumCulled = false
  const scene = new Scene()
  scene.add(points)
  renderer.setRenderTarget(target)
  renderer.clear()
  renderer.render(scene, new Camera())
  const texels = new Float32Array(4 * WIDTH * height)
  renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, texels)
  renderer.setRenderTarget(null)
  target.dispose()
  material.dispose()
  const found = new Float32Array(3 * vertexCount)
  vertex.forEach((v, r) => found.set(texels.subarray(4 * r, 4 * r + 3), 3 * v))
  return found
}
