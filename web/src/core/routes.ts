/** What the page fetches and sends without the socket. */
import { unpack } from './frames'
import type { FileList, Problem, SampleList, Uploaded } from './protocol.gen'

export type How = 'new' | 'keep' | 'clips'

export async function answer(response: Response): Promise<Response> {
  if (response.ok) return response
  const problem = (await response.json().catch(() => null)) as Problem | null
  throw new Error(problem?.problem ?? `The server answered ${response.status}; open the address it printed again.`)
}

async function json<T>(address: string): Promise<T> {
  return (await answer(await fetch(address))).json() as Promise<T>
}

export const samples = () => json<SampleList>('/api/samples')
export const files = () => json<FileList>('/api/files')

export async function geometry(rig: string) {
  const response = await answer(await fetch(`/api/geometry/${encodeURIComponent(rig)}`))
  const frame = unpack(await response.arrayBuffer())
  if (frame.header.type !== 'Geometry')
    throw new Error('The server sent something else than geometry; reload the page.')
  return { header: frame.header, arrays: frame.arrays }
}

/** Positions of the take's markers. */
export async function takeTable(take: string) {
  const response = await answer(await fetch(`/api/take/${encodeURIComponent(take)}`))
  const frame = unpack(await response.arrayBuffer())
  if (frame.header.type !== 'TakeTable') throw new Error('The server sent something else than a take; reload the page.')
  return { header: frame.header, arrays: frame.arrays }
}

export async function upload(file: File, how: How): Promise<Uploaded> {
  const address = `/api/upload?name=${encodeURIComponent(file.name)}&how=${how}`
  return (await answer(await fetch(address, { method: 'POST', body: file }))).json() as Promise<Uploaded>
}

export const textureAddress = (rig: string, image: number) => `/api/texture/${encodeURIComponent(rig)}/${image}`

/** Let the browser keep what an address gives. */
export async function download(address: string, name: string): Promise<void> {
  keep(await (await answer(await fetch(address))).blob(), name)
}

export function keep(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** What lies under an id or a name. */
async function lookFrame(address: string) {
  return unpack(await (await answer(await fetch(`/api/look/${address}`))).arrayBuffer())
}

export const picture = async (id: string) => (await answer(await fetch(`/api/look/picture/${id}`))).blob()
export const thumbAddress = (id: string) => `/api/look/thumb/${id}`

export async function lowBand(key: string) {
  const frame = await lookFrame(`low/${key}`)
  if (frame.header.type !== 'LowBand')
    throw new Error('The server sent something else than a texture; reload the page.')
  return { header: frame.header, arrays: frame.arrays }
}

export async function lowLimits(look: string) {
  const frame = await lookFrame(`limits/${look}`)
  if (frame.header.type !== 'LowLimits')
    throw new Error('The server sent something else than a texture; reload the page.')
  return { header: frame.header, arrays: frame.arrays }
}

export type PictureKind = 'neutral' | 'map' | 'mask'

/** Give the face a picture: at rest, for some shapes, or of what never changes. */
export async function bringPicture(file: File, kind: PictureKind, shapes: readonly string[] = []): Promise<void> {
  const query = new URLSearchParams([['kind', kind], ['name', file.name], ...shapes.map((shape) => ['shape', shape])])
  await answer(await fetch(`/api/look?${query}`, { method: 'POST', body: file }))
}
