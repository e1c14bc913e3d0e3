/** Head, neck and eyes as they are shown, by the controls that are set. As in facewright.rig.head_motion and gaze. */
import { computed, signal } from '@preact/signals'
import { clipName, controlList, controls, curveKey, curves, headRig, layered } from './document'
import type { ControlInfo } from './protocol.gen'
import { playing } from './time'
import type { Vec } from './vec'

export const HEAD_ANGLES = ['HeadYaw', 'HeadPitch', 'HeadRoll']
export const HEAD_OFFSETS = ['HeadX', 'HeadY', 'HeadZ']
const NECK_ANGLES = ['NeckYaw', 'NeckPitch', 'NeckRoll']
export const TARGET = ['GazeX', 'GazeY', 'GazeZ']

/** x -> R x + o: the rows of R, then o. */
export type Rigid = readonly number[] // (12,)

export const controlOf = computed(() => new Map(controlList.value.map((info) => [info.name, info])))

/** While a clip plays: the controls as it has them at the moment. */
export const playedControls = signal<Readonly<Record<string, number>>>({})

/** The controls that are set; while a clip plays, as it has them at the moment. */
export const shownControls = computed<Readonly<Record<string, number>>>(() =>
  playing.value ? { ...controls.value, ...playedControls.value } : controls.value,
)

/** Whether the clip shifts the head, as takes do. */
export const hasOffsets = computed(() =>
  HEAD_OFFSETS.some((name) => curves.value.has(curveKey(clipName.value, name)) || name in (layered.value ?? {})),
)

/** R = turn about y by yaw, times turn about x by pitch, times turn about z by roll. */
export function rotation([yaw, pitch, roll]: readonly number[]): number[] {
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
  ]
}

/** A turn about a pivot, then a shift. */
export function turnAbout(angles: readonly number[], pivot: Vec, shift: readonly number[] = [0, 0, 0]): Rigid {
  const turn = rotation(angles)
  const moved = [0, 1, 2].map(
    (row) =>
      pivot[row] +
      shift[row] -
      (turn[3 * row] * pivot[0] + turn[3 * row + 1] * pivot[1] + turn[3 * row + 2] * pivot[2]),
  )
  return [...turn, ...moved]
}

/** One motion after another. */
export function after(second: Rigid, first: Rigid): Rigid {
  const turn = [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) => [0, 1, 2].reduce((sum, k) => sum + second[3 * row + k] * first[3 * k + column], 0)),
  )
  const moved = [0, 1, 2].map((row) =>
    [0, 1, 2].reduce((sum, k) => sum + second[3 * row + k] * first[9 + k], second[9 + row]),
  )
  return [...turn, ...moved]
}

/** Where the controls have the head; null: where it is at rest. */
export const posedHead = computed<Rigid | null>(() => {
  const [now, rig] = [shownControls.value, headRig.value]
  const at = (name: string) => now[name] ?? 0
  const all = [HEAD_ANGLES, HEAD_OFFSETS, NECK_ANGLES].map((names) => names.map(at))
  if (!rig || all.every((values) => values.every((value) => value === 0))) return null
  return after(turnAbout(all[2], rig.neck), turnAbout(all[0], rig.head, all[1]))
})

/** Where the controls have what belongs to the neck alone; null: at rest. */
export const posedNeck = computed<Rigid | null>(() => {
  const [now, rig] = [shownControls.value, headRig.value]
  const angles = NECK_ANGLES.map((name) => now[name] ?? 0)
  return rig && angles.some((value) => value !== 0) ? turnAbout(angles, rig.neck) : null
})

/** What the eyes are to do: angles to the side (towards x) and up, null as the pose has them; a place in the scene. */
export interface Aim {
  left: readonly [number, number] | null
  right: readonly [number, number] | null
  target: Vec | null
  weight: number // of the target
  limits: readonly [number, number, number] // radians to the side, up, down
}

export const target = computed<Vec | null>(() => {
  const now = shownControls.value
  return TARGET.some((name) => name in now) ? (TARGET.map((name) => now[name] ?? 0) as unknown as Vec) : null
})

export const aim = computed<Aim | null>(() => {
  const now = shownControls.value
  const eye = (side: string) => {
    const [yaw, pitch] = [now[`EyeYaw${side}`], now[`EyePitch${side}`]]
    return yaw === undefined && pitch === undefined ? null : ([yaw ?? 0, -(pitch ?? 0)] as const)
  }
  const [left, right] = [eye('Left'), eye('Right')]
  if (!left && !right && !target.value) return null
  const limits = headRig.value?.eye_limits ?? [0.733, 0.5585, 0.5585]
  return { left, right, target: target.value, weight: now.GazeWeight ?? 1, limits }
})

const WORDS: Record<string, string> = {
  HeadYaw: 'Turn',
  HeadPitch: 'Nod',
  HeadRoll: 'Tilt',
  NeckYaw: 'Turn',
  NeckPitch: 'Nod',
  NeckRoll: 'Tilt',
  EyeYawLeft: 'Left eye, sideways',
  EyePitchLeft: 'Left eye, up and down',
  EyeYawRight: 'Right eye, sideways',
  EyePitchRight: 'Right eye, up and down',
  GazeWeight: 'How much',
}

/** A control in the words of the list. */
export const wordsOf = ({ name }: ControlInfo) => WORDS[name] ?? name
