/** The rig's workbench: its shapes and sliders are listed and edited. */
import { shapes } from '../../core/document'
import { tool } from '../../core/view'
import type { Feature } from '../feature'
import { openShapeFile } from './shapes/actions'
import { DeleteDialog } from './shapes/DeleteDialog'
import { deciding, deleting, followDecisions, isOpen, offsets, shapeFile, split } from './shapes/state'
import './rig.css'
import { RigTab } from './RigTab'
import { viewport } from '../../scene/current'
import { chosenShape, part } from './state'
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
    State({ correctives: changed, shape_file }) {
      if (changed) correctives.value = changed
      if (shape_file !== undefined) shapeFile.value = shape_file
    },
  },
  frames: {
    ShapeChange: (frame) => viewport.value?.changeShape(frame),
    SplitField(frame) {
      split.value = frame
    },
    OffsetField(frame) {
      offsets.value = frame
    },
  },
  files: {
    claims: (kind) => kind === 'rig' && isOpen.value,
    open: (files) => openShapeFile(files[0]),
    words: () => (isOpen.value ? 'Drop a sculpt or another rig to take shapes from it' : ''),
  },
  remembered: { rigPart: part, chosenShape, touch },
  watched: {
    get shapes() {
      return shapes.value.map((each) => ({ ...each }))
    },
    get shapeFile() {
      return shapeFile.value && { ...shapeFile.value }
    },
    get correctives() {
      return correctives.value.map((each) => ({ ...each }))
    },
  },
  deselect() {
    if (deciding.value) deciding.value = ''
    else chosenShape.value = ''
    walk.value = null
  },
  start() {
    showPartColors()
    followDecisions()
  },
}
