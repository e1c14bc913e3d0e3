/** What the page fetches and sends about a build. */
import { keyed } from '../../core/key'
import type { BuildFace } from '../../core/protocol.gen'
import { fetchFrame } from '../../core/routes'
import { meshData, type MeshData, type PosedMesh } from '../../scene/stage/preview'

export type Role = 'neutral' | 'pose'

export async function buildMesh(face: BuildFace): Promise<MeshData> {
  return meshData(await fetchFrame('Geometry', `/api/build/face/${face.id}`), face.parts)
}

/** An example, and once it is solved the rig's version of it with how far (v,) they are apart. */
export interface Compared {
  example: PosedMesh
  version: (PosedMesh & { distances: Float32Array }) | null
}

export async function comparedPose(view: string): Promise<Compared> {
  const { arrays } = await fetchFrame('BuiltPose', `/api/build/pose/${view}`)
  const { example, example_normals, version, version_normals, distances } = arrays
  return {
    example: { positions: example, normals: example_normals },
    version:
      version && version_normals && distances ? { positions: version, normals: version_normals, distances } : null,
  }
}

export const pictureAddress = (view: string) => keyed(`/api/build/picture/${view}`)
export const REPORT = '/api/build/report'
