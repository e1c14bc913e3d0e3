/** The chosen expression: its name, the shapes that it drives, and what it does to others. */
import { rig } from '../../core/document'
import type { BindInfo, ExpressionInfo, SetExpressionOptions } from '../../core/protocol.gen'
import { edit } from '../../core/server'
import { Button, Check, Choice, NumberField, Section } from '../../widgets/controls'
import { NameField } from '../../widgets/NameField'
import { chosenName } from './state'

const PRESETS = [
  ['', 'none: your own'],
  ...'happy angry sad relaxed surprised aa ih ou ee oh blink blinkLeft blinkRight lookUp lookDown lookLeft lookRight neutral'
    .split(' ')
    .map((name) => [name, name] as const),
] as const
const OVERRIDES = [
  ['none', 'leaves'],
  ['blend', 'blends out'],
  ['block', 'blocks'],
] as const
const KINDS = [
  ['blink', 'Blinks'],
  ['look', 'Looks'],
  ['mouth', 'Mouth'],
] as const

export function ChosenExpression({ expression }: { expression: ExpressionInfo }) {
  const { name, preset, binds } = expression
  const set = (options: Partial<SetExpressionOptions>) =>
    edit({ type: 'SetExpressionOptions', expression: name, ...options })
  const rename = async (typed: string) => {
    const other = typed.trim()
    if (!other || other === name) return
    const done = await edit({ type: 'RenameExpression', expression: name, name: other })
    if (done) chosenName.value = other
    return done
  }
  const aside = (
    <span class="actions">
      <Button
        icon="trash"
        tip="Delete this expression; the shapes stay"
        onClick={() => edit({ type: 'DeleteExpression', expression: name })}
      />
    </span>
  )
  return (
    <Section title={name} aside={aside} named>
      <NameField label="Name" name={name} tip="Another name for this expression" onChange={rename} />
      {binds.map((bind) => (
        <Bind key={`${bind.part}\n${bind.shape}`} expression={name} bind={bind} />
      ))}
      <AddBind expression={expression} />
      <label class="field">
        <span>Preset</span>
        <Choice
          value={preset}
          options={PRESETS}
          tip="What programs take this expression for"
          onChange={(to) => void set({ preset: to })}
        />
      </label>
      <Check
        label="On or off"
        on={expression.is_binary}
        tip="It is on above a half, and off below"
        onChange={(on) => void set({ is_binary: on })}
      />
      {KINDS.map(([kind, words]) => (
        <label key={kind} class="field">
          <span>{words}</span>
          <Choice
            value={expression[kind]}
            options={OVERRIDES}
            tip={`What it does to other expressions while it is on: ${words.toLowerCase()}`}
            onChange={(to) => void set({ [kind]: to })}
          />
        </label>
      ))}
      {expression.more && <p class="about">It changes materials, too: kept as in the file, and not shown.</p>}
    </Section>
  )
}

function Bind({ expression, bind }: { expression: string; bind: BindInfo }) {
  const { shape, value, part, known } = bind
  return (
    <div class="bind" data-bind={shape}>
      <span data-tip={known ? shape : `${shape} is not in the rig: the bind is left out of files`}>
        {shape}
        {part && <small> {part}</small>}
        {!known && <small> not there</small>}
      </span>
      <NumberField
        value={value}
        low={0}
        high={1}
        step={0.05}
        disabled={!known}
        tip={`How far it drives ${shape}`}
        onChange={(to) => void edit({ type: 'BindShape', expression, shape, part, value: to })}
      />
      <Button
        icon="close"
        tip={`Drive ${shape} no longer`}
        onClick={() => edit({ type: 'UnbindShape', expression, shape, part })}
      />
    </div>
  )
}

function AddBind({ expression }: { expression: ExpressionInfo }) {
  const bound = new Set(expression.binds.map(({ shape }) => shape))
  const free = (rig.value?.shapes ?? []).filter(({ name }) => !bound.has(name))
  if (!free.length) return null
  const options = [['', 'Drive another shape …'], ...free.map(({ name }) => [name, name] as const)] as const
  return (
    <Choice
      value=""
      options={options}
      tip="A shape that it drives as well"
      onChange={(shape) => {
        if (shape) void edit({ type: 'BindShape', expression: expression.name, shape, value: 1 })
      }}
    />
  )
}
