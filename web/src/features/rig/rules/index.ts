/** The modeller's rules in the rig's tab: painted on the face, listed, and shown where the pose breaks them. */
import { tool } from '../../../core/view'
import type { Feature } from '../../feature'
import { RuleLayer } from './RuleLayer'
import { applyRules, check, chosenRule, rules as listed } from './state'
import { leaveRule, RULE_TOOL, ruleTool } from './tool'

export const rules: Feature = {
  name: 'rules',
  tools: [ruleTool],
  layers: [RuleLayer],
  shortcuts: [
    {
      group: 'Rig',
      keys: 'Escape',
      does: 'Paint no more points of a rule',
      when: () => tool.value === RULE_TOOL,
      run: leaveRule,
    },
  ],
  messages: {
    State({ rule_check }) {
      if (rule_check) check.value = rule_check
    },
  },
  frames: { RuleMap: applyRules },
  watched: {
    get rules() {
      return listed.value.map(({ vertices, excess, ...each }) => ({
        ...each,
        vertices: [...vertices],
        excess: [...excess],
      }))
    },
    get ruleCheck() {
      return { ...check.value }
    },
  },
  deselect() {
    chosenRule.value = ''
  },
}
