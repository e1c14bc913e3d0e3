/** Which sliders make a pose: as guessed, and as solved. */
import { useSignal } from '@preact/signals'
import { addSliders, guess } from './actions'
import type { BuildPose, BuildSlider } from '../../core/protocol.gen'
import { offersFor, weightRows, type WeightRow } from './state'
import { edit } from '../../core/server'
import { Button, NumberField } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'

export function WeightTable({ pose, sliders }: { pose: BuildPose; sliders: BuildSlider[] }) {
  const rows = weightRows(pose)
  const bounds = new Map(sliders.map((slider) => [slider.name, slider]))
  return (
    <div class="weights">
      {rows.length > 0 && (
        <p class="weights-head">
          <span>slider</span>
          <span>guessed</span>
          <span>solved</span>
          <span />
        </p>
      )}
      {rows.map((row) => (
        <Row key={row.name} row={row} pose={pose} slider={bounds.get(row.name)} />
      ))}
      {pose.guess && !rows.length && <p class="empty">Say which sliders make this pose, and about how much.</p>}
      <FindSlider pose={pose} sliders={sliders} />
      <div class="weights-foot">
        <Button
          label="Guess it"
          tip="Let the sliders be guessed by what the face does"
          onClick={() => guess(pose.name, null)}
        />
        {pose.aligned && (
          <Button
            label="Do not align"
            tip="Take the pose where it is, neither turned, moved nor scaled"
            onClick={() => edit({ type: 'AlignPose', pose: pose.name, aligned: false })}
          />
        )}
      </div>
    </div>
  )
}

function Row({ row, pose, slider }: { row: WeightRow; pose: BuildPose; slider: BuildSlider | undefined }) {
  return (
    <div class={`weight${row.guess === null ? ' unnamed' : ''}`} data-weight={row.name}>
      <span
        class="weight-name"
        data-tip={row.guess === null ? `${row.name}: nobody named it, the solver uses it` : row.name}
      >
        {row.name}
      </span>
      {row.guess === null ? (
        <span class="faint">–</span>
      ) : (
        <NumberField
          value={row.guess}
          step={0.05}
          low={slider?.low ?? 0}
          high={slider?.high ?? 1}
          tip={`About how much of ${row.name} the pose has`}
          onChange={(value) => guess(pose.name, { [row.name]: value })}
        />
      )}
      <span class={`solved${changed(row) ? ' changed' : ''}`}>{row.solved === null ? '–' : row.solved.toFixed(2)}</span>
      {row.guess === null ? (
        slider ? (
          <button
            type="button"
            class="quiet"
            aria-label={`Name ${row.name}`}
            data-tip="Take it into the guess"
            onClick={() => guess(pose.name, { [row.name]: Number((row.solved ?? 1).toFixed(2)) })}
          >
            <Icon name="plus" />
          </button>
        ) : (
          <span />
        )
      ) : (
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${row.name}`}
          data-tip="This slider has no part in the pose"
          onClick={() => guess(pose.name, { [row.name]: null })}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

const changed = (row: WeightRow) => row.guess !== null && row.solved !== null && Math.abs(row.guess - row.solved) > 0.1

/** Add sliders by parts of their names. */
function FindSlider({ pose, sliders }: { pose: BuildPose; sliders: BuildSlider[] }) {
  const text = useSignal('')
  const at = useSignal(0)
  const taken = new Set(Object.keys(pose.guess ?? {}))
  const offers = text.value.trim() ? offersFor(text.value, sliders, taken) : []
  const take = (i: number) => {
    if (offers[i]) addSliders(pose.name, offers[i])
    text.value = ''
    at.value = 0
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && offers.length) at.value = (at.value + step + offers.length) % offers.length
    else if (event.key === 'Enter') take(at.value)
    else if (event.key === 'Escape') text.value = ''
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="find-slider">
      <label class="search" data-tip="Find a slider by parts of its name; Enter adds it">
        <Icon name="search" />
        <input
          type="search"
          placeholder="Add a slider"
          aria-label={`Add a slider to ${pose.name}`}
          aria-controls="slider-offers"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
            at.value = 0
          }}
          onKeyDown={onKey}
        />
      </label>
      {offers.length > 0 && (
        <ul id="slider-offers" class="offers" role="listbox">
          {offers.map((offer, i) => (
            <li key={offer.label}>
              <button
                type="button"
                role="option"
                aria-selected={i === at.value}
                data-tip={`Add ${offer.label}`}
                onClick={() => take(i)}
              >
                {offer.label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {text.value.trim() && !offers.length && <p class="empty">No slider’s name has that in it.</p>}
    </div>
  )
}
