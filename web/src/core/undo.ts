/** Taking back and doing again: of the document or, while a rig is built, of what was decided about that. */
import { computed } from '@preact/signals'
import { build, building } from '../features/build/state'
import { history } from './document'
import { tell } from './server'

/** What would be taken back and what done again; '' where there is nothing. */
export const undoable = computed(() => {
  if (building.value) return { undo: build.value?.undo ?? '', redo: build.value?.redo ?? '' }
  const { labels, at } = history.value
  return { undo: labels[at - 1] ?? '', redo: labels[at] ?? '' }
})

export const undo = () => tell({ type: building.value ? 'UndoBuild' : 'Undo' })
export const redo = () => tell({ type: building.value ? 'RedoBuild' : 'Redo' })
