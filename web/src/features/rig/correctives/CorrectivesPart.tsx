/** In-betweens and combinations: the list by slider, the chosen one, and a new one at the pose. */
import { useComputed } from '@preact/signals'
import type { CorrectiveInfo } from '../../../core/protocol.gen'
import { posed, values } from '../../../core/pose'
import { Button, Choice, Section } from '../../../widgets/controls'
import { FilterField } from '../FilterField'
import { chooseShape } from '../shapes/actions'
import { chosenShape } from '../state'
import { ChosenCorrective } from './ChosenCorrective'
import './correctives.css'
import { NewCorrective } from './NewCorrective'
import { corrective, correctives, driving, listed, ofSlider, onlyOn, text } from './state'

export function CorrectivesPart() {
  const all = correctives.value.filter(({ kind }) => kind !== 'end').length
  const rows = listed.value
  return (
    <>
      <Section title={rows.length < all ? `Correctives ${rows.length} of ${all}` : `Correctives ${all}`}>
        {all > 0 && (
          <div class="corrective-filter">
            <FilterField text={text} label="Filter correctives" tip="List those whose name or slider has this text" />
            <Choice
              value={driving.value.some(({ name }) => name === ofSlider.value) ? ofSlider.value : ''}
              options={[
                ['', 'all sliders'],
                ...driving.value.map(({ name, count }) => [name, `${name} (${count})`] as [string, string]),
              ]}
              tip="List those that this slider drives"
              onChange={(next) => {
                ofSlider.value = next
              }}
            />
            <Button
              icon="eye"
              tip="List only those that are on in this pose"
              pressed={onlyOn.value}
              onClick={() => {
                onlyOn.value = !onlyOn.value
              }}
            />
          </div>
        )}
        {!rows.length && (
          <p class="empty">{all ? 'None is like this.' : 'Every slider drives its shapes in proportion.'}</p>
        )}
        <ul class="list correctives" aria-label="Correctives">
          {rows.map((each) => (
            <CorrectiveRow key={each.name} info={each} />
          ))}
        </ul>
      </Section>
      {corrective.value && <ChosenCorrective key={corrective.value.name} info={corrective.value} />}
      <NewCorrective />
    </>
  )
}

function CorrectiveRow({ info: { name, index, factors } }: { info: CorrectiveInfo }) {
  const chosen = chosenShape.value === name
  const drivers = factors.map(({ slider, at, straight }) => (straight ? slider : `${slider} at ${at}`)).join(' × ')
  return (
    <li class={chosen ? 'chosen' : ''} data-corrective={name}>
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip={`${name}: ${drivers}`}
        onClick={() => chooseShape(name)}
      >
        <span class="names">
          <b>{name}</b>
          <small>{drivers}</small>
        </span>
        <ValueNow index={index} />
      </button>
    </li>
  )
}

/** How much of the shape the pose has; drawn anew only where the number that is shown is another. */
function ValueNow({ index }: { index: number }) {
  const shown = useComputed(() => (posed.value >= 0 && values[index] ? values[index].toFixed(2) : ''))
  return <small class="value">{shown}</small>
}
