/** Giving the face pictures: at rest, for shapes, or of what never changes. */
import { signal } from '@preact/signals'
import { bringPicture, type PictureKind } from '../../core/routes'
import { shapeNamed } from './shapeName'
import { look, rig, welcome } from '../../core/document'
import { busy, complain, say } from '../../core/toasts'
import { tab } from '../../core/view'

const KINDS = ['.png', '.jpg', '.jpeg', '.webp', '.ktx2']

/** Pictures of which it is not known yet where they belong. */
export const offered = signal<File[]>([])
let last: Promise<void> = Promise.resolve()

export const isPicture = (file: File) => KINDS.some((suffix) => file.name.toLowerCase().endsWith(suffix))

/** A picture that somebody dropped: the first is the face at rest, others go where their name says, or ask. */
export function offerPicture(file: File): void {
  tab.value = 'look'
  last = last.then(() => place(file))
}

function place(file: File): Promise<void> {
  const shape = shapeNamed(file.name, rig.value?.shapes.map(({ name }) => name) ?? [])
  if (!look.value) return give(file, 'neutral')
  if (shape) return give(file, 'map', [shape])
  if (/mask/i.test(file.name)) return give(file, 'mask')
  offered.value = [...offered.value, file]
  return Promise.resolve()
}

export async function give(file: File, kind: PictureKind, shapes: readonly string[] = []): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (file.size > limit) return say(`${file.name} is larger than ${Math.round(limit / 1e6)} MB.`, 'problem')
  busy.value = `Putting on ${file.name}`
  try {
    await bringPicture(file, kind, shapes)
  } catch (problem) {
    complain(problem)
  } finally {
    busy.value = ''
  }
}
