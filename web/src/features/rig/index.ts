/** The rig's workbench: its shapes and sliders are listed and edited. */
import { shapes } from '../../core/document'
import { tool } from '../../core/view'
import type { Feature } from '../feature'
import { DeleteDialog } from './DeleteDialog'
import './rig.css'
import { RigTab } from './RigTab'
import { viewport } from '../../scene/current'
import { chosenShape, deleting, part } from './state'
import { TOOL, toggleTouch, touchTool } from './touch/tool'
import { TouchLayer } from './touch/TouchLayer'
import { touch } from './touch/state'
import { showPartColors } from './colors'
import { correctives, walk } from './correctives/state'

export const rig: Feature = {
  name: 'rig',
  tab: { key: 'rig', label: 'Rig', tip: 'Edit the shapes and sliders of the rig' },
  sections: [{ tab: 'rig', Body: RigTab }],
  dialogs: [{ isOpen: () => deleting.value !== '', Body: DeleteDialog }],
  tools: [touchTool],
  layers: [TouchLayer],
  shortcuts: [
    { group: 'Rig', keys: 'Escape', does: 'Put the brush away', when: () => tool.value === TOOL, run: toggleTouch },
  ],
  messages: {
    State({ correctives: changed }) {
      if (changed) correctives.value = changed
    },
  },
  frames: {
    ShapeChange: (frame) => viewport.value?.changeShape(frame),
  },
  remembered: { rigPart: part, chosenShape, touch },
  watched: {
    get shapes() {
      return shapes.value.map((each) => ({ ...each }))
    },
    get correctives() {
      return correctives.value.map((each) => ({ ...each }))
    },
  },
  deselect() {
    chosenShape.value = ''
    walk.value = null
  },
  start: showPartColors,
}
