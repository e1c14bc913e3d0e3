/** Parts of the face, shown or hidden. */
import { rig } from '../../core/document'
import { toggle } from '../../core/view'
import { Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'
import { hiddenParts } from './state'

export function PartsSection() {
  const parts = rig.value?.parts ?? []
  if (parts.length < 2) return null
  return (
    <Section title="Parts">
      <ul class="list">
        {parts.map(({ name }) => {
          const hidden = hiddenParts.value.includes(name)
          return (
            <li key={name} class={hidden ? 'off' : ''}>
              <button
                type="button"
                class="item"
                aria-pressed={!hidden}
                data-tip={hidden ? 'Show this part' : 'Hide this part'}
                onClick={() => toggle(hiddenParts, name)}
              >
                <Icon name={hidden ? 'eyeOff' : 'eye'} />
                {name}
              </button>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
