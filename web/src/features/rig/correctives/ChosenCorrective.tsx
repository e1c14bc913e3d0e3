/** The chosen in-between or combination: what drives it, its graph, and the poses in which to check it. */
import type { CorrectiveInfo, FactorInfo } from '../../../core/protocol.gen'
import { edit } from '../../../core/server'
import { Button, Choice, NumberField, Section, Segments } from '../../../widgets/controls'
import { deleteShape } from '../shapes/actions'
import { chosenShape, part } from '../state'
import { sliders } from '../../../core/sliders'
import { convert, drive, join, leaveCorners, release, showCorner } from './actions'
import { endOf, tidy } from './graph'
import { Hats, Products } from './Graph'
import { correctives, walk } from './state'

const FORMS = [
  ['target', 'Target', 'The face at this value is this shape'],
  ['addition', 'Addition', 'This shape is added to the straight line of the slider'],
] as const

export function ChosenCorrective({ info }: { info: CorrectiveInfo }) {
  const { name, kind, factors, additive } = info
  const slider = factors[0].slider
  const aside = (
    <span class="actions">
      <Button icon="eye" tip={`Show ${name} fully on`} onClick={() => void edit({ type: 'ShowShape', shape: name })} />
      <Button
        icon="brush"
        tip={`Touch up ${name} with brushes`}
        onClick={() => {
          part.value = 'touch'
        }}
      />
      <Button icon="trash" tip={`Delete ${name}`} onClick={() => deleteShape(name)} />
      <Button
        icon="close"
        tip="Choose no corrective"
        onClick={() => {
          chosenShape.value = ''
        }}
      />
    </span>
  )
  return (
    <Section title={name} aside={aside} named>
      {kind === 'in-between' && (
        <div class="field">
          <span>As</span>
          <Segments
            value={additive ? 'addition' : 'target'}
            options={FORMS.map(([key, label, tip]) => [key, label, `${tip}; all in-betweens of ${slider} are converted, and the face stays the same`] as const)} // prettier-ignore
            label="Form of the in-between"
            onChange={(form) => void convert(slider, form === 'addition')}
          />
        </div>
      )}
      {factors.map((factor) => (
        <FactorRow key={factor.slider} factor={factor} alone={factors.length === 1} additive={additive} />
      ))}
      {additive && <MoreSliders key={factors.length} info={info} />}
      {kind === 'in-between' ? <Hats chosen={info} all={correctives.value} /> : <Products chosen={info} />}
      <Corners info={info} />
    </Section>
  )
}

/** Sliders that may drive the shape besides those that do. */
function MoreSliders({ info: { factors } }: { info: CorrectiveInfo }) {
  const others = sliders.value
    .map(({ info: { name } }) => name)
    .filter((name) => factors.every((f) => f.slider !== name))
  return (
    <Choice
      value=""
      options={[['', 'times another slider …'], ...others.map((name) => [name, name] as [string, string])]}
      tip="Let another slider drive it, too: it is on only as far as all are"
      onChange={join}
    />
  )
}

const KINDS = [
  ['value', 'its value'],
  ['hat', 'a hat'],
] as const

function FactorRow({ factor, alone, additive }: { factor: FactorInfo; alone: boolean; additive: boolean }) {
  const { slider, at, low, high, straight, curve } = factor
  const [least, most] = [curve[0][0], curve.at(-1)![0]]
  const field = (what: string, value: number, tip: string, onChange: (value: number) => void, disabled = false) => (
    <label class="knot">
      <small>{what}</small>
      <NumberField
        value={value}
        step={0.05}
        low={least}
        high={most}
        tip={tip}
        disabled={disabled}
        onChange={onChange}
      />
    </label>
  )
  return (
    <div class="factor-knots" data-factor={slider}>
      <div class="factor">
        <span class="name">{slider}</span>
        {!alone && (
          <Choice
            value={straight ? 'value' : 'hat'}
            options={KINDS}
            tip={`What ${slider} gives: its value, or a hat that is 1 at a value of its own`}
            onChange={(kind) => drive(slider, { at: kind === 'value' ? 1 : tidy(endOf(factor) / 2), span: null })}
          />
        )}
        {!alone && <Button icon="close" tip={`Take ${slider} away`} onClick={() => release(slider)} />}
      </div>
      {!straight && (
        <div class="knots">
          {field(
            '0 at',
            low ?? least,
            `Below this value of ${slider} it is off`,
            (value) => drive(slider, { span: [value, high] }),
            !additive,
          )}
          {field('1 at', at, `At this value of ${slider} it is full`, (value) => drive(slider, { at: value }))}
          {field(
            '0 at',
            high ?? most,
            high === null ? `It goes on beyond ${at}` : `From this value of ${slider} on it is off`,
            (value) => drive(slider, { span: [low, value] }),
            !additive,
          )}
        </div>
      )}
    </div>
  )
}

function Corners({ info: { name, factors, corners } }: { info: CorrectiveInfo }) {
  const at = walk.value?.shape === name ? walk.value.corner : -1
  const step = (by: number) => void showCorner(name, (at + by + corners.length) % corners.length)
  const words = corners[at]?.map((value, i) => `${factors[i].slider} ${tidy(value)}`).join(', ')
  return (
    <div class="corners" role="group" aria-label="Poses to check">
      <div class="row">
        <Button icon="previous" tip="The pose to check before this one" onClick={() => (at < 0 ? step(0) : step(-1))} />
        <span class="count">{at < 0 ? `${corners.length} poses to check` : `${at + 1} of ${corners.length}`}</span>
        <Button icon="next" tip="The next pose to check" onClick={() => step(1)} />
        {at >= 0 && (
          <Button
            icon="undo"
            label="Back"
            tip="Back to the pose before the check"
            onClick={() => void leaveCorners()}
          />
        )}
      </div>
      {words && <p class="about">{words}</p>}
    </div>
  )
}
