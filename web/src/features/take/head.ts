/** Where the head is: as the clip says, or as the take's still markers show it; and where it is shown. */
import { computed } from '@preact/signals'
import type { Head } from '../../scene/head'
import { hasOffsets, posedHead } from '../../core/controls'
import { takeFrame } from '../../core/time'
import { fit, headMotion, liveFit } from './state'

const AT_REST: Head = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]

/** Where the recorded head is; null: not known. */
export const head = computed<Head | null>(() => {
  if (hasOffsets.value) return posedHead.value ?? AT_REST
  const rows = (liveFit.value ?? fit.value)?.head // the markers show the same head whatever the clip
  const at = 12 * takeFrame.value
  return rows && at >= 0 && rows.length >= at + 12 ? [...rows.subarray(at, at + 12)] : null
})

/** Where the head is shown; null: at rest. The motion of a take is shown only where that is wanted. */
export const shownHead = computed<Head | null>(() => {
  const recorded = headMotion.value ? head.value : null
  return hasOffsets.value ? recorded : (posedHead.value ?? recorded)
})
