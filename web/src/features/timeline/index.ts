/** The timeline: keys, curves, clips and playing them. */
import { clip, clipCurves, keying, time } from '../../core/document'
import { liveKeys, selectedKeys } from '../../core/selection'
import { flip } from '../../core/shortcuts'
import { playing } from '../../core/time'
import { span } from '../../core/timeAxis'
import { left } from '../../core/unkeyed'
import type { Feature } from '../feature'
import {
  copyKeys,
  deleteKeys,
  duplicateKeys,
  fitAll,
  fitSelection,
  fitValues,
  goToEnd,
  goToKey,
  goToStart,
  keyAll,
  keyChanges,
  pasteKeys,
  selectAllKeys,
  setRange,
  stepFrames,
} from './actions'
import { showOnion } from './onion'
import { table } from './playback'
import { playOrStop } from './player'
import { clipboard, foldedLanes, lane, looping, loopRange, onion, snapping, timelineHeight } from './state'
import { Timeline } from './Timeline'
import { shownValues } from './valueAxis'
import { showAllOfAnother } from './showAll'
import { watchUnkeyed } from './unkeyed'
import './timeline.css'

const hasCopied = () => clipboard.value.length > 0

const otherLane = () => {
  lane.value = lane.value === 'keys' ? 'curves' : 'keys'
}

export const timeline: Feature = {
  name: 'timeline',
  Bottom: Timeline,
  shortcuts: [
    { group: 'Time', keys: 'Space', does: 'Play, stop', run: playOrStop },
    { group: 'Time', keys: 'K', does: 'Key the selected sliders, or what changed', run: keyChanges },
    { group: 'Time', keys: 'Shift+K', does: 'Key all sliders', run: keyAll },
    { group: 'Time', keys: ',', does: 'A frame back', run: () => stepFrames(-1) },
    { group: 'Time', keys: '.', does: 'A frame on', run: () => stepFrames(1) },
    { group: 'Time', keys: 'Shift+<', does: 'To the key before', run: () => goToKey(-1) },
    { group: 'Time', keys: 'Shift+>', does: 'To the next key', run: () => goToKey(1) },
    { group: 'Time', keys: 'Shift+ArrowLeft', does: 'To the beginning', run: goToStart },
    { group: 'Time', keys: 'Shift+ArrowRight', does: 'To the end', run: goToEnd },
    { group: 'Time', keys: 'Shift+Home', does: 'Show the selected keys', run: fitSelection },
    { group: 'Time', keys: 'Ctrl+Home', does: 'Show all values in the graph', run: fitValues },
    { group: 'Time', keys: 'Home', does: 'Show all of the clip', run: fitAll },
    { group: 'Time', keys: 'Shift+I', does: 'Playing begins here', run: () => setRange('start') },
    { group: 'Time', keys: 'Shift+O', does: 'Playing ends here', run: () => setRange('end') },
    { group: 'Time', keys: 'Ctrl+D', does: 'Copies of the selected keys here', run: duplicateKeys },
    { group: 'Time', keys: 'Ctrl+A', does: 'Select all keys', when: () => clip.value !== null, run: selectAllKeys },
    { group: 'Time', keys: 'Ctrl+C', does: 'Copy selected keys', when: () => liveKeys.value.length > 0, run: copyKeys },
    { group: 'Time', keys: 'Ctrl+V', does: 'Paste keys here', when: hasCopied, run: () => pasteKeys() },
    { group: 'Time', keys: 'Ctrl+Shift+V', does: 'Paste keys mirrored', when: hasCopied, run: () => pasteKeys(true) },
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
  pointers: [
    ['Alt+Wheel', 'Zoom in value in the graph, also over its numbers; with Shift, move'],
    ['Alt+Drag', 'Copies of keys; of a tangent, one side'],
    ['Shift+Drag', 'Keys beyond the bounds of their slider'],
    ['X, Y+Drag', 'Keys in time alone, in value alone'],
  ],
  deselect() {
    selectedKeys.value = []
  },
  remembered: { lane, looping, onion, snapping, foldedLanes, timelineHeight, loopRange },
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
    get selectedKeys() {
      return liveKeys.value
    },
    get span() {
      return span.value
    },
    get valueRange() {
      return lane.value === 'curves' ? shownValues.value : null
    },
    get range() {
      return loopRange.value
    },
    get left() {
      return left.value
    },
    get keying() {
      return keying.value
    },
    get playing() {
      return playing.value
    },
  },
  start() {
    showOnion()
    watchUnkeyed()
    showAllOfAnother()
  },
}
