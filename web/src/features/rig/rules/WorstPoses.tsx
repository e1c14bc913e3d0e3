/** Poses within the sliders' bounds that break rules, searched beside the session. */
import { act, edit } from '../../../core/server'
import { Button, Section } from '../../../widgets/controls'
import { check, chosenRule, percent } from './state'

const SHOWN = 30

export function WorstPoses() {
  const { progress, current, breaches } = check.value
  return (
    <Section title="Worst poses">
      <div class="row">
        {progress ? (
          <Button label="Stop" tip="Stop the search" onClick={() => void act({ type: 'StopRuleCheck' })} />
        ) : (
          <Button
            id="check-rules"
            icon="search"
            label={breaches ? 'Search again' : 'Search'}
            tip="Search the poses that break the rules most, within the bounds of the sliders"
            onClick={() => void act({ type: 'CheckRules' })}
          />
        )}
      </div>
      {progress && <p class="rule-state">Searching …</p>}
      {!progress && breaches && !current && (
        <p class="rule-state stale" role="status">
          The rig has changed since: search again.
        </p>
      )}
      {!progress && breaches && !breaches.length && <p class="rule-state">No pose breaks a rule.</p>}
      <ul class="list breaches" aria-label="Worst poses">
        {(breaches ?? []).slice(0, SHOWN).map(({ rule, distance, allowed, pose }, i) => (
          <li key={i}>
            <button
              type="button"
              class="item"
              data-tip={`Pose the face so: ${Object.entries(pose)
                .map(([name, value]) => `${name} ${Number(value.toFixed(2))}`)
                .join(', ')}`}
              onClick={() => {
                chosenRule.value = rule
                void edit({ type: 'ShowPose', weights: pose, what: `the worst pose of ${rule}`.slice(0, 200) })
              }}
            >
              <span class="names">
                <b>{rule}</b>
                <small>{Object.keys(pose).join(', ')}</small>
              </span>
              <small data-tip={`${percent(allowed)} of the face is allowed`}>{percent(distance)}</small>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
