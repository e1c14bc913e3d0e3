/** The expressions of an avatar: each a slider that drives several shapes. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { expressions, perfectSync, rig } from '../../core/document'
import { heldRange } from '../../core/gestures/heldRange'
import type { ExpressionInfo } from '../../core/protocol.gen'
import { act, edit, intend } from '../../core/server'
import { Button, Range, Section } from '../../widgets/controls'
import { ChosenExpression } from './ChosenExpression'
import { chosen, chosenName, values } from './state'

export function ExpressionsSection() {
  const listed = expressions.value
  const one = chosen.value
  return (
    <>
      <Section title={`Expressions ${listed.length || ''}`} aside={<Actions />}>
        <PerfectSync />
        {listed.length ? (
          <ul class="expressions">
            {listed.map((each) => (
              <Row key={each.name} expression={each} />
            ))}
          </ul>
        ) : (
          <p class="empty">
            Avatars (.vrm) have expressions, which drive several shapes at once. Pose the face, and make one of the
            pose.
          </p>
        )}
      </Section>
      {one && <ChosenExpression key={one.name} expression={one} />}
    </>
  )
}

async function add(): Promise<void> {
  const taken = new Set(expressions.value.map(({ name }) => name))
  let name = 'expression 1'
  for (let number = 2; taken.has(name); number++) name = `expression ${number}`
  if (await edit({ type: 'AddExpression', name, from_pose: true })) chosenName.value = name
}

function Actions() {
  return (
    <span class="actions">
      <Button icon="plus" tip="Make an expression of the present pose" onClick={() => void add()} />
    </span>
  )
}

/** The expressions of ARKit for this face, in one step. */
function PerfectSync() {
  const progress = perfectSync.value
  if (!progress)
    return (
      <div class="row">
        <Button
          label="Perfect sync"
          tip="Make the 52 expressions of ARKit: shapes that are not there are transferred from the embedded head"
          disabled={!rig.value}
          onClick={() => void act({ type: 'MakePerfectSync' })}
        />
      </div>
    )
  return (
    <div class="row sync-progress">
      <progress
        value={progress.total ? progress.done / progress.total : undefined}
        aria-label="Making the expressions of ARKit"
      />
      <Button label="Stop" tip="Stop making them" onClick={() => void act({ type: 'StopPerfectSync' })} />
    </div>
  )
}

/** All that the slider moves until it is let go is one step. */
function Row({ expression }: { expression: ExpressionInfo }) {
  const { name, preset, sliders } = expression
  const held = useSignal<number | null>(null) // while it is dragged: overrides may keep the face from it
  const drag = useMemo(
    () =>
      heldRange({
        begun: { label: `Expression ${name}` },
        edit: (value) => ({ type: 'SetExpression', expression: name, value }),
        send: intend,
        ended: () => {
          held.value = null
        },
      }),
    [name],
  )
  const value = held.value ?? values.value.get(name) ?? 0
  const tip = `${preset && preset !== name ? `${preset}: ` : ''}drives ${sliders.length} of the sliders`
  return (
    <li class="expression" data-expression={name} data-active={value > 5e-4 ? '' : undefined}>
      <button
        type="button"
        class="name"
        aria-pressed={chosenName.value === name}
        data-tip={`${tip}; choose it to change it`}
        onClick={() => {
          chosenName.value = chosenName.value === name ? '' : name
        }}
      >
        {name}
      </button>
      <Range
        value={value}
        low={0}
        high={1}
        step={expression.is_binary ? 1 : 0.01}
        disabled={!sliders.length}
        label={`Expression ${name}`}
        tip={sliders.length ? tip : 'It drives no shape that has a slider'}
        onChange={(to) => {
          held.value = to
          drag.move(to)
        }}
        held={drag}
      />
      <output>{value.toFixed(2)}</output>
    </li>
  )
}
