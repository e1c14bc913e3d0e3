/** A new rule: of points that are painted, or of a region. */
import { regions } from '../../../core/regions'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { tool } from '../../../core/view'
import { Button, Choice, Section, Segments } from '../../../widgets/controls'
import { chosenRule, freeName, kind, rule, rules } from './state'
import { leaveRule, paint, RULE_TOOL, slidersOf } from './tool'

const KINDS = [
  ['within', 'Stays within', 'The points stay within a distance of where they rest'],
  ['only', 'Only these sliders', 'The points are moved by some sliders only'],
] as const

export function NewRule() {
  const painting = tool.value === RULE_TOOL && rule.value === null
  const named = regions.value.filter(({ parent }) => parent >= 0)
  return (
    <Section title="New rule">
      <Segments
        value={kind.value}
        options={KINDS}
        label="Kind of the rule"
        onChange={(next) => {
          kind.value = next
        }}
      />
      {kind.value === 'only' && (
        <p class="about">
          {chosen.value.length
            ? `It begins with the ${chosen.value.length === 1 ? 'slider that is' : `${chosen.value.length} sliders that are`} selected on the left.`
            : 'Sliders that are selected on the left are taken; others are added later.'}
        </p>
      )}
      <div class="row">
        <Button
          id="paint-rule"
          icon="brush"
          tone={painting ? 'plain' : 'strong'}
          pressed={painting}
          label={painting ? 'Paint no more' : 'Paint its points'}
          tip="Drag over the face to say which points the rule is about; a click takes those under the brush"
          onClick={() => (painting ? leaveRule() : paint(''))}
        />
      </div>
      {named.length > 0 && (
        <div class="field">
          <span>Or take</span>
          <Choice
            key={rules.value.length}
            value=""
            options={[['', 'a region …'], ...named.map(({ name }) => [name, name] as [string, string])]}
            tip="The rule is about the points of a region"
            onChange={(region) => region && void ofRegion(region)}
          />
        </div>
      )}
    </Section>
  )
}

async function ofRegion(region: string): Promise<void> {
  const known = rules.value.some(({ name }) => name === region)
  const name = known ? freeName(rules.value) : region
  if (await edit({ type: 'AddRule', rule: name, kind: kind.value, region, sliders: slidersOf(kind.value) }))
    chosenRule.value = name
}
