/** Giving the face pictures: of the face at rest, of expressions, of what never changes. */
import { rig, textures, welcome } from '../../core/document'
import { keyed } from '../../core/key'
import { answer } from '../../core/routes'
import { busy, complain, say } from '../../core/toasts'
import { tab } from '../../core/view'
import { shapeNamed } from './shapeName'
import { offered } from './state'

export type PictureKind = 'neutral' | 'map' | 'mask'

export const TAB = 'textures'

export const thumbAddress = (id: string) => keyed(`/api/textures/thumb/${id}`)

let last: Promise<void> = Promise.resolve()

/** Place pictures that were dropped, one after the other: where one belongs depends on those before it. */
export function placePictures(files: readonly File[]): Promise<void> {
  tab.value = TAB
  for (const file of files) last = last.then(() => place(file))
  return last
}

/** The first picture is of the face at rest; others go where their name says, or the user is asked. */
async function place(file: File): Promise<void> {
  const shape = shapeNamed(file.name, rig.value?.shapes.map(({ name }) => name) ?? [])
  if (!textures.value) await give(file, 'neutral')
  else if (shape) await give(file, 'map', [shape])
  else if (/mask/i.test(file.name)) await give(file, 'mask')
  else offered.value = [...offered.value, file]
}

/** Give the face a picture; one of kind `map` comes in with some shapes. */
export async function give(file: File, kind: PictureKind, shapes: readonly string[] = []): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (file.size > limit) return say(`${file.name} is larger than ${Math.round(limit / 1e6)} MB.`, 'problem')
  busy.value = `Loading ${file.name}`
  const query = new URLSearchParams([['kind', kind], ['name', file.name], ...shapes.map((shape) => ['shape', shape])])
  try {
    await answer(await fetch(keyed(`/api/upload/texture?${query}`), { method: 'POST', body: file }))
  } catch (problem) {
    complain(problem)
  } finally {
    busy.value = ''
  }
}
