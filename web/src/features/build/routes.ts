/** What the page fetches and sends about a build. */
import { keyed } from '../../core/key'
import type { BuildFace, Taken } from '../../core/protocol.gen'
import { answer, fetchFrame } from '../../core/routes'
import { meshData, type MeshData, type PosedMesh } from '../../scene/stage/preview'

export type Role = 'neutral' | 'pose'

/** Where a face is from: a file of this computer, a path below a named folder, an embedded person, the open document. */
export type Source = { file: File } | { path: string } | { person: string } | { open: true }

export async function giveFace(role: Role, source: Source): Promise<string[]> {
  const query = new URLSearchParams()
  if ('file' in source) query.set('name', source.file.name)
  else for (const [key, value] of Object.entries(source)) query.set(key, String(value))
  const body = 'file' in source ? source.file : undefined
  const taken = (
    await answer(await fetch(keyed(`/api/upload/${role}?${query}`), { method: 'POST', body }))
  ).json() as Promise<Taken>
  return (await taken).names
}

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
