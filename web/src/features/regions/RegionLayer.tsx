/** Over the face: which region is chosen, and which one is under the pointer. */
import { leaveRegion } from './actions'
import { chosenNode, hovered, regions, shownNodes } from '../../core/regions'
import { tool } from '../../core/view'
import { BrushRing } from '../../widgets/brush'
import { ToolNote } from '../../widgets/ToolNote'
import type { LayerProps } from '../feature'

export function RegionLayer({ hover }: LayerProps) {
  const chosen = regions.value[chosenNode.value]
  const over = hovered.value === null || hovered.value === chosenNode.value ? null : regions.value[hovered.value]
  const choosing = tool.value === 'region' || tool.value === 'paint'
  return (
    <>
      {tool.value === 'paint' && <BrushRing at={hover} />}
      {(chosen || choosing) && (
        <ToolNote
          label="Leave the region"
          tip={chosen ? 'Back to the whole face' : 'Back to posing the whole face'}
          onClose={() => leaveRegion()}
        >
          {chosen ? (
            <>
              <i class="swatch" style={{ background: chosen.color }} />
              <b>{chosen.name}</b>
              <span>{tool.value === 'paint' ? 'paint; Shift wipes' : 'drags and sliders stay inside'}</span>
            </>
          ) : (
            <span>Click one of {shownNodes.value.length} regions to choose it</span>
          )}
        </ToolNote>
      )}
      {over && hover.value && (
        <div class="region-name" style={{ transform: `translate(${hover.value.x + 14}px, ${hover.value.y + 16}px)` }}>
          {over.name}
        </div>
      )}
    </>
  )
}
