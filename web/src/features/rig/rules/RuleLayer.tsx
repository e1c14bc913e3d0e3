/** Over the face while the points of a rule are painted: the brush, and which rule it is. */
import { tool } from '../../../core/view'
import { BrushRing } from '../../../widgets/brush'
import { Icon } from '../../../widgets/icons'
import { ToolNote } from '../../../widgets/ToolNote'
import type { LayerProps } from '../../feature'
import { chosenRule, rule } from './state'
import { leaveRule, RULE_TOOL } from './tool'

export function RuleLayer({ hover }: LayerProps) {
  if (tool.value !== RULE_TOOL) return null
  return (
    <>
      <BrushRing at={hover} />
      <ToolNote label="Paint no more" onClose={leaveRule}>
        <Icon name="brush" />
        <b>{chosenRule.value}</b>
        <span>{rule.value ? 'paint its points; Shift wipes' : 'paint its first points'}</span>
      </ToolNote>
    </>
  )
}
