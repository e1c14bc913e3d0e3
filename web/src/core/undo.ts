/** Undo and redo: of the document or, while a tab with a history of its own is open, of that. */
import { computed, signal, type ReadonlySignal } from '@preact/signals'
import { history } from './document'
import { send } from './server'

/** What would be undone and what done again, as the menu says it; '' where there is nothing. */
export interface Undoable {
  session: 'document' | 'build'
  undo: string
  redo: string
}

const ofDocument = computed<Undoable>(() => {
  const { labels, at } = history.value
  return { session: 'document', undo: labels[at - 1] ?? '', redo: labels[at] ?? '' }
})

/** Histories besides the document's, each null while it is not shown. */
export const histories = signal<readonly ReadonlySignal<Undoable | null>[]>([])

export const undoable = computed<Undoable>(
  () => histories.value.map((each) => each.value).find((each) => each !== null) ?? ofDocument.value,
)

export const undo = () => void send({ type: 'Undo', session: undoable.value.session })
export const redo = () => void send({ type: 'Redo', session: undoable.value.session })
