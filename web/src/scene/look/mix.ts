/** Sums of textures, made on the graphics card in half precision. */
import {
  AddEquation, ClampToEdgeWrapping, CustomBlending, GLSL3, HalfFloatType, LinearFilter, LinearMipmapLinearFilter, Mesh, OneFactor, OrthographicCamera,
  PlaneGeometry, RepeatWrapping, Scene, ShaderMaterial, UnsignedByteType, WebGLRenderTarget, type Texture, type WebGLRenderer,
} from 'three'
import type { Limits } from './pictures'
import { LOOK, type LookUniforms } from './shader'

export type Term = readonly [Texture, number]

const AT_ONCE = 8 // textures in one pass
const numbers = [...Array(AT_ONCE).keys()]

const VERTEX = /* glsl */ `
out vec2 at;
void main() {
  at = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`

const SUM = /* glsl */ `
precision highp float;
${numbers.map((i) => `uniform sampler2D map${i};`).join('\n')}
uniform float weights[${AT_ONCE}];
in vec2 at;
out vec4 result;
void main() {
  vec3 sum = vec3(0.0);
  ${numbers.map((i) => `if (weights[${i}] != 0.0) sum += weights[${i}] * textureLod(map${i}, at, 0.0).rgb;`).join('\n  ')}
  result = vec4(sum, 1.0);
}`

/** The mix of the smooth parts, inside its limits, less the smooth parts of the detail that is shown. */
const CHANGE = /* glsl */ `
precision highp float;
uniform sampler2D mixed;
uniform sampler2D newLow;
uniform sampler2D formerLow;
uniform sampler2D darkest;
uniform sampler2D brightest;
uniform vec2 shares;
uniform bool limited;
in vec2 at;
out vec4 result;
void main() {
  vec3 low = texture(mixed, at).rgb;
  if (limited) low = clamp(low, texture(darkest, at).rgb, texture(brightest, at).rgb);
  result = vec4(low - shares.x * texture(newLow, at).rgb - shares.y * texture(formerLow, at).rgb, 1.0);
}`

const FLAT = /* glsl */ `
precision highp float;
${LOOK}
in vec2 at;
out vec4 result;
void main() {
  vec3 l = clamp(lookAt(at, 0.5), 0.0, 1.0);
  result = vec4(mix(12.92 * l, 1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l)), 1.0);
}`

export class Mix {
  private readonly camera = new OrthographicCamera()
  private readonly scene = new Scene()
  private readonly quad = new Mesh(new PlaneGeometry(2, 2))
  private readonly sum = material(SUM, { weights: { value: new Array<number>(AT_ONCE).fill(0) }, ...Object.fromEntries(numbers.map((i) => [`map${i}`, { value: null }])) })
  private readonly less = material(CHANGE, Object.fromEntries(['mixed', 'newLow', 'formerLow', 'darkest', 'brightest', 'shares', 'limited'].map((name) => [name, { value: null }])))
  private mixed: WebGLRenderTarget | null = null
  private change: WebGLRenderTarget | null = null
  private plain: WebGLRenderTarget | null = null

  constructor() {
    this.quad.frustumCulled = false
    this.scene.add(this.quad)
    this.sum.blending = CustomBlending
    this.sum.blendEquation = AddEquation
    this.sum.blendSrc = this.sum.blendDst = OneFactor
  }

  /** How the smooth parts change what the shown detail's pictures have. */
  smooth(renderer: WebGLRenderer, terms: readonly Term[], shown: readonly Term[], limits: Limits | null): Texture {
    const { width, height } = terms[0][0].image as { width: number; height: number }
    this.mixed = sized(this.mixed, width, height, false)
    this.change = sized(this.change, width, height, false)
    this.add(renderer, this.mixed, terms)
    const { uniforms } = this.less
    uniforms.mixed.value = this.mixed.texture
    uniforms.newLow.value = shown[0][0]
    uniforms.formerLow.value = (shown[1] ?? shown[0])[0]
    uniforms.shares.value = [shown[0][1], shown[1]?.[1] ?? 0]
    uniforms.limited.value = limits !== null
    uniforms.darkest.value = (limits?.darkest ?? shown[0][0])
    uniforms.brightest.value = (limits?.brightest ?? shown[0][0])
    this.draw(renderer, this.less, this.change)
    return this.change.texture
  }

  /** All textures in one band. */
  plainly(renderer: WebGLRenderer, terms: readonly Term[]): Texture {
    const { width, height } = terms[0][0].image as { width: number; height: number }
    this.plain = sized(this.plain, width, height, true)
    this.add(renderer, this.plain, terms)
    return this.plain.texture
  }

  /** The texture as it is shown, in sRGB (h, w, 4), the top row first. */
  flat(renderer: WebGLRenderer, uniforms: LookUniforms, width: number, height: number): Uint8Array {
    const target = new WebGLRenderTarget(width, height, { type: UnsignedByteType, depthBuffer: false })
    const shader = material(FLAT, uniforms)
    this.draw(renderer, shader, target)
    const pixels = new Uint8Array(4 * width * height)
    renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels)
    target.dispose()
    shader.dispose()
    const upright = new Uint8Array(pixels.length)
    for (let row = 0; row < height; row++) upright.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row))
    return upright
  }

  get bytes(): number {
    return [this.mixed, this.change, this.plain].reduce((sum, target) => sum + (target ? 8 * target.width * target.height : 0), 0)
  }

  /** Let go of what only a plain mix needs. */
  dropPlain(): void {
    this.plain?.dispose()
    this.plain = null
  }

  private add(renderer: WebGLRenderer, target: WebGLRenderTarget, terms: readonly Term[]): void {
    const mipmaps = target.texture.generateMipmaps
    for (let start = 0; start < terms.length; start += AT_ONCE) {
      const some = terms.slice(start, start + AT_ONCE)
      const { uniforms } = this.sum
      numbers.forEach((i) => {
        uniforms[`map${i}`].value = (some[i] ?? some[0])[0]
        ;(uniforms.weights.value as number[])[i] = some[i]?.[1] ?? 0
      })
      target.texture.generateMipmaps = mipmaps && start + AT_ONCE >= terms.length
      this.draw(renderer, this.sum, target, start === 0)
    }
    target.texture.generateMipmaps = mipmaps
  }

  private draw(renderer: WebGLRenderer, shader: ShaderMaterial, target: WebGLRenderTarget, clear = true): void {
    this.quad.material = shader
    renderer.setRenderTarget(target)
    if (clear) {
      renderer.setClearAlpha(0)
      renderer.clear()
    }
    renderer.render(this.scene, this.camera)
    renderer.setRenderTarget(null)
  }
}

function material(fragmentShader: string, uniforms: ShaderMaterial['uniforms']): ShaderMaterial {
  return new ShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader, uniforms, depthTest: false, depthWrite: false })
}

function sized(known: WebGLRenderTarget | null, width: number, height: number, mipmaps: boolean): WebGLRenderTarget {
  if (known?.width === width && known.height === height) return known
  known?.dispose()
  const wrap = mipmaps ? RepeatWrapping : ClampToEdgeWrapping
  const minFilter = mipmaps ? LinearMipmapLinearFilter : LinearFilter
  return new WebGLRenderTarget(width, height, {
    type: HalfFloatType, depthBuffer: false, generateMipmaps: mipmaps, minFilter, magFilter: LinearFilter, wrapS: wrap, wrapT: wrap, anisotropy: mipmaps ? 8 : 1,
  })
}
