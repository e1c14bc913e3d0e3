/** Points that stay still. */
import { held } from '../../core/document'
import { tool } from '../../core/view'
import { edit } from '../../core/server'
import { BrushSize } from '../../widgets/brush'
import { Button, Check, NumberField, Section } from '../../widgets/controls'
import { holdAxes } from './state'

const AXES = ['x', 'y', 'z'] as const
const ABOUT = { x: 'sideways', y: 'up and down', z: 'to and fro' }

export function HoldSection() {
  const { vertices, on, alpha, default_alpha } = held.value
  const set = (change: { on?: boolean; alpha?: number | null }) => edit({ type: 'SetHolding', on, alpha, ...change })
  const aside = (
    <span class="actions">
      <Button
        icon="hold"
        tone="held"
        pressed={tool.value === 'hold'}
        tip="Paint points to hold still; Shift wipes them away"
        keys="W"
        onClick={() => {
          tool.value = tool.value === 'hold' ? 'pose' : 'hold'
        }}
      />
      <Button
        icon="trash"
        tip="Let all points go"
        disabled={!vertices.length}
        onClick={() => edit({ type: 'HoldVertices', vertices: [], mode: 'set' })}
      />
    </span>
  )
  return (
    <Section title="Hold still" aside={aside}>
      <Check
        label={vertices.length ? `${vertices.length} points held` : 'Nothing chosen yet'}
        on={on}
        tip="From now on sliders and pins spare the chosen points. Nothing moves when this is switched"
        keys="Shift+H"
        onChange={(next) => set({ on: next })}
      />
      <div class="field">
        <span>Axes</span>
        <span class="segments" role="group" aria-label="Axes along which points stay still">
          {AXES.map((axis) => (
            <button
              key={axis}
              type="button"
              aria-pressed={holdAxes.value.includes(axis)}
              data-tip={`Hold ${ABOUT[axis]} (${axis})`}
              onClick={() => toggleAxis(axis, vertices.length > 0)}
            >
              {axis}
            </button>
          ))}
        </span>
      </div>
      <div class="field">
        <span>Alpha</span>
        <NumberField
          value={alpha ?? default_alpha}
          digits={(alpha ?? default_alpha) < 10 ? 2 : 0}
          low={0}
          high={1e12}
          step={Math.max(1, Math.round((alpha ?? default_alpha) / 10))}
          tip={`How much holding counts against moving the rest; the default is unchosen over chosen points, ${default_alpha.toFixed(0)}`}
          onChange={(next) => set({ alpha: next })}
        />
        <Button
          icon="reset"
          tip="Alpha back to its default"
          disabled={alpha === null}
          onClick={() => set({ alpha: null })}
        />
      </div>
      <BrushSize />
    </Section>
  )
}

function toggleAxis(axis: string, some: boolean): void {
  const next = AXES.filter((each) => (each === axis) !== holdAxes.value.includes(each)).join('')
  if (!next) return // at least one
  holdAxes.value = next
  if (some) edit({ type: 'SetHoldAxes', axes: next })
}
