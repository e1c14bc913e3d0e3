/** The tool that touches up the chosen shape. */
import { rig } from '../../../core/document'
import { edit, intend } from '../../../core/server'
import { values } from '../../../core/pose'
import { say } from '../../../core/toasts'
import { brush as size, tool } from '../../../core/view'
import type { Tool } from '../../feature'
import { chosenShape } from '../state'
import { touch } from './state'
import { stroke } from './stroke'

export const TOOL = 'touch'
const SPACING = 0.3 // of the radius
const LEAST = 0.05 // as in facewright.rig.edit.brush: a shape that is on less cannot be touched up

/** The value of the chosen shape in the pose that is shown. */
export function chosenValue(): number {
  const at = rig.value?.shapes.findIndex(({ name }) => name === chosenShape.value) ?? -1
  return at < 0 ? 0 : (values[at] ?? 0)
}

/** Begin or end touching up the chosen shape, which is shown fully on where it is off. */
export function toggleTouch(): void {
  if (tool.value === TOOL) tool.value = 'pose'
  else if (!chosenShape.value) say('Choose a shape first.')
  else {
    tool.value = TOOL
    showIfOff()
  }
}

export function showIfOff(): void {
  if (Math.abs(chosenValue()) < LEAST) void edit({ type: 'ShowShape', shape: chosenShape.value })
}

const LABELS = { smooth: 'Smooth', relax: 'Relax', grab: 'Grab', erase: 'Erase' }

export const touchTool: Tool = {
  name: TOOL,
  gesture: (viewport) =>
    stroke({
      at: (pointer) => viewport.surfaceAt(pointer),
      onPlane: (pointer, through, of) => viewport.onPlane(pointer, through, of),
      brush: () => (chosenShape.value === '' ? null : { shape: chosenShape.value, ...touch.value, radius: size.value }),
      spacing: () => SPACING * size.value * (rig.value?.size ?? 1),
      label: () => `${LABELS[touch.value.kind]} ${chosenShape.value}`,
      send: intend,
    }),
  follows: true,
}
