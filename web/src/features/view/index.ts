/** From where the face is seen, and what of it. */
import { effect } from '@preact/signals'
import { flip } from '../../core/shortcuts'
import { togglePanel } from '../../core/panels'
import { bottomOpen, ghost, wireframe } from '../../core/view'
import { face, lookFrom, viewport } from '../../scene/current'
import { QUARTER, SIDE } from '../../widgets/ViewButtons'
import type { Feature } from '../feature'
import { PartsSection } from './PartsSection'
import { hiddenParts } from './state'

function showParts(): void {
  effect(() => {
    face.value?.hide(hiddenParts.value)
    face.value?.wire(wireframe.value)
    viewport.value?.ask()
  })
}

export const view: Feature = {
  name: 'view',
  sections: [{ tab: 'pose', Body: PartsSection }],
  shortcuts: [
    { group: 'View', keys: '1', does: 'Front', run: () => lookFrom(0) },
    { group: 'View', keys: '2', does: 'Three quarters', run: () => lookFrom(QUARTER) },
    { group: 'View', keys: '3', does: 'Side', run: () => lookFrom(SIDE) },
    { group: 'View', keys: 'Shift+2', does: 'Three quarters, from its right', run: () => lookFrom(-QUARTER) },
    { group: 'View', keys: 'Shift+3', does: 'Side, from its right', run: () => lookFrom(-SIDE) },
    { group: 'View', keys: 'E', does: 'Mesh', run: flip(wireframe) },
    { group: 'View', keys: 'G', does: 'Ghost of the pose before', run: flip(ghost) },
    { group: 'View', keys: 'F2', does: 'Sliders', run: () => togglePanel('left') },
    { group: 'View', keys: 'F3', does: 'Timeline', run: flip(bottomOpen) },
    { group: 'View', keys: 'F4', does: 'Pose, regions, history', run: () => togglePanel('right') },
  ],
  pointers: [
    ['Background', 'Drag to turn'],
    ['Right', 'Drag to turn, anywhere'],
    ['Middle', 'Drag to shift'],
    ['Wheel', 'Nearer, further'],
  ],
  remembered: { hiddenParts },
  start: showParts,
}
