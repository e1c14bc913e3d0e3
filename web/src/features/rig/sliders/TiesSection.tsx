/** Sliders that solvers move no further than another. */
import { useSignal } from '@preact/signals'
import { rig, ties } from '../../../core/document'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { Button, Choice, Section } from '../../../widgets/controls'
import { Icon } from '../../../widgets/icons'
import { newTie } from './newTie'
import { proposals } from './state'

export function TiesSection() {
  const adding = useSignal(false)
  const proposed = proposals.value.ties.filter(
    ([slider, to]) => !ties.value.some(([one, other]) => one === slider && other === to),
  )
  const aside = (
    <span class="actions">
      <Button
        icon="plus"
        tip="Tie a slider to another, so that drags and takes move it no further"
        pressed={adding.value}
        onClick={() => {
          adding.value = !adding.value
        }}
      />
    </span>
  )
  return (
    <Section title="Ties" aside={aside}>
      {!ties.value.length && !adding.value && <p class="empty">No slider is tied to another.</p>}
      <ul class="list ties">
        {ties.value.map(([slider, to]) => (
          <li key={`${slider}\n${to}`}>
            <span class="item" data-tip={`Drags and takes move ${slider} no further than ${to}`}>
              {slider} to {to}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={`Untie ${slider} from ${to}`}
              data-tip={`Untie: let ${slider} go further than ${to}`}
              onClick={() => edit({ type: 'UntieSliders', slider, to })}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {proposed.map(([slider, to]) => (
        <div class="row" key={`${slider}\n${to}`}>
          <Button
            icon="plus"
            label={`Tie ${slider} to ${to}`}
            tip={`Proposed by the names: drags and takes then move ${slider} no further than ${to}`}
            onClick={() => void edit({ type: 'TieSliders', slider, to })}
          />
        </div>
      ))}
      {adding.value && (
        <NewTie
          done={() => {
            adding.value = false
          }}
        />
      )}
    </Section>
  )
}

function NewTie({ done }: { done(): void }) {
  const picked = useSignal<readonly [string, string]>(['', ''])
  const names = (rig.value?.sliders ?? []).map(({ name }) => name)
  const [slider, to] = newTie(names, chosen.value, picked.value)
  return (
    <>
      <div class="field">
        <span>Tie</span>
        <Choice
          value={slider}
          options={names.map((name) => [name, name] as const)}
          tip="The slider that goes no further than the other"
          onChange={(name) => {
            picked.value = [name, to]
          }}
        />
      </div>
      <div class="field">
        <span>to</span>
        <Choice
          value={to}
          options={names.filter((name) => name !== slider).map((name) => [name, name] as const)}
          tip="The slider that it follows"
          onChange={(name) => {
            picked.value = [slider, name]
          }}
        />
      </div>
      <div class="new-tie">
        <Button
          label="Tie"
          tone="strong"
          tip={`Drags and takes move ${slider} no further than ${to}`}
          disabled={!to}
          onClick={() => {
            edit({ type: 'TieSliders', slider, to })
            done()
          }}
        />
      </div>
    </>
  )
}
