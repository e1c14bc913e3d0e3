/** Normals and roughness of expressions in a pose: each mixed as colours are, then one texture that the face shows. */
import type { WebGLRenderer } from 'three'
import type { TexturesInfo } from '../../core/protocol.gen'
import type { DetailBy } from './detail'
import type { TextureUniforms } from './shader'
import { TextureSet } from './textureSet'

const KINDS = ['normal', 'roughness'] as const
export type SurfaceKind = (typeof KINDS)[number]

export class SurfaceMaps {
  readonly sets: Record<SurfaceKind, TextureSet>

  /** uniforms: of the face's material. */
  constructor(
    private readonly uniforms: TextureUniforms,
    ask: () => void,
    failed: (problem: unknown) => void,
  ) {
    this.sets = {
      normal: new TextureSet(ask, failed, 'normal'),
      roughness: new TextureSet(ask, failed, 'roughness'),
    }
  }

  /** Show the maps of these textures from now on; null: none. */
  use(info: TexturesInfo | null): void {
    for (const kind of KINDS) this.sets[kind].use(info?.surfaces.find((one) => one.kind === kind) ?? null)
  }

  pose(values: Float32Array, shapes: number): void {
    for (const kind of KINDS) this.sets[kind].pose(values, shapes)
  }

  detailBy(by: DetailBy): void {
    for (const kind of KINDS) this.sets[kind].set('bands', 0, by)
  }

  /** Whether all that the pose needs has come. */
  get complete(): boolean {
    return KINDS.every((kind) => this.sets[kind].complete)
  }

  /** Update everything before a frame is drawn. Gives whether a fade goes on. */
  prepare(renderer: WebGLRenderer, now: number): boolean {
    const told = {
      normal: this.sets.normal.prepare(renderer, 1, now),
      roughness: this.sets.roughness.prepare(renderer, 1, now),
    }
    const { uniforms } = this
    uniforms.surfaceSlopes.value = told.normal.ready ? this.sets.normal.values(renderer) : null
    uniforms.surfaceRoughness.value = told.roughness.ready ? this.sets.roughness.values(renderer) : null
    uniforms.hasSlopes.value = uniforms.surfaceSlopes.value !== null
    uniforms.hasRoughness.value = uniforms.surfaceRoughness.value !== null
    return told.normal.moving || told.roughness.moving
  }
}
