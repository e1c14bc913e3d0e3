/** All sliders in the rig's order; those that are selected here are selected on the left, too. */
import { rig } from '../../../core/document'
import type { SliderInfo } from '../../../core/protocol.gen'
import { chosen } from '../../../core/selection'
import { toggle } from '../../../core/view'
import { Section } from '../../../widgets/controls'
import { FilterField } from '../FilterField'
import { filter } from './state'

export function SliderList() {
  const wanted = filter.value.trim().toLowerCase()
  const listed = (rig.value?.sliders ?? []).filter(({ name, group }) =>
    [name, group].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <Section title={`Sliders ${listed.length}`}>
      <FilterField
        text={filter}
        label="Filter the list of sliders"
        tip="List the sliders whose name or group has this text"
      />
      {!listed.length && <p class="empty">{wanted ? 'No slider has this text.' : 'This rig has no sliders yet.'}</p>}
      <ul class="list bench-sliders" aria-label="Sliders of the rig">
        {listed.map((each) => (
          <Row key={each.name} slider={each} />
        ))}
      </ul>
    </Section>
  )
}

function Row({ slider: { name, low, high, group } }: { slider: SliderInfo }) {
  const isChosen = chosen.value.includes(name)
  return (
    <li class={isChosen ? 'chosen' : ''} data-bench-slider={name}>
      <button
        type="button"
        class="item"
        aria-pressed={isChosen}
        data-tip={`${name}: click selects it alone, Ctrl adds it to the selection`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) toggle(chosen, name)
          else chosen.value = isChosen && chosen.value.length === 1 ? [] : [name]
        }}
      >
        <span class="name">{name}</span>
        <small class="group">{group}</small>
        <small class="range-of">{range(low, high)}</small>
      </button>
    </li>
  )
}

const range = (low: number, high: number) => `${short(low)} … ${short(high)}`.replaceAll('-', '−')
const short = (value: number) => String(Number(value.toFixed(3)))
