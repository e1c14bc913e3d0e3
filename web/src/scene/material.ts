/** Materials of the face and of what is drawn around it. All share the face's moves. */
import {
  Color,
  DoubleSide,
  GLSL3,
  Matrix4,
  ShaderMaterial,
  Vector3,
  type DataTexture,
  type DepthTexture,
  type IUniform,
} from 'three'
import { drawsInSoftware } from './card'
import type { TextureUniforms } from './textures/shader'
import type { LightingUniforms } from './lighting'
import { linear, type Surface } from './palette'
import {
  DEPTH_FRAGMENT,
  DOT_FRAGMENT,
  FACE_FRAGMENT,
  FACE_VERTEX,
  GHOST_FRAGMENT,
  LINE_FRAGMENT,
  PLAIN_VERTEX,
} from './shaders'

/** What moves a vertex. */
export interface Own {
  moves: IUniform<DataTexture>
  values: IUniform<DataTexture>
  rows: IUniform<number>
  shapes: IUniform<number>
  shares: IUniform<DataTexture>
  stiff: IUniform<Matrix4[]>
  stiffOn: IUniform<boolean[]>
  followed: IUniform<boolean> // vertices follow joints of head and neck by their shares
  fromHead: IUniform<Matrix4>
  toNeck: IUniform<Matrix4>
  toEyes: IUniform<Matrix4[]> // by how much joints of the left and the right eye move a place
}

/** Whether regions are shown, and whether one is chosen. */
export interface Picking {
  painted: IUniform<number>
  chosen: IUniform<number>
}

export interface Shared extends Own, Picking {
  shadow: IUniform<DepthTexture>
  toShadow: IUniform<Matrix4>
  textures: TextureUniforms
  lighting: LightingUniforms
}

export function faceMaterial(surface: Surface, { textures, lighting, ...shared }: Shared): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: FACE_VERTEX,
    fragmentShader: FACE_FRAGMENT,
    side: DoubleSide,
    defines: { ...posed(), ...(surface.iris && { IRIS: 1 }) }, // the processor would compute an iris everywhere
    uniforms: {
      ...shared,
      ...textures,
      ...lighting,
      hasTextures: { value: false },
      color: { value: new Vector3(...linear(surface.color)) },
      creep: { value: new Vector3(...surface.creep) },
      shine: { value: surface.shine },
      baseRoughness: { value: surface.roughness },
      textured: { value: false },
      map: { value: null },
      opacity: { value: 1 },
      cutoff: { value: -1 },
    },
    polygonOffset: true, // lines and ghosts of the same surface lie in front
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  })
}

/** Without a graphics card the page poses the vertices, once for all passes, and with the shapes that are not at 0 alone. */
const posed = (): Record<string, number> => (drawsInSoftware() ? { POSED: 1 } : {})

function plain(own: Own, fragmentShader: string, extra: Record<string, IUniform>): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: PLAIN_VERTEX,
    fragmentShader,
    defines: posed(),
    transparent: true,
    depthWrite: false,
    uniforms: { ...own, dot_size: { value: 1 }, lift: { value: 0 }, ...extra },
  })
}

const tint = (color: string) => {
  const { r, g, b } = new Color(color).convertLinearToSRGB()
  return { value: new Vector3(r, g, b) }
}

export function ghostMaterial(own: Own, color: string): ShaderMaterial {
  const made = plain(own, GHOST_FRAGMENT, { tint: tint(color) })
  made.defines = {} // of another pose than the face's
  made.polygonOffset = true // hidden where the face has not moved
  made.polygonOffsetFactor = 2
  made.polygonOffsetUnits = 8
  return made
}

export const lineMaterial = (own: Own, color: string, strength: number) =>
  plain(own, LINE_FRAGMENT, { tint: tint(color), strength: { value: strength }, lift: { value: 0.0002 } })

export const dotMaterial = (own: Own, color: string) =>
  plain(own, DOT_FRAGMENT, { tint: tint(color), lift: { value: 0.002 } })

export function depthMaterial(own: Own): ShaderMaterial {
  const made = plain(own, DEPTH_FRAGMENT, {})
  made.transparent = false
  made.depthWrite = true
  made.side = DoubleSide
  return made
}
