/** What the page fetches and sends about a build. */
import { floats, unpack } from '../../core/frames'
import type { BuildFace, Taken } from '../../core/protocol.gen'
import { answer } from '../../core/routes'
import { meshData, type MeshData, type Stance } from '../../scene/stage/preview'

export type Role = 'neutral' | 'pose'

/** Where a face is from: a file of this computer, a path below a named folder, an embedded person, the open document. */
export type Source = { file: File } | { path: string } | { person: string } | { open: true }

export async function giveFace(role: Role, source: Source): Promise<string[]> {
  const query = new URLSearchParams({ role })
  if ('file' in source) query.set('name', source.file.name)
  else for (const [key, value] of Object.entries(source)) query.set(key, String(value))
  const body = 'file' in source ? source.file : undefined
  const taken = (
    await answer(await fetch(`/api/build/faces?${query}`, { method: 'POST', body }))
  ).json() as Promise<Taken>
  return (await taken).names
}

async function frame(address: string) {
  return unpack(await (await answer(await fetch(address))).arrayBuffer())
}

export async function buildMesh(face: BuildFace): Promise<MeshData> {
  const found = await frame(`/api/build/face/${face.id}`)
  if (found.header.type !== 'Geometry') throw new Error('The server sent something else than a face; reload the page.')
  return meshData({ header: found.header, arrays: found.arrays }, face.parts)
}

/** An example, and where it is solved the rig's version of it with how far (v,) they are apart. */
export interface Compared {
  example: Stance
  version: Stance | null
  distances: Float32Array
}

export async function comparedPose(view: string): Promise<Compared> {
  const found = await frame(`/api/build/pose/${view}`)
  if (found.header.type !== 'BuiltPose') throw new Error('The server sent something else than a pose; reload the page.')
  const stance = (name: string): Stance => ({
    positions: floats(found, name),
    normals: floats(found, `${name}_normals`),
  })
  return {
    example: stance('example'),
    version: found.arrays.version ? stance('version') : null,
    distances: floats(found, 'distances'),
  }
}

export const pictureAddress = (view: string) => `/api/build/picture/${view}`
export const REPORT = '/api/build/report'
