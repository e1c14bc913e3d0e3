/** The brush that paints the points of a rule. The first stroke of a new rule makes it. */
import { brush as brushGesture } from '../../../core/gestures/brush'
import type { Gesture } from '../../../core/gestures/pointer'
import { chosen } from '../../../core/selection'
import { intend } from '../../../core/server'
import { brush, tool } from '../../../core/view'
import type { Viewport } from '../../../scene/viewport'
import type { Tool } from '../../feature'
import { chosenRule, freeName, kind, rule, rules } from './state'

export const RULE_TOOL = 'paint-rule'

/** Begin to paint a new rule, or the points of the chosen one. */
export function paint(name: string): void {
  chosenRule.value = name || freeName(rules.value)
  tool.value = RULE_TOOL
}

export function leaveRule(): void {
  tool.value = 'pose'
  if (!rule.value) chosenRule.value = '' // nothing was painted
}

function strokes(viewport: Viewport): Gesture {
  let isNew = false
  const own = brushGesture({
    under: (pointer, single) => viewport.verticesUnder(pointer, brush.value, single),
    edit: (vertices, wiping) =>
      isNew
        ? { type: 'AddRule', rule: chosenRule.value, kind: kind.value, vertices, sliders: slidersOf(kind.value) }
        : { type: 'PaintRule', rule: chosenRule.value, vertices, mode: wiping ? 'remove' : 'add' },
    label: (wiping) => `${isNew ? 'Add' : wiping ? 'Erase' : 'Paint'} rule ${chosenRule.value}`,
    send: intend,
  })
  return {
    ...own,
    down(pointer) {
      if (!chosenRule.value) chosenRule.value = freeName(rules.value)
      isNew = rule.value === null
      return own.down(isNew ? { ...pointer, shift: false } : pointer)
    },
  }
}

/** The selected sliders may move what a new rule is about. */
export const slidersOf = (of: typeof kind.value) => (of === 'only' ? chosen.value : [])

export const ruleTool: Tool = { name: RULE_TOOL, gesture: strokes, follows: true }
