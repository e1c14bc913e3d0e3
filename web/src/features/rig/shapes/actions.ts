/** What can be done with the shapes of the rig. */
import { shapes } from '../../../core/document'
import { keyed } from '../../../core/key'
import { answer } from '../../../core/routes'
import { act, edit } from '../../../core/server'
import { busy, complain } from '../../../core/toasts'
import { tab } from '../../../core/view'
import { chosenShape, part } from '../state'
import { deciding, deleting, fileChosen, fileFilter } from './state'

export const chooseShape = (name: string) => {
  chosenShape.value = chosenShape.value === name ? '' : name
}

/** Rename a shape; it stays chosen. False: it has the name that it had. */
export async function renameShape(from: string, name: string): Promise<boolean> {
  const wanted = name.trim()
  if (!wanted || wanted === from) return false
  const was = chosenShape.value === from
  const done = await edit({ type: 'RenameShape', shape: from, name: wanted })
  if (done && was) chosenShape.value = wanted
  return done
}

export const duplicateShape = (shape: string) => edit({ type: 'DuplicateShape', shape })

/** Delete a shape; where something depends on it the user is asked first. */
export function deleteShape(name: string): void {
  if (shapes.value.find((each) => each.name === name)?.dependent.length) deleting.value = name
  else void edit({ type: 'DeleteShape', shape: name })
}

export function deleteWithUses(): void {
  void edit({ type: 'DeleteShape', shape: deleting.value, uses: true })
  deleting.value = ''
}

/** Move a shape by some places in the list, as far as that goes. */
export function moveShape(name: string, by: 1 | -1): void {
  const names = shapes.value.map((each) => each.name)
  const at = names.indexOf(name)
  const to = at + by
  if (at < 0 || to < 0 || to >= names.length) return
  moveBefore(name, by < 0 ? names[to] : (names[to + 1] ?? ''))
}

/** Move a shape in front of another one; '': to the end. */
export function moveBefore(name: string, before: string): void {
  if (name !== before) void edit({ type: 'MoveShape', shape: name, before })
}

/** Do what was decided, and decide no more if it was done. */
export async function decide(done: Promise<boolean>, choose?: string): Promise<void> {
  if (!(await done)) return
  deciding.value = ''
  if (choose !== undefined) chosenShape.value = choose
}

/** A name that no shape has: the given one, or with the first number that is free. */
export function freeName(name: string): string {
  const taken = new Set(shapes.value.map((each) => each.name))
  let [free, number] = [name, 2]
  while (taken.has(free)) free = `${name}${number++}`
  return free
}

/** Read a sculpt or a rig to take shapes from. */
export async function openShapeFile(file: File): Promise<void> {
  tab.value = 'rig'
  part.value = 'shapes'
  fileFilter.value = ''
  fileChosen.value = []
  busy.value = `Reading ${file.name}`
  try {
    const address = keyed(`/api/upload/shapes?name=${encodeURIComponent(file.name)}`)
    await answer(await fetch(address, { method: 'POST', body: file }))
  } catch (problem) {
    complain(problem)
  } finally {
    busy.value = ''
  }
}

export const closeShapeFile = () => act({ type: 'CloseShapeFile' })
