/** Over the face while a shape is touched up: the brush, and which shape it changes. */
import { tool } from '../../../core/view'
import { BrushRing } from '../../../widgets/brush'
import { Icon } from '../../../widgets/icons'
import { ToolNote } from '../../../widgets/ToolNote'
import type { LayerProps } from '../../feature'
import { chosenShape } from '../state'
import { TOOL, toggleTouch } from './tool'

export function TouchLayer({ hover }: LayerProps) {
  if (tool.value !== TOOL) return null
  return (
    <>
      <BrushRing at={hover} />
      <ToolNote label="Put the brush away" onClose={toggleTouch}>
        <Icon name="brush" />
        <b>{chosenShape.value || 'no shape'}</b>
        <span>is touched up; drag over the face</span>
      </ToolNote>
    </>
  )
}
