/** The stage: an example beside the rig's own version of it, or template and face while points are paired. */
import { useSignal } from '@preact/signals'
import type { Pointer } from '../../core/gestures/pointer'
import { dropping } from '../../core/view'
import type { Stage } from '../../scene/stage/stage'
import { StageCanvas } from '../../widgets/stage'
import { clickPoint } from './actions'
import { PairMarks } from './PairMarks'
import { StageBar } from './StageBar'
import { shown } from './shown'
import { Captions, Divider, Legend } from './StageMarks'
import { build, chosenPose, compared, pairing } from './state'

export function BuildStage() {
  const drawn = useSignal(0)
  return (
    <main class={`stage${pairing.value ? ' pairing' : ''}`} aria-label="The build">
      <StageCanvas
        label={
          pairing.value ? 'Template and face: click the same point on both' : 'The faces of the build: drag to turn'
        }
        drawn={drawn}
        arranged={() => ({ ...compared.value, ...(pairing.value && { layout: 'beside' as const }) })}
        faces={() => shown.value.map(({ preview }) => preview)}
        clicked={click}
      />
      <PairMarks drawn={drawn} />
      <Captions drawn={drawn} />
      <Divider />
      <Legend />
      <StageBar />
      <Hint />
      {dropping.value && (
        <div class="drop">{build.value?.neutral ? 'Drop poses' : 'Drop a neutral face, and poses with it'}</div>
      )}
    </main>
  )
}

/** What to do next, where nothing is to be seen yet. */
function Hint() {
  const now = build.value
  if (!now || pairing.value) return null
  const words = !now.neutral
    ? 'Drop a neutral face here: OBJ, GLB, FBX, USD, NPZ or .fwface'
    : !now.poses.length
      ? 'Drop poses of this face here, several at once'
      : chosenPose.value?.obstacle
        ? 'This pose cannot be shown beside the neutral'
        : ''
  return words ? <p class="stage-hint">{words}</p> : null
}

function click(stage: Stage, at: Pointer): void {
  if (!pairing.value) return
  const hit = stage.touched(at)
  const side = hit ? shown.value[hit.cell]?.side : undefined
  if (hit && side) clickPoint(side, hit.vertex)
}
