/** A new in-between or combination, at the pose that is there. */
import { useRef } from 'preact/hooks'
import { suffixesOf } from '../../../core/files'
import { Button, NumberField, Section, Segments } from '../../../widgets/controls'
import { FileInput } from '../../../widgets/FileInput'
import { make, makeFromSculpt } from './actions'
import { change, draft, draftName, proposed, taken, type Proposed } from './state'

const STARTS = [
  ['empty', 'Empty', 'It changes nothing yet; touch it up on the face'],
  ['face', 'This face', 'The face as it is shown, with the ticked sliders alone: it takes over what the others add'],
] as const

const KINDS = [
  ['addition', 'Addition', 'It is added to what the slider does there'],
  ['target', 'Target', 'It is what the slider does there'],
] as const

export function NewCorrective() {
  const sculpt = useRef<HTMLInputElement>(null)
  const [rows, on] = [proposed.value, taken.value]
  const none = !on.length
  return (
    <Section title="New at this pose">
      {!rows.length && <p class="empty">The face is at rest: move the sliders that the corrective is for.</p>}
      {rows.length > on.length && (
        <p class="rule-state">
          {on.length} of {rows.length} sliders that are on are ticked
        </p>
      )}
      {rows.map((each) => (
        <ProposedRow key={each.slider} {...each} />
      ))}
      {rows.length > 0 && (
        <>
          <label class="field" data-tip="The name of the new shape">
            <span>Name</span>
            <input
              type="text"
              class="text-input"
              aria-label="Name of the new corrective"
              placeholder={draftName.value || 'tick a slider'}
              value={draft.value.name}
              maxLength={200}
              onInput={(event) => change({ name: event.currentTarget.value })}
              onKeyDown={(event) => event.stopPropagation()}
            />
          </label>
          <div class="field">
            <span>From</span>
            <Segments
              value={draft.value.start}
              options={STARTS}
              label="What it begins with"
              onChange={(start) => change({ start })}
            />
          </div>
          {on.length === 1 && (
            <div class="field">
              <span>As</span>
              <Segments
                value={draft.value.additive ? 'addition' : 'target'}
                options={KINDS}
                label="Kind of the in-between"
                onChange={(kind) => change({ additive: kind === 'addition' })}
              />
            </div>
          )}
          <div class="row">
            <Button
              id="make-corrective"
              icon="plus"
              tone="strong"
              disabled={none}
              label="Make"
              tip={
                none
                  ? 'Tick a slider first'
                  : `Add the ${on.length === 1 ? 'in-between' : 'combination'} ${draftName.value}`
              }
              onClick={() => void make()}
            />
            <Button
              icon="open"
              disabled={none}
              label="Sculpt …"
              tip="Make it from the sculpt of this pose: a mesh with the same points and polygons"
              onClick={() => sculpt.current?.click()}
            />
            <FileInput
              input={sculpt}
              id="sculpt-file"
              label="The sculpt of this pose"
              accept={suffixesOf('rig')}
              onFile={(file) => void makeFromSculpt(file)}
            />
          </div>
        </>
      )}
    </Section>
  )
}

function ProposedRow({ slider, at, low, high, taken: isTaken }: Proposed) {
  const { ticks, values } = draft.value
  return (
    <div class="factor" data-proposed={slider}>
      <label data-tip={isTaken ? `Take ${slider} away` : `Let ${slider} drive it, too`}>
        <input
          type="checkbox"
          aria-label={slider}
          checked={isTaken}
          onChange={() => change({ ticks: { ...ticks, [slider]: !isTaken } })}
        />
        <span class="name">{slider}</span>
      </label>
      <NumberField
        value={at}
        step={0.05}
        low={low}
        high={high}
        disabled={!isTaken}
        tip={`The value of ${slider} where the corrective is full`}
        onChange={(value) => change({ values: { ...values, [slider]: value } })}
      />
    </div>
  )
}
