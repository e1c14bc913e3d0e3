/** Over the viewport: both rigs side by side, or split. */
import { useSignal } from '@preact/signals'
import { file, rig } from '../../../core/document'
import { CompareBar } from '../../../widgets/CompareBar'
import { Captions, Divider, HeatLegend, StageCanvas } from '../../../widgets/stage'
import { previews } from './follow'
import { chosenShapes, comparison, heatHigh, isShown, looks } from './state'

const set = (change: Partial<typeof looks.value>) => {
  looks.value = { ...looks.value, ...change }
}

const WORDS = {
  beside: 'This rig on the left, the second one on the right',
  colors: 'Distance',
  colorsTip: 'Colour the second rig by how far its vertices go from those of this one',
  oneScale: 'The same colours for all shapes, so that they can be compared; else each shape has its own scale',
}

export const CompareLayer = () => (isShown.value ? <CompareStage /> : null)

function CompareStage() {
  const drawn = useSignal(0)
  const { layout, divider, colors } = looks.value
  const names = chosenShapes.value
  const titles = [
    { title: file.value.name, note: noteOf(names?.name) },
    { title: comparison.value?.name ?? '', note: noteOf(names?.other) },
  ]
  return (
    <div class="stage compare-stage" role="group" aria-label="Both rigs">
      <StageCanvas
        label="Both rigs: drag to turn"
        drawn={drawn}
        arranged={() => looks.value}
        faces={() => previews.value}
      />
      <Captions drawn={drawn} titles={titles} />
      {layout === 'split' && (
        <Divider at={divider} left="this rig" right="the second rig" onChange={(next) => set({ divider: next })} />
      )}
      {colors && <HeatLegend high={heatHigh.value} size={rig.value?.size ?? 0} />}
      <CompareBar {...looks.value} words={WORDS} onChange={set} />
    </div>
  )
}

/** What a face has on: a shape, none because it lacks it, or the pose. */
const noteOf = (shape: string | undefined) => (shape === undefined ? 'in the pose' : shape || 'does not have it')
