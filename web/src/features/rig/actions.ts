/** What can be done with the shapes of the rig. */
import { shapes } from '../../core/document'
import { edit } from '../../core/server'
import { chosenShape, deleting } from './state'

export const chooseShape = (name: string) => {
  chosenShape.value = chosenShape.value === name ? '' : name
}

/** Rename a shape; it stays chosen. */
export async function renameShape(from: string, name: string): Promise<void> {
  const wanted = name.trim()
  if (!wanted || wanted === from) return
  const was = chosenShape.value === from
  if ((await edit({ type: 'RenameShape', shape: from, name: wanted })) && was) chosenShape.value = wanted
}

export const duplicateShape = (shape: string) => edit({ type: 'DuplicateShape', shape })

/** Delete a shape; where something depends on it the user is asked first. */
export function deleteShape(name: string): void {
  if (shapes.value.find((each) => each.name === name)?.used) deleting.value = name
  else void edit({ type: 'DeleteShape', shape: name })
}

export function deleteWithUses(): void {
  void edit({ type: 'DeleteShape', shape: deleting.value, uses: true })
  deleting.value = ''
}
