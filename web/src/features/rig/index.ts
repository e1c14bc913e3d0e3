/** The rig's workbench: its shapes and sliders are listed and edited. */
import { shapes } from '../../core/document'
import { tool } from '../../core/view'
import type { Feature } from '../feature'
import { DeleteDialog } from './DeleteDialog'
import './rig.css'
import { RigTab } from './RigTab'
import { viewport } from '../../scene/current'
import { chosenShape, deleting, part } from './state'
import { TOOL, toggleTouch, touchTool } from './touch/tool'
import { TouchLayer } from './touch/TouchLayer'
import { touch } from './touch/state'
import { showPartColors } from './colors'
import { check, chosenRule, applyRules, rules } from './rules/state'
import { leaveRule, RULE_TOOL, ruleTool } from './rules/tool'
import { RuleLayer } from './rules/RuleLayer'
import { correctives, walk } from './correctives/state'

export const rig: Feature = {
  name: 'rig',
  tab: { key: 'rig', label: 'Rig', tip: 'Edit the shapes and sliders of the rig' },
  sections: [{ tab: 'rig', Body: RigTab }],
  dialogs: [{ isOpen: () => deleting.value !== '', Body: DeleteDialog }],
  tools: [touchTool, ruleTool],
  layers: [TouchLayer, RuleLayer],
  shortcuts: [
    { group: 'Rig', keys: 'Escape', does: 'Put the brush away', when: () => tool.value === TOOL, run: toggleTouch },
    {
      group: 'Rig',
      keys: 'Escape',
      does: 'Paint no more points of a rule',
      when: () => tool.value === RULE_TOOL,
      run: leaveRule,
    },
  ],
  messages: {
    State({ rule_check, correctives: changed }) {
      if (rule_check) check.value = rule_check
      if (changed) correctives.value = changed
    },
  },
  frames: { ShapeChange: (frame) => viewport.value?.changeShape(frame), RuleMap: applyRules },
  remembered: { rigPart: part, chosenShape, touch },
  watched: {
    get shapes() {
      return shapes.value.map((each) => ({ ...each }))
    },
    get rules() {
      return rules.value.map(({ vertices, excess, ...each }) => ({
        ...each,
        vertices: [...vertices],
        excess: [...excess],
      }))
    },
    get correctives() {
      return correctives.value.map((each) => ({ ...each }))
    },
    get ruleCheck() {
      return { ...check.value }
    },
  },
  deselect() {
    chosenShape.value = ''
    chosenRule.value = ''
    walk.value = null
  },
  start: showPartColors,
}
