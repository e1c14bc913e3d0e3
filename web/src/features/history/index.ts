/** Undo, redo, and the list of what was done. */
import { history as current } from '../../core/document'
import { redo, undo } from '../../core/undo'
import type { Feature } from '../feature'
import { HistorySection } from './HistorySection'

export const history: Feature = {
  name: 'history',
  sections: [{ tab: '*', Body: HistorySection }],
  shortcuts: [
    { group: 'Work', keys: 'Ctrl+Z', does: 'Undo', run: undo },
    { group: 'Work', keys: 'Ctrl+Shift+Z', does: 'Redo', run: redo },
  ],
  watched: {
    get history() {
      return { ...current.value }
    },
  },
}
