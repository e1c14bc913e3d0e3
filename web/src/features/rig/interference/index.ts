/** Sliders and shapes that interfere, in the rig's tab. */
import type { Feature } from '../../feature'
import { applyMeeting, chosenPair, followInterference, info, meeting } from './state'

export const interference: Feature = {
  name: 'interference',
  messages: {
    State({ interference: next }) {
      if (next) info.value = next
    },
  },
  frames: { PairMeeting: applyMeeting },
  watched: {
    get interference() {
      return { ...info.value, pair: chosenPair.value, shown: meeting.value !== null }
    },
  },
  deselect() {
    chosenPair.value = null
  },
  start: followInterference,
}
