/** Points that were measured, over the face: those behind its surface are hidden by it. */
import { BufferAttribute, BufferGeometry, GLSL3, Matrix4, Points, ShaderMaterial } from 'three'
import { matrixOf, type Head } from './head'
import type { Space } from './space'

const SIZE = 2.6 // pixels of the page

// A point on the surface would be half hidden by it: all come nearer by about a millimetre.
const VERTEX = /* glsl */ `
uniform float dot_size;
in vec3 color;
out vec3 tint;
void main() {
  tint = color;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  seen.xyz *= 1.0 - 0.004 / length(seen.xyz);
  gl_Position = projectionMatrix * seen;
  gl_PointSize = dot_size;
}`

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 tint;
out vec4 result;
void main() { result = vec4(tint, 1.0); }`

export class PointCloud {
  readonly points: Points
  private readonly material: ShaderMaterial

  constructor(private readonly ask: () => void) {
    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { dot_size: { value: SIZE } },
    })
    this.points = new Points(new BufferGeometry(), this.material)
    this.points.frustumCulled = false
    this.points.matrixAutoUpdate = false
    this.points.visible = false
  }

  /** Show points (k, 3) of the face's coordinates with the head held, in colours (k, 3) as they are on the screen. */
  show(positions: Float32Array, colors: Float32Array): void {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(positions, 3))
    geometry.setAttribute('color', new BufferAttribute(colors, 3))
    this.points.geometry.dispose()
    this.points.geometry = geometry
    this.points.visible = positions.length > 0
    this.ask()
  }

  /** Show none. */
  hide(): void {
    if (!this.points.visible) return
    this.points.visible = false
    this.ask()
  }

  /** Where the face is in the scene. */
  place(space: Space | null, head: Head | null): void {
    this.points.matrix.copy(space?.matrix ?? new Matrix4())
    if (head) this.points.matrix.multiply(matrixOf(head))
    this.points.matrixWorldNeedsUpdate = true
  }

  /** For a canvas with so many pixels for one of the page. */
  sizeDots(ratio: number): void {
    this.material.uniforms.dot_size.value = SIZE * ratio
  }
}
