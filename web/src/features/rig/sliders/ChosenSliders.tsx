/** The selected sliders, and what can be done with them. */
import { useSignal } from '@preact/signals'
import { rig } from '../../../core/document'
import type { SliderInfo } from '../../../core/protocol.gen'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { Button, NumberField, Section } from '../../../widgets/controls'
import { NameField } from '../../../widgets/NameField'
import { joinSliders, moveSliders, partSlider, renameSlider } from './actions'
import { joinedName } from './order'

interface Props {
  sliders: SliderInfo[] // one at least, in the rig's order
}

export function ChosenSliders({ sliders }: Props) {
  const names = sliders.map(({ name }) => name)
  const first = sliders[0]!
  const aside = (
    <span class="actions">
      <Button icon="up" tip="Move up in the order of sliders" onClick={() => moveSliders(names, 'up')} />
      <Button icon="down" tip="Move down in the order of sliders" onClick={() => moveSliders(names, 'down')} />
      <Button
        icon="close"
        tip="Select no slider"
        onClick={() => {
          chosen.value = []
        }}
      />
    </span>
  )
  const alone = sliders.length === 1
  return (
    <Section title={alone ? first.name : `${sliders.length} sliders`} aside={aside} named>
      {alone && (
        <NameField
          key={first.name}
          label="Name"
          name={first.name}
          tip="Rename the slider, and its shape if it has the same name; clips, locks and sets follow"
          onChange={(name) => renameSlider(first.name, name)}
        />
      )}
      <Bounds sliders={sliders} names={names} />
      <NameField
        key={`${names.join('\n')}\n${first.group}`}
        label="Group"
        name={first.group}
        tip="Put the selected sliders into this group, such as mouth"
        onChange={(group) => void setGroup(sliders, group)}
      />
      {alone && first.low < 0 && first.high > 0 && (
        <div class="row">
          <Button
            icon="split"
            label="Part at 0"
            tip={`Make two sliders of ${first.name}: one for what is below 0, one for what is above; clips follow`}
            onClick={() => void partSlider(first.name)}
          />
        </div>
      )}
      {sliders.length === 2 && <TwoEnds key={names.join('\n')} sliders={sliders} />}
    </Section>
  )
}

function setGroup(sliders: SliderInfo[], to: string): void {
  const group = to.trim()
  if (group && sliders.some((each) => each.group !== group))
    void edit({ type: 'SetSliderGroup', sliders: sliders.map(({ name }) => name), group })
}

/** From where to where the sliders go. */
function Bounds({ sliders, names }: Props & { names: string[] }) {
  const { low, high } = sliders[0]!
  const set = (from: number, to: number) => void edit({ type: 'SetBounds', sliders: names, low: from, high: to })
  return (
    <div class="field bench-bounds">
      <span>Bounds</span>
      <NumberField
        value={low}
        step={0.1}
        tip="The lowest value; the pose is brought into the bounds, clips keep their curves"
        onChange={(next) => set(next, high)}
      />
      <i>to</i>
      <NumberField
        value={high}
        step={0.1}
        tip="The highest value; the pose is brought into the bounds, clips keep their curves"
        onChange={(next) => set(low, next)}
      />
    </div>
  )
}

/** Two sliders that can become the ends of one. */
function TwoEnds({ sliders }: Props) {
  const turned = useSignal(false)
  const [negative, positive] = (turned.value ? [...sliders].reverse() : sliders).map(({ name }) => name) as [
    string,
    string,
  ]
  const taken = (rig.value?.sliders ?? []).map(({ name }) => name)
  const given = useSignal('')
  const name = given.value || joinedName(negative, positive, taken)
  const bad = sliders.find(({ low, high }) => low !== 0 || high <= 0)
  if (bad) return <p class="about">Two sliders that start at 0 can become one with a negative end.</p>
  return (
    <>
      <div class="bench-ends">
        <span>
          <b>−1</b> {negative}
        </span>
        <Button
          icon="mirror"
          tip="Exchange the negative and the positive end"
          onClick={() => {
            turned.value = !turned.value
          }}
        />
        <span>
          <b>+1</b> {positive}
        </span>
      </div>
      <NameField
        key={name}
        label="As"
        name={name}
        tip="The name of the slider that has both as its ends"
        onChange={(next) => {
          given.value = next.trim()
        }}
      />
      <div class="row">
        <Button
          icon="link"
          label="Make one slider of both"
          tip={`${name} from −1, ${negative}, to 1, ${positive}; poses and clips follow`}
          onClick={() => void joinSliders(negative, positive, name)}
        />
      </div>
    </>
  )
}
