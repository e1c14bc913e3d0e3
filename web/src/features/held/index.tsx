/** Holding points still: they are painted on the face, and sliders and drags keep them where they are. */
import { effect } from '@preact/signals'
import { held as points } from '../../core/document'
import { brush as brushGesture } from '../../core/gestures/brush'
import { edit, intend } from '../../core/server'
import { brush, tool } from '../../core/view'
import { face, viewport } from '../../scene/current'
import { BrushRing, scaleBrush } from '../../widgets/brush'
import type { Feature, LayerProps, Tool } from '../feature'
import { HoldSection } from './HoldSection'
import { holdAxes } from './state'

const holdTool: Tool = {
  name: 'hold',
  button: {
    icon: 'hold',
    label: 'Hold',
    tone: 'held',
    tip: 'Paint points that must stay still; Shift wipes them away',
    keys: 'W',
  },
  gesture: (viewport) =>
    brushGesture({
      under: (pointer, single) => viewport.verticesUnder(pointer, brush.value, single),
      edit: (vertices, wiping) => ({
        type: 'HoldVertices',
        vertices,
        axes: holdAxes.value,
        mode: wiping ? 'remove' : 'add',
      }),
      label: (wiping) => (wiping ? 'Release points' : 'Hold points'),
      send: intend,
    }),
  follows: true,
}

const HoldLayer = ({ hover }: LayerProps) => (tool.value === 'hold' ? <BrushRing at={hover} /> : null)

function showPoints(): void {
  effect(() => {
    face.value?.hold(points.value.vertices, points.value.on ? 7 : 5)
    viewport.value?.ask()
  })
}

export const held: Feature = {
  name: 'held',
  sections: [{ tab: 'pose', Body: HoldSection }],
  tools: [holdTool],
  layers: [HoldLayer],
  shortcuts: [
    { group: 'Pose', keys: 'W', does: 'Hold: paint points to hold still', run: () => void (tool.value = 'hold') },
    {
      group: 'Pose',
      keys: 'Shift+H',
      does: 'Hold chosen points still, or no longer',
      run: () => void edit({ type: 'SetHolding', on: !points.value.on, alpha: points.value.alpha }),
    },
    { group: 'Pose', keys: '[', does: 'Smaller brush', run: scaleBrush(1 / 1.25) },
    { group: 'Pose', keys: ']', does: 'Larger brush', run: scaleBrush(1.25) },
  ],
  remembered: { holdAxes },
  watched: {
    get held() {
      return { ...points.value }
    },
  },
  start: showPoints,
}
