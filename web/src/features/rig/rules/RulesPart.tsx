/** The rules of the rig: a list that says which the pose breaks, the chosen one, a new one, and the worst poses. */
import { rig } from '../../../core/document'
import { Section } from '../../../widgets/controls'
import { ChosenRule } from './ChosenRule'
import { NewRule } from './NewRule'
import './rules.css'
import { chosenRule, percent, rule, rules, type ListedRule } from './state'
import { WorstPoses } from './WorstPoses'

export function RulesPart() {
  const broken = rules.value.filter((each) => each.broken > 0).length
  return (
    <>
      <Section title={rules.value.length ? `Rules ${rules.value.length}` : 'Rules'}>
        {!rules.value.length && <p class="empty">No rules yet: drags and takes may move every point anywhere.</p>}
        {broken > 0 && (
          <p class="rule-state broken" role="status">
            {broken === 1 ? '1 rule is' : `${broken} rules are`} broken in this pose.
          </p>
        )}
        {rules.value.length > 0 && !broken && <p class="rule-state">This pose keeps them all.</p>}
        <ul class="list rules" aria-label="Rules">
          {rules.value.map((each) => (
            <RuleRow key={each.name} rule={each} />
          ))}
        </ul>
      </Section>
      {rule.value && <ChosenRule rule={rule.value} />}
      <NewRule />
      {rules.value.length > 0 && <WorstPoses />}
    </>
  )
}

function RuleRow({ rule: { name, kind, sliders, allowed, furthest, broken, vertices } }: { rule: ListedRule }) {
  const size = rig.value?.size || 1
  const chosen = chosenRule.value === name
  const words = kind === 'within' ? `within ${percent(allowed / size)}` : `only ${names(sliders)}`
  const now = broken
    ? `${broken} of its ${vertices.length} points go too far, up to ${percent(furthest / size)} of the face`
    : 'kept in this pose'
  return (
    <li class={chosen ? 'chosen' : ''} data-rule={name}>
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip={`${name}: ${now}`}
        onClick={() => {
          chosenRule.value = chosen ? '' : name
        }}
      >
        <i class={broken ? 'rule-light broken' : 'rule-light'} />
        <span class="names">
          <b>{name}</b>
          <small>{words}</small>
        </span>
        <small>{broken ? `${broken} of ${vertices.length}` : vertices.length}</small>
      </button>
    </li>
  )
}

const names = (sliders: readonly string[]) =>
  !sliders.length ? 'nothing' : sliders.length > 2 ? `${sliders[0]} and ${sliders.length - 1} more` : sliders.join(', ')
