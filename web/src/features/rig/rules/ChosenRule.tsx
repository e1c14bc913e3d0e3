/** The chosen rule: its name, its points, and what it allows. */
import { rig } from '../../../core/document'
import { chosen as selected } from '../../../core/selection'
import { edit } from '../../../core/server'
import { tool } from '../../../core/view'
import { BrushSize } from '../../../widgets/brush'
import { Button, Choice, NumberField, Section } from '../../../widgets/controls'
import { Icon } from '../../../widgets/icons'
import { NameField } from '../../../widgets/NameField'
import { chosenRule, type ListedRule } from './state'
import { leaveRule, paint, RULE_TOOL } from './tool'

export function ChosenRule({ rule }: { rule: ListedRule }) {
  const { name, vertices } = rule
  const painting = tool.value === RULE_TOOL
  const aside = (
    <span class="actions">
      <Button
        icon="brush"
        pressed={painting}
        tip="Paint its points on the face; Shift wipes them away"
        onClick={() => (painting ? leaveRule() : paint(name))}
      />
      <Button icon="trash" tip="Delete the rule" onClick={() => void edit({ type: 'DeleteRule', rule: name })} />
      <Button
        icon="close"
        tip="Choose no rule"
        onClick={() => {
          chosenRule.value = ''
          if (painting) leaveRule()
        }}
      />
    </span>
  )
  return (
    <Section title={name} aside={aside} named>
      <NameField key={name} label="Name" name={name} tip="Rename the rule" onChange={(next) => rename(name, next)} />
      <p class="rule-state">
        {vertices.length === 1 ? '1 point' : `${vertices.length} points`}
        {rule.broken > 0 && `, ${rule.broken} of them too far in this pose`}
      </p>
      {painting && <BrushSize />}
      <Limit rule={rule} />
      {rule.kind === 'only' && <Sliders rule={rule} />}
    </Section>
  )
}

async function rename(from: string, to: string): Promise<boolean> {
  const name = to.trim()
  const done = name !== '' && name !== from && (await edit({ type: 'RenameRule', rule: from, name }))
  if (done) chosenRule.value = name
  return done
}

/** How far the points may go, in shares of the face's size. */
function Limit({ rule: { name, kind, allowed } }: { rule: ListedRule }) {
  const size = rig.value?.size || 1
  return (
    <div class="field">
      <span>{kind === 'within' ? 'Within' : 'Ignores'}</span>
      <NumberField
        value={(100 * allowed) / size}
        digits={kind === 'within' ? 2 : 3}
        low={0}
        high={1000}
        step={kind === 'within' ? 0.1 : 0.01}
        suffix="% of the face"
        tip={
          kind === 'within'
            ? `How far its points may go from where they rest: ${Number(allowed.toPrecision(3))} scene units`
            : 'Motion by other sliders that is too small to count'
        }
        onChange={(next) => void edit({ type: 'SetRule', rule: name, share: next / 100 })}
      />
    </div>
  )
}

/** The sliders that may move the points. */
function Sliders({ rule: { name, sliders } }: { rule: ListedRule }) {
  const set = (next: string[]) => void edit({ type: 'SetRule', rule: name, sliders: next })
  const others = (rig.value?.sliders ?? []).map((each) => each.name).filter((each) => !sliders.includes(each))
  const more = selected.value.filter((each) => !sliders.includes(each))
  return (
    <>
      <p class="rule-state">{sliders.length ? 'Only these sliders move them:' : 'No slider may move them.'}</p>
      <ul class="list rule-sliders" aria-label="Sliders that may move its points">
        {sliders.map((slider) => (
          <li key={slider}>
            <span class="item">{slider}</span>
            <button
              type="button"
              class="quiet"
              aria-label={`${slider} may not move its points`}
              data-tip={`Let ${slider} not move its points`}
              onClick={() => set(sliders.filter((each) => each !== slider))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <div class="field">
        <span>Add</span>
        <Choice
          value=""
          options={[['', 'a slider …'], ...others.map((each) => [each, each] as [string, string])]}
          tip="A slider that may move its points, too"
          onChange={(next) => next && set([...sliders, next])}
        />
      </div>
      {more.length > 0 && (
        <div class="row">
          <Button
            icon="plus"
            label={more.length === 1 ? `Add ${more[0]}` : `Add ${more.length} selected sliders`}
            tip="The sliders that are selected on the left may move its points, too"
            onClick={() => set([...sliders, ...more])}
          />
        </div>
      )}
    </>
  )
}
