/** Brushes for the chosen shape. */
import { shapes } from '../../../core/document'
import { tool } from '../../../core/view'
import { BrushSize } from '../../../widgets/brush'
import { Button, Check, Choice, Range, Section, Segments } from '../../../widgets/controls'
import { chosenShape } from '../state'
import { set, touch } from './state'
import { showIfOff, toggleTouch, TOOL } from './tool'

const KINDS = [
  ['smooth', 'Smooth', 'Even out how the face moves under the brush'],
  ['relax', 'Relax', 'Even out the motion along the surface, and keep the form'],
  ['grab', 'Grab', 'Pull the face with the pointer'],
  ['erase', 'Erase', 'Take the shape back to the neutral'],
] as const

export function TouchPart() {
  const name = chosenShape.value
  const options = [['', 'choose a shape'] as const, ...shapes.value.map((each) => [each.name, each.name] as const)]
  const { kind, strength, symmetric } = touch.value
  const active = tool.value === TOOL
  return (
    <Section title="Touch up">
      <div class="field">
        <span>Shape</span>
        <Choice
          value={name}
          options={options}
          tip="The shape that the brush changes; all others stay as they are"
          onChange={(next) => {
            chosenShape.value = next
            if (next && active) showIfOff()
          }}
        />
      </div>
      <Segments value={kind} options={KINDS} label="Brush" onChange={(next) => set({ kind: next })} />
      <p class="about">{KINDS.find(([key]) => key === kind)![2]}.</p>
      <BrushSize />
      <div class="field">
        <span>Strength</span>
        <Range
          label="Strength of the brush"
          value={strength}
          low={0.05}
          high={1}
          step={0.05}
          tip={`${Math.round(100 * strength)} %: how much one pass changes in the middle of the brush`}
          onChange={(next) => set({ strength: next })}
        />
      </div>
      <Check
        label="Both sides alike"
        on={symmetric}
        tip="Touch the other side of the face in the same way"
        onChange={(next) => set({ symmetric: next })}
      />
      <div class="row">
        <Button
          id="touch-up"
          icon="brush"
          tone={active ? 'plain' : 'strong'}
          pressed={active}
          disabled={!name}
          label={active ? 'Put the brush away' : 'Touch up on the face'}
          tip={
            name
              ? 'Drag over the face to change the chosen shape; it is shown fully on if it is off'
              : 'Choose a shape first'
          }
          onClick={toggleTouch}
        />
      </div>
      <p class="about">
        A stroke is one step. What is not connected to the spot under the pointer, such as the other lip, stays.
      </p>
    </Section>
  )
}
