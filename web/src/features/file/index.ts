/** Opening, saving and exporting files. */
import { file as current } from '../../core/document'
import { conflict, followFilms } from '../../core/files'
import type { Feature } from '../feature'
import { ExportDialog } from './ExportDialog'
import { FileBar } from './FileBar'
import { OpenDialog } from './OpenDialog'
import { ReplaceDialog } from './ReplaceDialog'
import { SaveDialog } from './SaveDialog'
import { exporting, opening, saveOrAsk, saving } from './state'

export const file: Feature = {
  name: 'file',
  bar: { side: 'left', Body: FileBar },
  start: followFilms,
  dialogs: [
    { isOpen: () => opening.value, Body: OpenDialog },
    { isOpen: () => saving.value, Body: SaveDialog },
    { isOpen: () => exporting.value !== null, Body: ExportDialog },
    { isOpen: () => conflict.value !== null, Body: ReplaceDialog },
  ],
  shortcuts: [
    { group: 'Work', keys: 'Ctrl+S', does: 'Save', run: saveOrAsk },
    { group: 'Work', keys: 'Ctrl+O', does: 'Open a face', run: () => void (opening.value = true) },
  ],
  watched: {
    get file() {
      return { ...current.value }
    },
  },
}
