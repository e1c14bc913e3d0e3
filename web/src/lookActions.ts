/** Giving the face pictures: at rest, for shapes, or of what never changes. */
import { signal } from '@preact/signals'
import { bringPicture, type PictureKind } from './routes'
import { shapeNamed } from './shapeName'
import { look, rig, welcome } from './state/document'
import { busy, complain, say } from './state/toasts'
import { tab } from './state/view'

const KINDS = ['.png', '.jpg', '.jpeg', '.webp', '.ktx2']

/** A picture of which it is not known yet where it belongs. */
export const offered = signal<File | null>(null)

export const isPicture = (file: File) => KINDS.some((suffix) => file.name.toLowerCase().endsWith(suffix))

/** A picture that somebody dropped: the first is the face at rest, others go where their name says, or ask. */
export function offerPicture(file: File): void {
  tab.value = 'look'
  const shape = shapeNamed(file.name, rig.value?.shapes.map(({ name }) => name) ?? [])
  if (!look.value) return void give(file, 'neutral')
  if (shape) return void give(file, 'map', [shape])
  if (/mask/i.test(file.name)) return void give(file, 'mask')
  offered.value = file
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
