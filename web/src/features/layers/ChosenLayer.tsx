/** The kind and the weight of the layer that is posed and keyed. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { time } from '../../core/document'
import { heldRange } from '../../core/gestures/heldRange'
import type { LayerInfo } from '../../core/protocol.gen'
import { edit, intend } from '../../core/server'
import { Button, NumberField, Range, Section, Segments } from '../../widgets/controls'
import { isKeyed, keyWeight } from './actions'

const KINDS = [
  ['additive', 'Additive', 'Its keys times its weight are added to what is below'],
  ['override', 'Override', 'What is below goes towards its keys by its weight'],
] as const

export function ChosenLayer({ layer }: { layer: LayerInfo }) {
  const { name, kind, weight, weight_times } = layer
  const keyed = weight_times.length > 0
  return (
    <Section title={name} named>
      <Segments
        value={kind}
        options={KINDS}
        label="What the layer does"
        onChange={(next) => edit({ type: 'SetLayerKind', layer: name, kind: next })}
      />
      <div class="field">
        <span>Weight</span>
        <WeightRange name={name} weight={weight} keyed={keyed} />
        <NumberField
          value={weight}
          low={0}
          high={1}
          step={0.05}
          tip={keyed ? 'The weight at this frame, which becomes a key' : 'How much the layer counts'}
          onChange={(next) => edit({ type: 'SetLayerWeight', layer: name, weight: next, time: time.value })}
        />
        <Button
          icon="key"
          tone={isKeyed(layer) ? 'strong' : 'plain'}
          tip={keyed ? 'Key the weight at this frame' : 'Key the weight at this frame, so that it can change over time'}
          onClick={() => keyWeight(name)}
        />
      </div>
      {keyed && (
        <p class="about">
          {weight_times.length} {weight_times.length === 1 ? 'key' : 'keys'} of the weight: (layer weight) in the
          timeline.
        </p>
      )}
    </Section>
  )
}

interface WeightProps {
  name: string
  weight: number
  keyed: boolean
}

function WeightRange({ name, weight, keyed }: WeightProps) {
  const moved = useSignal<number | null>(null)
  const drag = useMemo(
    () =>
      heldRange({
        begun: { label: `Weight of ${name}` },
        edit: (value) => ({ type: 'SetLayerWeight', layer: name, weight: value, time: time.peek() }),
        send: intend,
        ended: () => {
          moved.value = null
        },
      }),
    [name],
  )
  return (
    <Range
      value={moved.value ?? weight}
      low={0}
      high={1}
      label={`Weight of ${name}`}
      tip={keyed ? 'The weight at this frame, which becomes a key' : 'How much the layer counts'}
      onChange={(value) => {
        moved.value = value
        drag.move(value)
      }}
      held={drag}
    />
  )
}
