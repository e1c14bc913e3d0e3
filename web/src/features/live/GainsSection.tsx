/** How much more or less some sliders move than the sender says. */
import type { LiveInfo } from '../../core/protocol.gen'
import { chosen } from '../../core/selection'
import { act } from '../../core/server'
import { Button, NumberField, Section } from '../../widgets/controls'

export function GainsSection({ info }: { info: LiveInfo }) {
  const names = [...new Set([...chosen.value, ...Object.keys(info.gains)])]
  const set = (name: string, gain: number) => act({ type: 'AdjustLive', gains: { ...info.gains, [name]: gain } })
  return (
    <Section title="Gains">
      {names.length === 0 && <p class="empty">Select sliders on the left to make them move more or less.</p>}
      {names.map((name) => (
        <div class="live-row" key={name}>
          <span class="live-name" data-tip={name}>
            {name}
          </span>
          <NumberField
            value={info.gains[name] ?? 1}
            step={0.1}
            low={0}
            high={10}
            tip={`Gain of ${name}`}
            onChange={(gain) => set(name, gain)}
          />
          <Button
            icon="reset"
            tip={`Gain of ${name} back to 1`}
            disabled={(info.gains[name] ?? 1) === 1}
            onClick={() => set(name, 1)}
          />
        </div>
      ))}
    </Section>
  )
}
