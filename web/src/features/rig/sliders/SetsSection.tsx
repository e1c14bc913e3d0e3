/** Sets of sliders that drags and takes use: named ones are made of the selected sliders. */
import { dragSliders, sliderSets, takeSliders } from '../../../core/document'
import type { SliderSet } from '../../../core/protocol.gen'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { Section } from '../../../widgets/controls'
import { Icon } from '../../../widgets/icons'
import { SliderSets } from '../../../widgets/SliderSets'
import { NameField } from '../../../widgets/NameField'
import { selected } from './state'

export function SetsSection() {
  const names = selected.value.map(({ name }) => name)
  return (
    <Section title={sliderSets.value.length ? `Sets ${sliderSets.value.length}` : 'Sets'}>
      <SliderSets
        label="Drags"
        kept={dragSliders.value}
        tip="Which sliders drags may move"
        onChange={(sliders) => void edit({ type: 'SetDragSliders', sliders })}
      />
      <SliderSets
        label="Takes"
        kept={takeSliders.value}
        tip="Which sliders takes are solved with"
        onChange={(sliders) => void edit({ type: 'SetTakeSliders', sliders })}
      />
      <ul class="list bench-sets" aria-label="Sets of sliders">
        {sliderSets.value.map((each) => (
          <Row key={each.name} set={each} />
        ))}
      </ul>
      {names.length > 0 ? (
        <NameField
          key={sliderSets.value.length}
          label="Keep as"
          name=""
          tip={`Keep the ${names.length === 1 ? 'selected slider' : `${names.length} selected sliders`} as a set of this name`}
          onChange={(name) => name.trim() && void edit({ type: 'KeepSliderSet', name: name.trim(), sliders: names })}
        />
      ) : (
        <p class="about">Select sliders to keep them as a set with a name.</p>
      )}
    </Section>
  )
}

function Row({ set: { name, sliders } }: { set: SliderSet }) {
  return (
    <li data-set={name}>
      <button
        type="button"
        class="item"
        data-tip={`${name}: ${sliders.join(', ')}. Click selects them`}
        onClick={() => {
          chosen.value = [...sliders]
        }}
      >
        <span>{name}</span>
        <small>{sliders.length === 1 ? '1 slider' : `${sliders.length} sliders`}</small>
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Drop the set ${name}`}
        data-tip="Drop the set; drags and takes that use it keep its sliders"
        onClick={() => void edit({ type: 'DropSliderSet', name })}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}
