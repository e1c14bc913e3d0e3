/** What can be done with head, neck and eyes as a whole. */
import { HEAD_OFFSETS, shownControls, target, TARGET } from '../../core/controls'
import { controlList, rig, time } from '../../core/document'
import { edit } from '../../core/server'
import { toFrame } from '../../core/time'
import { say } from '../../core/toasts'
import type { Vec } from '../../core/vec'
import { viewport } from '../../scene/current'

export const EYES = ['EyeYawLeft', 'EyePitchLeft', 'EyeYawRight', 'EyePitchRight']
const AHEAD = 0.45 // of the face's size, from the eyes

/** Controls as edits have them: a place in the scene by its three numbers. */
export const targetValues = (place: Vec) => Object.fromEntries(TARGET.map((name, i) => [name, place[i]]))

/** Let the eyes look straight ahead at a place that can be dragged. */
export function placeTarget(): void {
  if (target.value) return
  const eyes = viewport.value?.face?.data.stiff.middles ?? []
  if (!eyes.length) return
  const middle = [0, 1, 2].map((k) => eyes.reduce((sum, each) => sum + each[k], 0) / eyes.length)
  const at: Vec = [middle[0], middle[1], middle[2] + AHEAD * (rig.value?.size ?? 1)]
  edit({ type: 'SetControls', values: targetValues(viewport.value!.placed(at)) })
}

export const targetAtCamera = () =>
  void edit({ type: 'SetControls', values: targetValues(viewport.value!.cameraPlace()) })

/** Let the pose have the eyes again, now and in the clip. */
export const dropTarget = () => void edit({ type: 'ClearControls', names: [...TARGET, 'GazeWeight'] })

/** All back to rest; the motion of a take's head stays. */
export const clearAll = () =>
  void edit({
    type: 'ClearControls',
    names: controlList.value.map((one) => one.name).filter((name) => !HEAD_OFFSETS.includes(name)),
  })

/** Key all controls that are set. */
export function keyControls(): void {
  const names = Object.keys(shownControls.value)
  if (names.length) edit({ type: 'SetKeys', time: toFrame(time.value), sliders: names })
  else say('Turn the head or the eyes first.')
}
