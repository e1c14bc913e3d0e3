/** The tools of regions: one chooses a region and poses inside it, one paints it. */
import { brush as brushGesture } from '../../core/gestures/brush'
import type { Pointer } from '../../core/gestures/pointer'
import { choose, chosenName, hovered, isInChosen, regionAt, regions } from '../../core/regions'
import { intend } from '../../core/server'
import { brush, tool } from '../../core/view'
import type { Viewport } from '../../scene/viewport'
import type { Tool } from '../feature'
import { beginChoosing } from './actions'
import { inRegion } from './inRegion'

/** The region of the shown level under a pointer; null off the face. */
function regionUnder(viewport: Viewport, pointer: Pointer): number | null {
  const hit = viewport.surfaceAt(pointer)
  return hit && regionAt(hit.vertex)
}

const regionTool: Tool = {
  name: 'region',
  button: {
    icon: 'regions',
    label: 'Region',
    tip: 'Click a region of the face to choose it, then drag inside it',
    keys: 'R',
    shown: () => regions.value.length > 0,
    pressed: () => tool.value === 'region' || tool.value === 'paint',
    onClick: beginChoosing,
  },
  gesture: (viewport, other) =>
    inRegion({
      regionAt: (pointer) => regionUnder(viewport, pointer),
      isInside(pointer) {
        const hit = viewport.surfaceAt(pointer)
        return hit !== null && isInChosen(hit.vertex)
      },
      choose,
      pose: other('pose'),
    }),
  // Posing stays inside the chosen region; a click elsewhere chooses another one.
  replaces: () => tool.value === 'pose' && chosenName.value !== '',
  hover(viewport, at) {
    hovered.value = at && tool.value === 'region' ? regionUnder(viewport, at) : null
  },
  follows: true,
}

const paintTool: Tool = {
  name: 'paint',
  gesture: (viewport) =>
    brushGesture({
      under: (pointer, single) => viewport.verticesUnder(pointer, brush.value, single),
      edit: (vertices, wiping) => ({
        type: 'PaintRegion',
        region: chosenName.value,
        vertices,
        mode: wiping ? 'remove' : 'add',
      }),
      label: (wiping) => `${wiping ? 'Erase' : 'Paint'} ${chosenName.value}`,
      send: intend,
    }),
  follows: true,
}

export const regionTools: readonly Tool[] = [regionTool, paintTool]
