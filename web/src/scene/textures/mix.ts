/** Sums of textures, made on the graphics card in half precision. */
import {
  AddEquation,
  ClampToEdgeWrapping,
  CustomBlending,
  GLSL3,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  NoBlending,
  OneFactor,
  OrthographicCamera,
  PlaneGeometry,
  RepeatWrapping,
  Scene,
  ShaderMaterial,
  UnsignedByteType,
  Vector2,
  Vector4,
  WebGLRenderTarget,
  type Texture,
  type WebGLRenderer,
} from 'three'
import { anisotropy } from '../card'
import type { Limits } from './pictures'
import { TEXTURES, type TextureUniforms } from './shader'

export type Term = readonly [Texture, number]
/** A texture with its share in each region. */
export type RegionalTerm = readonly [Texture, readonly number[]]

const AT_ONCE = 8 // textures in one pass
const PAGES = 3 // textures with the shares of four regions each
const pages = [...Array(PAGES).keys()]
const numbers = [...Array(AT_ONCE).keys()]

const VERTEX = /* glsl */ `
out vec2 at;
void main() {
  at = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`

/** `texel` gives that of a texture. */
const sumOf = (texel: (map: string) => string) => /* glsl */ `
precision highp float;
${numbers.map((i) => `uniform sampler2D map${i};`).join('\n')}
uniform float weights[${AT_ONCE}];
in vec2 at;
out vec4 result;
void main() {
  vec3 sum = vec3(0.0);
  ${numbers.map((i) => `if (weights[${i}] != 0.0) sum += weights[${i}] * ${texel(`map${i}`)}.rgb;`).join('\n  ')}
  result = vec4(sum, 1.0);
}`

const SUM = sumOf((map) => `textureLod(${map}, at, 0.0)`)
const SUM_OF_SAME_SIZE = sumOf((map) => `texelFetch(${map}, ivec2(gl_FragCoord.xy), 0)`)

/** The mix of the smooth parts, inside its limits, less the smooth parts of the detail that is shown. */
const CHANGE = /* glsl */ `
precision highp float;
uniform sampler2D mixed;
uniform sampler2D newLow;
uniform sampler2D formerLow;
uniform sampler2D darkest;
uniform sampler2D brightest;
uniform vec2 shares;
out vec4 result;
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy); // all are of one size
  vec3 low = clamp(texelFetch(mixed, here, 0).rgb, texelFetch(darkest, here, 0).rgb, texelFetch(brightest, here, 0).rgb);
  low -= shares.x * texelFetch(newLow, here, 0).rgb;
  if (shares.y != 0.0) low -= shares.y * texelFetch(formerLow, here, 0).rgb;
  result = vec4(low, 1.0);
}`

/** A texture times its share in the regions. `cells`: of the grid that the picture takes, or 1 on the grid itself. */
const IN_REGIONS = /* glsl */ `
precision highp float;
uniform sampler2D map;
${pages.map((i) => `uniform sampler2D page${i};`).join('\n')}
uniform vec4 shares[${PAGES}];
uniform vec2 cells;
in vec2 at;
out vec4 result;
void main() {
  vec2 cell = vec2(at.x * cells.x, 1.0 - (1.0 - at.y) * cells.y);
  float share = 0.0;
  ${pages.map((i) => `share += dot(shares[${i}], textureLod(page${i}, cell, 0.0));`).join('\n  ')}
  result = vec4(share * textureLod(map, at, 0.0).rgb, 1.0);
}`

const flatOf = (bytes: string) => /* glsl */ `
precision highp float;
${TEXTURES}
in vec2 at;
out vec4 result;
void main() {
  vec3 l = textureValue(at, 0.5);
  ${bytes}
  result = vec4(l, 1.0);
}`

/** The mix as the bytes of files have it. */
const FLAT = {
  color: flatOf(`l = clamp(l, 0.0, 1.0);
  l = mix(12.92 * l, 1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l));`),
  normal: flatOf('l = 0.5 + 0.5 * normalize(vec3(l.xy, 1.0));'),
  roughness: flatOf('l = clamp(l, 0.0, 1.0);'),
}
export type MapKind = keyof typeof FLAT

/** The mix as numbers. */
const VALUES = flatOf('')

export class Mix {
  private readonly camera = new OrthographicCamera()
  private readonly scene = new Scene()
  private readonly quad = new Mesh(new PlaneGeometry(2, 2))
  private readonly sum = sumMaterial(SUM)
  private readonly sumOfSameSize = sumMaterial(SUM_OF_SAME_SIZE)
  private readonly less = material(
    CHANGE,
    Object.fromEntries(
      ['mixed', 'newLow', 'formerLow', 'darkest', 'brightest', 'shares'].map((name) => [name, { value: null }]),
    ),
  )
  private readonly inRegions = added(
    material(IN_REGIONS, {
      map: { value: null },
      ...Object.fromEntries(pages.map((i) => [`page${i}`, { value: null }])),
      shares: { value: pages.map(() => new Vector4()) },
      cells: { value: new Vector2(1, 1) },
    }),
  )
  private mixed: WebGLRenderTarget | null = null
  private sharp: WebGLRenderTarget | null = null
  private change: WebGLRenderTarget | null = null
  private plain: WebGLRenderTarget | null = null
  private numbers: WebGLRenderTarget | null = null
  private whole: ShaderMaterial | null = null

  constructor() {
    this.quad.frustumCulled = false
    this.scene.add(this.quad)
  }

  /** How the smooth parts change what the shown detail's pictures have. */
  smooth(renderer: WebGLRenderer, terms: readonly Term[], shown: readonly Term[], limits: Limits | null): Texture {
    const { width, height } = terms[0][0].image as { width: number; height: number }
    this.change = sized(this.change, width, height, false)
    if (!limits) {
      this.add(
        renderer,
        this.sumOfSameSize,
        this.change,
        summed([...terms, ...shown.map(([texture, share]): Term => [texture, -share])]),
      )
      return this.change.texture
    }
    this.mixed = sized(this.mixed, width, height, false)
    this.add(renderer, this.sumOfSameSize, this.mixed, terms)
    this.limit(renderer, shown, limits)
    return this.change.texture
  }

  /** The mix inside its limits, less what is shown. */
  private limit(renderer: WebGLRenderer, shown: readonly Term[], limits: Limits): void {
    const { uniforms } = this.less
    uniforms.mixed.value = this.mixed!.texture
    uniforms.newLow.value = shown[0][0]
    uniforms.formerLow.value = (shown[1] ?? shown[0])[0]
    uniforms.shares.value = [shown[0][1], shown[1]?.[1] ?? 0]
    uniforms.darkest.value = limits.darkest
    uniforms.brightest.value = limits.brightest
    this.draw(renderer, this.less, this.change!)
  }

  /** The same where regions show the details of different textures, or have weights of their own. */
  smoothInRegions(
    renderer: WebGLRenderer,
    terms: readonly RegionalTerm[],
    shown: readonly RegionalTerm[],
    limits: Limits | null,
    shares: readonly Texture[],
  ): Texture {
    const nothing: Term = [terms[0][0], 0]
    if (terms.every(([, parts]) => parts.every((part) => part === parts[0])))
      this.smooth(
        renderer,
        terms.map(([texture, parts]): Term => [texture, parts[0]]),
        [nothing],
        limits,
      )
    else {
      const { width, height } = terms[0][0].image as { width: number; height: number }
      this.change = sized(this.change, width, height, false)
      if (limits) this.mixed = sized(this.mixed, width, height, false)
      const target = limits ? this.mixed! : this.change
      this.clear(renderer, target)
      this.addInRegions(renderer, target, terms, shares, new Vector2(1, 1))
      if (limits) this.limit(renderer, [nothing], limits)
    }
    const less = shown.map(([texture, parts]): RegionalTerm => [texture, parts.map((part) => -part)])
    this.addInRegions(renderer, this.change!, less, shares, new Vector2(1, 1))
    return this.change!.texture
  }

  /** The pictures whose details regions show, each times its share, as one. `extent`: of the cells. */
  sharpInRegions(
    renderer: WebGLRenderer,
    terms: readonly RegionalTerm[],
    shares: readonly Texture[],
    extent: Vector2,
  ): Texture {
    const { width, height } = terms[0][0].image as { width: number; height: number }
    this.sharp = sized(this.sharp, width, height, true)
    this.clear(renderer, this.sharp)
    this.addInRegions(renderer, this.sharp, terms, shares, extent)
    return this.sharp.texture
  }

  /** All textures in one band. */
  plainly(renderer: WebGLRenderer, terms: readonly Term[]): Texture {
    const { width, height } = terms[0][0].image as { width: number; height: number }
    this.plain = sized(this.plain, width, height, true)
    this.add(renderer, this.sum, this.plain, terms)
    return this.plain.texture
  }

  /** The mix as numbers, in one texture. */
  values(renderer: WebGLRenderer, uniforms: TextureUniforms, width: number, height: number): Texture {
    this.numbers = sized(this.numbers, width, height, true)
    this.whole ??= material(VALUES, uniforms)
    this.draw(renderer, this.whole, this.numbers)
    return this.numbers.texture
  }

  /** The texture as it is shown, as bytes of a file (h, w, 4), the top row first. */
  flat(
    renderer: WebGLRenderer,
    uniforms: TextureUniforms,
    width: number,
    height: number,
    kind: MapKind = 'color',
  ): Uint8Array {
    const target = new WebGLRenderTarget(width, height, { type: UnsignedByteType, depthBuffer: false })
    const shader = material(FLAT[kind], uniforms)
    this.draw(renderer, shader, target)
    const pixels = new Uint8Array(4 * width * height)
    renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels)
    target.dispose()
    shader.dispose()
    const upright = new Uint8Array(pixels.length)
    for (let row = 0; row < height; row++)
      upright.set(pixels.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row))
    return upright
  }

  get bytes(): number {
    return [this.mixed, this.change, this.sharp, this.plain, this.numbers].reduce(
      (sum, target) => sum + (target ? 8 * target.width * target.height : 0),
      0,
    )
  }

  /** Let go of what only regions need. */
  dropSharp(): void {
    this.sharp?.dispose()
    this.sharp = null
  }

  /** Let go of the mix as numbers. */
  dropValues(): void {
    this.numbers?.dispose()
    this.numbers = null
  }

  /** Let go of what only a plain mix needs. */
  dropPlain(): void {
    this.plain?.dispose()
    this.plain = null
  }

  private add(renderer: WebGLRenderer, sum: ShaderMaterial, target: WebGLRenderTarget, terms: readonly Term[]): void {
    const mipmaps = target.texture.generateMipmaps
    if (!terms.length) this.clear(renderer, target)
    for (let start = 0; start < terms.length; start += AT_ONCE) {
      const some = terms.slice(start, start + AT_ONCE)
      numbers.forEach((i) => {
        sum.uniforms[`map${i}`].value = (some[i] ?? some[0])[0]
        ;(sum.uniforms.weights.value as number[])[i] = some[i]?.[1] ?? 0
      })
      sum.blending = start === 0 ? NoBlending : CustomBlending
      target.texture.generateMipmaps = mipmaps && start + AT_ONCE >= terms.length
      this.draw(renderer, sum, target)
    }
    target.texture.generateMipmaps = mipmaps
  }

  private addInRegions(
    renderer: WebGLRenderer,
    target: WebGLRenderTarget,
    terms: readonly RegionalTerm[],
    shares: readonly Texture[],
    extent: Vector2,
  ): void {
    const { uniforms } = this.inRegions
    const mipmaps = target.texture.generateMipmaps
    for (const i of pages) uniforms[`page${i}`].value = shares[i] ?? shares[0]
    ;(uniforms.cells.value as Vector2).copy(extent)
    terms.forEach(([texture, parts], place) => {
      uniforms.map.value = texture
      for (const i of pages) {
        const [x = 0, y = 0, z = 0, w = 0] = parts.slice(4 * i, 4 * i + 4)
        ;(uniforms.shares.value as Vector4[])[i].set(x, y, z, w)
      }
      target.texture.generateMipmaps = mipmaps && place === terms.length - 1
      this.draw(renderer, this.inRegions, target)
    })
    target.texture.generateMipmaps = mipmaps
  }

  private clear(renderer: WebGLRenderer, target: WebGLRenderTarget): void {
    renderer.setRenderTarget(target)
    renderer.setClearAlpha(0)
    renderer.clear()
    renderer.setRenderTarget(null)
  }

  private draw(renderer: WebGLRenderer, shader: ShaderMaterial, target: WebGLRenderTarget): void {
    this.quad.material = shader
    renderer.setRenderTarget(target)
    renderer.render(this.scene, this.camera)
    renderer.setRenderTarget(null)
  }
}

/** Each texture once, without those that cancel out. */
export function summed(terms: readonly Term[]): Term[] {
  const weights = new Map<Texture, number>()
  for (const [texture, weight] of terms) weights.set(texture, (weights.get(texture) ?? 0) + weight)
  return [...weights].filter(([, weight]) => weight !== 0)
}

function sumMaterial(fragmentShader: string): ShaderMaterial {
  const maps = Object.fromEntries(numbers.map((i) => [`map${i}`, { value: null }]))
  const made = material(fragmentShader, { weights: { value: new Array<number>(AT_ONCE).fill(0) }, ...maps })
  return added(made)
}

/** What it draws is added to what is there, where its blending is `CustomBlending`. */
function added(made: ShaderMaterial): ShaderMaterial {
  made.blending = CustomBlending
  made.blendEquation = AddEquation
  made.blendSrc = made.blendDst = OneFactor
  return made
}

function material(fragmentShader: string, uniforms: ShaderMaterial['uniforms']): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader,
    uniforms,
    depthTest: false,
    depthWrite: false,
  })
}

function sized(known: WebGLRenderTarget | null, width: number, height: number, mipmaps: boolean): WebGLRenderTarget {
  if (known?.width === width && known.height === height) return known
  known?.dispose()
  const wrap = mipmaps ? RepeatWrapping : ClampToEdgeWrapping
  const minFilter = mipmaps ? LinearMipmapLinearFilter : LinearFilter
  return new WebGLRenderTarget(width, height, {
    type: HalfFloatType,
    depthBuffer: false,
    generateMipmaps: mipmaps,
    minFilter,
    magFilter: LinearFilter,
    wrapS: wrap,
    wrapT: wrap,
    anisotropy: mipmaps ? anisotropy() : 1,
  })
}
