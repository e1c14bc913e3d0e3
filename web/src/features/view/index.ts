/** From where the face is seen, and what of it. */
import { effect } from '@preact/signals'
import { bookmarks } from '../../core/document'
import { flip } from '../../core/shortcuts'
import { togglePanel } from '../../core/panels'
import { bottomOpen, camera, ghost, isolated, viewOptions, wireframe } from '../../core/view'
import { carried, face, lookFrom, viewport } from '../../scene/current'
import { QUARTER, SIDE } from '../../widgets/ViewButtons'
import type { Feature } from '../feature'
import { frameFace, frameSelection, keepView, nextView, toggleFlat, TOP } from './camera'
import { PartsSection } from './PartsSection'
import { asymmetry, hiddenParts, light, surface, symmetryMap, symmetryShown } from './state'
import { showSymmetry } from './symmetry'
import './view.css'
import { ViewPanel } from './ViewPanel'

const isOverFace = () => document.querySelector('main.viewport')?.matches(':hover') ?? false

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
  layers: [ViewPanel],
  shortcuts: [
    { group: 'View', keys: '1', does: 'Front', run: () => lookFrom(0) },
    { group: 'View', keys: '2', does: 'Three quarters', run: () => lookFrom(QUARTER) },
    { group: 'View', keys: '3', does: 'Side', run: () => lookFrom(SIDE) },
    { group: 'View', keys: 'Shift+2', does: 'Three quarters, from its right', run: () => lookFrom(-QUARTER) },
    { group: 'View', keys: 'Shift+3', does: 'Side, from its right', run: () => lookFrom(-SIDE) },
    { group: 'View', keys: 'Shift+1', does: 'Back', run: () => lookFrom(Math.PI) },
    { group: 'View', keys: '7', does: 'From above', run: () => lookFrom(0, TOP) },
    { group: 'View', keys: 'Shift+7', does: 'From below', run: () => lookFrom(0, -TOP) },
    { group: 'View', keys: '5', does: 'Orthographic', run: toggleFlat },
    {
      group: 'View',
      keys: 'Home',
      does: 'All of the face, with the pointer over it',
      when: isOverFace,
      run: frameFace,
    },
    { group: 'View', keys: 'F', does: 'What is selected', run: frameSelection },
    { group: 'View', keys: 'Numpad .', does: 'What is selected', run: frameSelection },
    { group: 'View', keys: 'U', does: 'The next view that is kept', run: nextView },
    { group: 'View', keys: 'Shift+U', does: 'Keep this view', run: () => keepView() },
    { group: 'View', keys: 'Shift+N', does: 'Camera, light and surface', run: flip(viewOptions) },
    { group: 'View', keys: 'Shift+S', does: 'Symmetry as colours', run: flip(symmetryShown) },
    { group: 'View', keys: 'E', does: 'Mesh', run: flip(wireframe) },
    { group: 'View', keys: 'Shift+F', does: 'The face alone, or the whole character', run: flip(isolated) },
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
  deselect() {
    viewOptions.value = false
  },
  frames: {
    SymmetryMap(frame) {
      symmetryMap.value = frame
    },
  },
  remembered: { hiddenParts, light, surface },
  watched: {
    get bookmarks() {
      return bookmarks.value.map(({ name }) => name)
    },
    get camera() {
      return { ...camera.value }
    },
    get carried() {
      return isolated.value ? 0 : carried.value
    },
    get asymmetry() {
      return symmetryShown.value ? asymmetry.value.most : null
    },
  },
  start() {
    showParts()
    showSymmetry()
    effect(() => viewport.value?.light(light.value, surface.value))
    effect(() => {
      void carried.value
      viewport.value?.isolate(isolated.value)
    })
  },
}
