/** The pair that is looked at: what it does, and a corrective to start from. */
import { useEffect, useRef } from 'preact/hooks'
import { rig, shapes } from '../../../core/document'
import type { PairInfo } from '../../../core/protocol.gen'
import { edit } from '../../../core/server'
import { say } from '../../../core/toasts'
import { Button, Check, Section } from '../../../widgets/controls'
import { chosenShape } from '../state'
import { signed } from './Matrix'
import { bothSides, chosenPair, posing } from './state'

export function ChosenPair({ pair }: { pair: PairInfo }) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), [pair.first, pair.second])
  const { first, second, interference, shared, direction, twin, advice } = pair
  const aside = (
    <span class="actions">
      <Button
        icon="close"
        tip="Look at no pair: the face goes back to its pose"
        onClick={() => {
          chosenPair.value = null
        }}
      />
    </span>
  )
  return (
    <div ref={root} class="chosen-pair">
      <Section title={`${first} × ${second}`} aside={aside} named>
        <p class="rule-state">
          {signed(interference)}: shared {shared.toFixed(2)} × direction {signed(direction)}. {advice}
        </p>
        <p class="rule-state">On the face: warm where both push the same way, cold where against each other.</p>
        <Check
          label="Show both at full"
          on={posing.value}
          tip="Show the face with both sliders at full and nothing else; the pose itself stays as it is"
          onChange={(on) => {
            posing.value = on
          }}
        />
        {twin && (
          <Check
            label="Both sides alike"
            on={bothSides.value}
            tip={`Add a corrective for ${twin[0]} with ${twin[1]}, too`}
            onChange={(on) => {
              bothSides.value = on
            }}
          />
        )}
        <div class="row">
          <Button
            label="Pose it"
            tip="Pose the face with both at full; this is a step that can be undone"
            onClick={() => void pose(first, second)}
          />
          <Button
            id="soften-pair"
            tone="strong"
            label="Soften"
            tip="Add a combination that takes back what both overshoot together: parallel motions come to the longer of the two"
            onClick={() => void correct(pair, true)}
          />
        </div>
        <div class="row">
          <Button
            label="Empty combination"
            tip="Add a combination of both at full that does nothing yet, to sculpt or touch up"
            onClick={() => void correct(pair, false)}
          />
        </div>
      </Section>
    </div>
  )
}

async function pose(first: string, second: string): Promise<void> {
  const full = (name: string) => {
    const found = rig.value?.sliders.find((each) => each.name === name)
    return !found ? 0 : Math.abs(found.low) > Math.abs(found.high) ? found.low : found.high
  }
  const weights = { [first]: full(first), [second]: full(second) }
  if (await edit({ type: 'ShowPose', weights, what: `${first} with ${second}`.slice(0, 200) })) chosenPair.value = null
}

/** Add a corrective for the pair, and choose it for the brushes. */
async function correct({ first, second, twin }: PairInfo, softened: boolean): Promise<void> {
  const before = new Set(shapes.value.map(({ name }) => name))
  const pairs: [string, string][] = [[first, second], ...(twin && bothSides.value ? [twin] : [])]
  if (!(await edit({ type: 'AddPairCorrective', pairs, softened }))) return
  const added = shapes.value.filter(({ name }) => !before.has(name)).map(({ name }) => name)
  if (added.length) chosenShape.value = added[0]
  say(`Added ${added.join(' and ')}. Touch it up, or import its sculpt.`)
}
