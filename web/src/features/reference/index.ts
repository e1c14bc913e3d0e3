/** What an animator hears and sees beside the face: a sound in the timeline, a picture or video with the face. */
import { plane, sound } from '../../core/document'
import { viewport } from '../../scene/current'
import type { Feature } from '../feature'
import { placeDropped } from './actions'
import { followPlane, followSound, video } from './follow'
import { ReferenceTab } from './ReferenceTab'
import './reference.css'
import { SoundLane } from './SoundLane'
import { player, scrubbed, TAB, waveform } from './state'

export const reference: Feature = {
  name: 'reference',
  tab: { key: TAB, label: 'Reference', tip: 'A sound, a picture or a video to animate to' },
  sections: [{ tab: TAB, Body: ReferenceTab }],
  lanes: [SoundLane],
  files: { claims: (kind) => kind === 'sound' || kind === 'video', open: placeDropped },
  remembered: { scrubbed },
  watched: {
    get sound() {
      return sound.value && { ...sound.value }
    },
    get plane() {
      return plane.value && { ...plane.value }
    },
    /** What is heard and shown; a function, because the counts do not go back. */
    reference() {
      return {
        heard: player.at,
        grains: player.grains,
        starts: player.starts,
        loaded: player.loaded,
        drawn: waveform.value !== null,
        shown: viewport.value?.plane.isShown ?? false,
        video: video.shownAt,
      }
    },
  },
  start() {
    followSound()
    followPlane()
  },
}
