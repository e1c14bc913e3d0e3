/** Posing: pins are set on the face and dragged. */
import { effect } from '@preact/signals'
import { drag } from '../../core/document'
import { before, dragging, misses } from '../../core/pose'
import { livePins, selectedPins } from '../../core/selection'
import { act } from '../../core/server'
import { flip } from '../../core/shortcuts'
import { ghost, tool } from '../../core/view'
import { face, viewport } from '../../scene/current'
import type { Feature } from '../feature'
import { deletePins, mirrorPins, toggleFree, toggleHold } from './actions'
import { DragSection } from './DragSection'
import { PinLayer } from './PinLayer'
import { PinsSection } from './PinsSection'
import { symmetric } from './state'
import { poseTool } from './tool'
import './pose.css'

const setDamping = () => act({ type: 'SetDragOptions', method: drag.value.method, damped: !drag.value.damped })

/** Show the pose before the drag as a ghost, as long as the drag lasts. */
function showGhost(): void {
  effect(() => {
    face.value?.show('ghost', ghost.value && dragging.value ? before.value : null)
    viewport.value?.ask()
  })
}

export const pose: Feature = {
  name: 'pose',
  tab: { key: 'pose', label: 'Pose', tip: 'Drag pins, hold points still, show and hide parts' },
  sections: [
    { tab: 'pose', Body: DragSection },
    { tab: 'pose', Body: PinsSection },
  ],
  tools: [poseTool],
  layers: [PinLayer],
  shortcuts: [
    { group: 'Pose', keys: 'Q', does: 'Pose: set and drag pins', run: () => void (tool.value = 'pose') },
    { group: 'Pose', keys: 'H', does: 'Selected pins hold, or no longer', run: () => toggleHold() },
    { group: 'Pose', keys: 'L', does: 'Let go of selected pins, or no longer', run: () => toggleFree() },
    { group: 'Pose', keys: 'M', does: 'Mirror selected pins', run: () => mirrorPins() },
    { group: 'Pose', keys: 'S', does: 'Symmetric drags', run: flip(symmetric) },
    { group: 'Pose', keys: 'D', does: 'Damping', run: setDamping },
    {
      group: 'Pose',
      keys: 'Delete',
      does: 'Delete selected pins',
      when: () => livePins.value.length > 0,
      run: () => deletePins(),
    },
  ],
  pointers: [
    ['Click', 'Set a pin on the face, and drag it'],
    ['Shift+Drag', 'A pin along the surface’s normal'],
    ['X+Drag', 'A pin along one axis; Y and Z likewise'],
    ['Ctrl+Click', 'Select one more pin, slider or key'],
  ],
  deselect() {
    selectedPins.value = []
  },
  remembered: { symmetric },
  watched: {
    get misses() {
      return misses.value.map((miss) => ({ ...miss }))
    },
    get drag() {
      return { ...drag.value }
    },
    get dragging() {
      return dragging.value
    },
  },
  start: showGhost,
}
