/** Where the head is: as the clip says, or as the take's still markers show it. */
import { computed } from '@preact/signals'
import type { Head } from '../../scene/head'
import { valueAt } from '../../core/curve'
import { clipName, curveKey, curves, layered, time } from '../../core/document'
import { playing, takeFrame } from '../../core/time'
import { fit, liveFit } from './state'

const OFFSETS = ['HeadX', 'HeadY', 'HeadZ']
const ANGLES = ['HeadYaw', 'HeadPitch', 'HeadRoll']

/** R = turn about y by yaw, times turn about x by pitch, times turn about z by roll. */
export function headFrom([yaw, pitch, roll]: number[], offset: number[]): Head {
  const [sy, cy, sp, cp, sr, cr] = [
    Math.sin(yaw),
    Math.cos(yaw),
    Math.sin(pitch),
    Math.cos(pitch),
    Math.sin(roll),
    Math.cos(roll),
  ]
  return [
    cy * cr + sy * sp * sr,
    sy * sp * cr - cy * sr,
    sy * cp,
    cp * sr,
    cp * cr,
    -sp,
    cy * sp * sr - sy * cr,
    sy * sr + cy * sp * cr,
    cy * cp,
    ...offset,
  ]
}

/** Whether the clip moves the head. Angles alone, as phones record them, do not count. */
export const hasHead = computed(() =>
  OFFSETS.some((name) => curves.value.has(curveKey(clipName.value, name)) || name in (layered.value ?? {})),
)

export const head = computed<Head | null>(() => {
  if (hasHead.value) {
    const at = (name: string) => {
      const curve = curves.value.get(curveKey(clipName.value, name))
      const mixed = layered.value?.[name] // as of the time that the server knows, which stands still while a clip plays
      if (mixed !== undefined && !(playing.value && curve)) return mixed
      return curve ? valueAt(curve, time.value) : 0
    }
    return headFrom(ANGLES.map(at), OFFSETS.map(at))
  }
  const rows = (liveFit.value ?? fit.value)?.head // the markers show the same head whatever the clip
  const at = 12 * takeFrame.value
  return rows && at >= 0 && rows.length >= at + 12 ? [...rows.subarray(at, at + 12)] : null
})
