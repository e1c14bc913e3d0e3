/** A picture or video with the face, towards the camera: behind the face and growing with it, or at a place of the window. */
import {
  CustomBlending,
  GLSL3,
  LinearFilter,
  Mesh,
  OneMinusSrcAlphaFactor,
  PlaneGeometry,
  ShaderMaterial,
  SrcAlphaFactor,
  Texture,
  Vector2,
  VideoTexture,
} from 'three'

export interface PlanePlace {
  placement: 'behind' | 'beside'
  x: number // of its middle; in sizes of the face, or in heights of the window
  y: number
  scale: number // its height
  opacity: number
}

const VERTEX = /* glsl */ `
uniform bool beside;
uniform vec2 middle;
uniform vec2 size;
uniform float aspect; // of the window
out vec2 at;
void main() {
  at = uv;
  vec2 place = middle + position.xy * size;
  if (beside) {
    gl_Position = vec4(2.0 * place / vec2(aspect, 1.0), 0.0, 1.0);
    return;
  }
  vec4 seen = viewMatrix * vec4(0.0, 0.0, 0.0, 1.0);
  seen.xy += place;
  gl_Position = projectionMatrix * seen;
}`

const FRAGMENT = /* glsl */ `
precision highp float;
uniform sampler2D picture;
uniform float opacity;
in vec2 at;
out vec4 result;
void main() { result = vec4(texture(picture, at).rgb, opacity); }`

type Source = HTMLImageElement | HTMLVideoElement

export class PicturePlane {
  readonly mesh: Mesh
  private readonly material: ShaderMaterial
  private texture: Texture | null = null
  private source: Source | null = null
  private place_: PlanePlace = { placement: 'behind', x: 0, y: 0, scale: 1, opacity: 1 }

  constructor(private readonly ask: () => void) {
    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      depthTest: false,
      depthWrite: false,
      // Blended among what is opaque: what is transparent is drawn after the face.
      blending: CustomBlending,
      blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor,
      uniforms: {
        picture: { value: null },
        beside: { value: false },
        middle: { value: new Vector2() },
        size: { value: new Vector2(1, 1) },
        aspect: { value: 1 },
        opacity: { value: 1 },
      },
    })
    this.mesh = new Mesh(new PlaneGeometry(1, 1), this.material)
    this.mesh.frustumCulled = false
    this.mesh.visible = false
  }

  /** Show a picture, or a video as it is now; null: nothing. */
  show(source: Source | null): void {
    this.texture?.dispose()
    this.source = source
    this.texture = source && (source instanceof HTMLVideoElement ? new VideoTexture(source) : new Texture(source))
    if (this.texture) Object.assign(this.texture, { generateMipmaps: false, minFilter: LinearFilter })
    this.material.uniforms.picture.value = this.texture
    this.mesh.visible = source !== null
    this.renew()
  }

  get isShown(): boolean {
    return this.mesh.visible
  }

  place(place: PlanePlace): void {
    this.place_ = place
    const beside = place.placement === 'beside'
    this.mesh.renderOrder = beside ? 4 : -0.5 // over all, or over the backdrop alone
    this.material.transparent = beside
    this.ask()
  }

  /** The video shows another frame. */
  renew(): void {
    if (this.texture) this.texture.needsUpdate = true
    if (this.mesh.visible) this.ask()
  }

  /** Before a frame, in a window of so many pixels. */
  prepare(window: { width: number; height: number }): void {
    if (!this.source) return
    const { x, y, scale, opacity, placement } = this.place_
    const { uniforms } = this.material
    uniforms.beside.value = placement === 'beside'
    uniforms.opacity.value = opacity
    uniforms.aspect.value = window.width / window.height
    ;(uniforms.middle.value as Vector2).set(x, y)
    ;(uniforms.size.value as Vector2).set(scale * aspectOf(this.source), scale)
  }
}

function aspectOf(source: Source): number {
  const [width, height] =
    source instanceof HTMLVideoElement
      ? [source.videoWidth, source.videoHeight]
      : [source.naturalWidth, source.naturalHeight]
  return width && height ? width / height : 1
}
