/** Pairs of sliders of which at most one is on, and pairs that are proposed. */
import { rig } from '../../../core/document'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { Button, Section } from '../../../widgets/controls'
import { Icon } from '../../../widgets/icons'
import { proposals, selected } from './state'

type Pair = [string, string]

const exclude = (pairs: Pair[]) => void edit({ type: 'ExcludeSliders', pairs })

export function ExclusiveSection() {
  const names = (rig.value?.sliders ?? []).map(({ name }) => name)
  const pairs = (rig.value?.exclusive ?? []).map(([i, j]): Pair => [names[i]!, names[j]!])
  const has = (one: string, other: string) => pairs.some((pair) => pair.includes(one) && pair.includes(other))
  const two = selected.value.length === 2 ? (selected.value.map(({ name }) => name) as Pair) : null
  const proposed = proposals.value.exclusive.filter(({ first, second }) => !has(first, second))
  return (
    <Section title={pairs.length ? `Exclusive pairs ${pairs.length}` : 'Exclusive pairs'}>
      {!pairs.length && <p class="empty">Any two sliders may be on together.</p>}
      <ul class="list bench-pairs" aria-label="Exclusive pairs">
        {pairs.map(([one, other]) => (
          <li key={`${one}\n${other}`}>
            <span class="item" data-tip={`Drags, takes and building move at most one of ${one} and ${other}`}>
              <span>{one}</span>
              <span>or {other}</span>
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={`Allow ${one} with ${other}`}
              data-tip="Let both be on together"
              onClick={() => void edit({ type: 'AllowSliders', one, other })}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {two && !has(...two) && (
        <div class="row">
          <Button
            icon="plus"
            label="Exclude the selected two"
            tip={`Let ${two[0]} and ${two[1]} exclude each other`}
            onClick={() => exclude([two])}
          />
        </div>
      )}
      {proposed.length > 0 && (
        <>
          <header class="bench-proposed">
            <span>Proposed {proposed.length}</span>
            <Button
              label="Add all"
              tip="Let all proposed pairs exclude each other"
              onClick={() => exclude(proposed.map(({ first, second }) => [first, second]))}
            />
          </header>
          <ul class="list bench-pairs" aria-label="Proposed pairs">
            {proposed.map(({ first, second, reason }) => (
              <li key={`${first}\n${second}`}>
                <button
                  type="button"
                  class="item"
                  data-tip={`Proposed: ${reason}. Click selects both sliders`}
                  onClick={() => {
                    chosen.value = [first, second]
                  }}
                >
                  <span>{first}</span>
                  <span>or {second}</span>
                  <small>{reason}</small>
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Exclude ${first} and ${second}`}
                  data-tip="Let them exclude each other"
                  onClick={() => exclude([[first, second]])}
                >
                  <Icon name="plus" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
