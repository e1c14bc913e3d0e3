/** The pins on the face. */
import { pins } from '../../core/document'
import { livePins, selectedPins, selectPin } from '../../core/selection'
import { deletePins, mirrorPins, toggleFree, toggleHold } from './actions'
import { Button, Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'

export function PinsSection() {
  const chosen = livePins.value
  const aside = (
    <span class="actions">
      <Button
        icon="lock"
        tip="Selected pins stay exactly where they are while others are dragged; otherwise they stay softly"
        keys="H"
        disabled={!chosen.length}
        onClick={() => toggleHold()}
      />
      <Button
        icon="release"
        tip="Let go of the selected pins: they move along when others are dragged"
        keys="L"
        disabled={!chosen.length}
        onClick={() => toggleFree()}
      />
      <Button
        icon="mirror"
        tip="Set the selected pins on the other side, too"
        keys="M"
        disabled={!chosen.length}
        onClick={() => mirrorPins()}
      />
      <Button
        icon="trash"
        tip={chosen.length ? 'Take the selected pins away' : 'Take all pins away'}
        keys="Del"
        disabled={!pins.value.length}
        onClick={() => deletePins()}
      />
    </span>
  )
  return (
    <Section title={`Pins ${pins.value.length || ''}`} aside={aside}>
      {pins.value.length === 0 && <p class="empty">Click the face to set a pin, then drag it.</p>}
      <ul class="list">
        {pins.value.map((pin) => (
          <li key={pin.id} class={chosen.includes(pin.id) ? 'chosen' : ''}>
            <button
              type="button"
              class="item"
              aria-pressed={chosen.includes(pin.id)}
              data-tip="Select this pin, with Ctrl another one to it"
              onClick={(event) => selectPin(pin.id, event.ctrlKey || event.metaKey)}
            >
              <i class={`mark${pin.hold ? ' hold' : pin.free ? ' free' : ''}`} />
              Pin {pin.id}
              <span class="faint">
                {pin.hold ? 'holds' : pin.free ? 'free' : pin.axes === 'xyz' ? '' : `${pin.axes} only`}
              </span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-pressed={pin.hold}
              aria-label={`Pin ${pin.id} holds`}
              data-tip={pin.hold ? 'Let it stay only softly' : 'It stays exactly where it is while others are dragged'}
              onClick={() => toggleHold([pin.id])}
            >
              <Icon name={pin.hold ? 'lock' : 'unlock'} />
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={`Take pin ${pin.id} away`}
              data-tip="Take this pin away"
              onClick={() => {
                deletePins([pin.id])
                selectedPins.value = []
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
