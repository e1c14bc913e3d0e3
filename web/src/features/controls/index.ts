/** Head, neck and eyes: turned, keyed, and let look at a place. */
import { effect } from '@preact/signals'
import { aim, posedHead, shownControls } from '../../core/controls'
import { headRig, opened } from '../../core/document'
import { joints as fetchJoints } from '../../core/routes'
import { viewport } from '../../scene/current'
import type { Feature } from '../feature'
import { keyControls } from './actions'
import { ControlsSection } from './ControlsSection'
import './controls.css'
import { GazeLayer } from './GazeLayer'
import { joints, open } from './state'

function follow(): void {
  effect(() => viewport.value?.look(aim.value))
  effect(() => {
    // The joints are those of the file; a face that was built or opened has others.
    if (!opened.value) return
    fetchJoints()
      .then((found) => (joints.value = found))
      .catch(() => (joints.value = []))
  })
}

export const controls: Feature = {
  name: 'controls',
  sections: [{ tab: 'pose', Body: ControlsSection }],
  layers: [GazeLayer],
  shortcuts: [{ group: 'Pose', keys: 'Shift+E', does: 'Key head, neck and eyes', run: keyControls }],
  remembered: { open },
  watched: {
    get controls() {
      return { ...shownControls.value }
    },
    get head() {
      return posedHead.value && [...posedHead.value]
    },
    get headRig() {
      return headRig.value && { ...headRig.value }
    },
  },
  start: follow,
}
