/** Poses that are kept, applied in part, mirrored, added, and copied between windows. */
import { folderPoses, keyPoses, poses as kept } from '../../core/document'
import type { Feature } from '../feature'
import { applyFiles, keep } from './actions'
import './poses.css'
import { PosesTab } from './PosesTab'
import { additive, chosenPose, mirrored, onlyChosen, search, source } from './state'

export const poses: Feature = {
  name: 'poses',
  tab: { key: 'poses', label: 'Poses', tip: 'A library of poses: keep, find and apply them' },
  sections: [{ tab: 'poses', Body: PosesTab }],
  shortcuts: [{ group: 'Pose', keys: 'Shift+P', does: 'Keep the pose in the library', run: () => void keep() }],
  files: { claims: (kind) => kind === 'pose', open: applyFiles },
  deselect() {
    chosenPose.value = ''
    search.value = ''
  },
  remembered: { poseSource: source, poseMirrored: mirrored, poseAdditive: additive, poseOnlyChosen: onlyChosen },
  watched: {
    get poses() {
      return kept.value.map(({ name, tags }) => ({ name, tags }))
    },
    get folderPoses() {
      return folderPoses.value.map(({ name }) => name)
    },
    get keyPoses() {
      return keyPoses.value.map(({ time }) => time)
    },
  },
}
