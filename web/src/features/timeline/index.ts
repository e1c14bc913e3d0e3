/** The timeline: keys, curves, clips and playing them. */
import { clip, clipCurves, time } from '../../core/document'
import { liveKeys, selectedKeys } from '../../core/selection'
import { flip } from '../../core/shortcuts'
import { playing } from '../../core/time'
import type { Feature } from '../feature'
import { copyKeys, deleteKeys, goToKey, keyPose, keySelected, stepFrames } from './actions'
import { showOnion } from './onion'
import { table } from './playback'
import { playOrStop } from './player'
import { lane, looping, onion } from './state'
import { Timeline } from './Timeline'
import './timeline.css'

const otherLane = () => {
  lane.value = lane.value === 'keys' ? 'curves' : 'keys'
}

export const timeline: Feature = {
  name: 'timeline',
  Bottom: Timeline,
  shortcuts: [
    { group: 'Time', keys: 'Space', does: 'Play, stop', run: playOrStop },
    { group: 'Time', keys: 'K', does: 'Key the pose', run: keyPose },
    { group: 'Time', keys: 'Shift+K', does: 'Key the selected sliders', run: keySelected },
    { group: 'Time', keys: ',', does: 'A frame back', run: () => stepFrames(-1) },
    { group: 'Time', keys: '.', does: 'A frame on', run: () => stepFrames(1) },
    { group: 'Time', keys: 'Shift+<', does: 'To the key before', run: () => goToKey(-1) },
    { group: 'Time', keys: 'Shift+>', does: 'To the next key', run: () => goToKey(1) },
    { group: 'Time', keys: 'Ctrl+D', does: 'Copy selected keys to here', run: copyKeys },
    {
      group: 'Time',
      keys: 'Delete',
      does: 'Delete selected keys',
      when: () => liveKeys.value.length > 0,
      run: deleteKeys,
    },
    { group: 'Time', keys: 'C', does: 'Keys or curves', run: otherLane },
    { group: 'Time', keys: 'O', does: 'Onion: neighbouring keys', run: flip(onion) },
  ],
  pointers: [['Alt+Drag', 'Copies of keys']],
  deselect() {
    selectedKeys.value = []
  },
  remembered: { lane, looping, onion },
  frames: {
    ClipTable(frame) {
      table.value = frame
    },
  },
  watched: {
    get clip() {
      return clip.value && { ...clip.value }
    },
    get curves() {
      return clipCurves.value.map((curve) => ({ ...curve }))
    },
    get time() {
      return time.value
    },
    get playing() {
      return playing.value
    },
  },
  start: showOnion,
}
