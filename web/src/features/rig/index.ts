/** The rig's workbench: its shapes and sliders are listed and edited. */
import { shapes } from '../../core/document'
import type { Feature } from '../feature'
import { DeleteDialog } from './DeleteDialog'
import './rig.css'
import { RigTab } from './RigTab'
import { chosenShape, deleting, part } from './state'

export const rig: Feature = {
  name: 'rig',
  tab: { key: 'rig', label: 'Rig', tip: 'Edit the shapes and sliders of the rig' },
  sections: [{ tab: 'rig', Body: RigTab }],
  dialogs: [{ isOpen: () => deleting.value !== '', Body: DeleteDialog }],
  remembered: { rigPart: part, chosenShape },
  watched: {
    get shapes() {
      return shapes.value.map((each) => ({ ...each }))
    },
  },
  deselect() {
    chosenShape.value = ''
  },
}
