/** The rig beside a second one of the same topology, in the rig's tab. */
import type { Feature } from '../../feature'
import { CompareLayer } from './CompareLayer'
import { applyFaces, followComparison } from './follow'
import { chosenShapes, comparison, faces, listing, looks } from './state'

export const compare: Feature = {
  name: 'compare',
  layers: [CompareLayer],
  messages: {
    State({ comparison: next }) {
      if (next !== undefined) comparison.value = next
    },
  },
  frames: { ComparedFaces: applyFaces },
  remembered: { comparedLooks: looks, comparedListing: listing },
  watched: {
    get comparison() {
      return comparison.value && { ...comparison.value, chosen: chosenShapes.value }
    },
    /** Both faces as they are shown. */
    get comparedFaces() {
      const shown = faces.value
      return shown && { shape: shown.shape, one: [...shown.arrays.one], two: [...shown.arrays.two] }
    },
  },
  deselect() {
    chosenShapes.value = null
  },
  start: followComparison,
}
