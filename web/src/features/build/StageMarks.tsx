/** Over the stage: captions, the divider, the legend of the colours. */
import type { ReadonlySignal } from '@preact/signals'
import * as stage from '../../widgets/stage'
import { heatHigh, shown, shownPose } from './shown'
import { build, compared, pairing } from './state'

export const Captions = ({ drawn }: { drawn: ReadonlySignal<number> }) => (
  <stage.Captions drawn={drawn} titles={shown.value} />
)

export function Divider() {
  const { layout, divider } = compared.value
  if (layout !== 'split' || shown.value.length !== 2 || pairing.value || !shownPose.value?.version) return null
  return (
    <stage.Divider
      at={divider}
      left="the example"
      right="the rig's version"
      onChange={(next) => {
        compared.value = { ...compared.value, divider: next }
      }}
    />
  )
}

export function Legend() {
  if (!compared.value.colors || !shownPose.value?.version || pairing.value) return null
  return <stage.HeatLegend high={heatHigh.value} size={build.value?.size ?? 0} />
}
