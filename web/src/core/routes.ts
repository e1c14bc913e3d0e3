/** What the page fetches and sends without the socket. */
import { decodeAs, type Frame, type FrameOf } from './frames'
import { keyed } from './key'
import type { FileList, Problem, RecognisedFile, SampleList, Taken, Uploaded } from './protocol.gen'

export type How = 'new' | 'keep' | 'clips'

/** The response, if the server carried out what was asked. */
export async function answer(response: Response): Promise<Response> {
  if (response.ok) return response
  const problem = (await response.json().catch(() => null)) as Problem | null
  throw new Error(problem?.problem ?? `The server answered ${response.status}; open the address it printed again.`)
}

async function json<T>(address: string): Promise<T> {
  return (await answer(await fetch(keyed(address)))).json() as Promise<T>
}

/** The frame of a type that an address answers with. */
export async function fetchFrame<T extends Frame['type']>(type: T, address: string): Promise<FrameOf<T>> {
  return decodeAs(type, await (await answer(await fetch(keyed(address)))).arrayBuffer())
}

export const samples = () => json<SampleList>('/api/samples')
export const files = () => json<FileList>('/api/files')
export const joints = () => json<string[]>('/api/joints')
export const geometry = (rig: string) => fetchFrame('Geometry', `/api/geometry/${encodeURIComponent(rig)}`)

const HEAD = 1 << 20 // bytes by which most files are known

async function recognise(file: File, part: Blob): Promise<RecognisedFile> {
  const address = `/api/kind?name=${encodeURIComponent(file.name)}&size=${file.size}`
  return (await answer(await fetch(keyed(address), { method: 'POST', body: part }))).json() as Promise<RecognisedFile>
}

/** What a file holds. */
export async function recognised(file: File): Promise<RecognisedFile> {
  const found = await recognise(file, file.slice(0, HEAD))
  return found.whole ? recognise(file, file) : found
}

/** Open a file; `scan`: as a depth or scan sequence, whatever else it could be. */
export async function upload(file: File, how: How, scan = false): Promise<Uploaded> {
  const address = `/api/upload?name=${encodeURIComponent(file.name)}&how=${how}${scan ? '&as=scan' : ''}`
  return (await answer(await fetch(keyed(address), { method: 'POST', body: file }))).json() as Promise<Uploaded>
}

/** A file of a folder, and where in it: neutral.obj, shapes/smile.obj. */
export interface FolderFile {
  file: File
  path: string
}

/** Open the files of a folder as one rig, or as a sequence: a line that lists them, then their bytes. */
export async function uploadFolder(
  name: string,
  files: readonly FolderFile[],
  how: How,
  scan = false,
): Promise<Uploaded> {
  const address = `/api/upload-folder?name=${encodeURIComponent(name)}&how=${how}${scan ? '&as=scan' : ''}`
  const list = JSON.stringify(files.map(({ file, path }) => ({ name: path, size: file.size })))
  const body = new Blob([`${list}\n`, ...files.map(({ file }) => file)])
  return (await answer(await fetch(keyed(address), { method: 'POST', body }))).json() as Promise<Uploaded>
}

/** Where a face is from: a file of this computer, a path below a named folder, an embedded person, the open document. */
export type Source = { file: File } | { path: string } | { person: string } | { open: true }

/** Give the server a face in a role, such as the neutral of a build. Gives the names that it has there. */
export async function giveFace(role: string, source: Source): Promise<string[]> {
  const query = new URLSearchParams()
  if ('file' in source) query.set('name', source.file.name)
  else for (const [key, value] of Object.entries(source)) query.set(key, String(value))
  const body = 'file' in source ? source.file : undefined
  const taken = (
    await answer(await fetch(keyed(`/api/upload/${role}?${query}`), { method: 'POST', body }))
  ).json() as Promise<Taken>
  return (await taken).names
}

export const character = (rig: string) => fetchFrame('CharacterMeshes', `/api/character/${encodeURIComponent(rig)}`)
export const carriedTextureAddress = (rig: string, image: number) =>
  keyed(`/api/character_texture/${encodeURIComponent(rig)}/${image}`)
export const textureAddress = (rig: string, image: number) => keyed(`/api/texture/${encodeURIComponent(rig)}/${image}`)

/** Let the browser keep what an address gives. */
export async function download(address: string, name: string): Promise<void> {
  keep(await (await answer(await fetch(keyed(address)))).blob(), name)
}

export function keep(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export const picture = async (id: string) => (await answer(await fetch(keyed(`/api/textures/picture/${id}`)))).blob()
export const lowBand = (key: string) => fetchFrame('LowBand', `/api/textures/low/${key}`)
export const detailShares = (regions: string) => fetchFrame('DetailShares', `/api/textures/regions/${regions}`)
export const lowLimits = (textures: string) => fetchFrame('LowLimits', `/api/textures/limits/${textures}`)
