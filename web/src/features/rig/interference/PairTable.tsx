/** The pairs that interfere most, in a table that is sorted by the column that is clicked. */
import type { PairInfo } from '../../../core/protocol.gen'
import { Section } from '../../../widgets/controls'
import { signed } from './Matrix'
import { choosePair, chosenPair, isSame, sorted, sorting, type Column } from './state'

const COLUMNS: readonly (readonly [Column, string, string])[] = [
  ['interference', 'interf.', 'Interference: how alike the motions of the whole face are, −1 to 1'],
  ['shared', 'shared', 'Shared motion: how much both move the same places, 0 to 1'],
  ['direction', 'direct.', 'Direction of the motion that they share: −1 against each other, 1 the same way'],
]

export function PairTable({ pairs }: { pairs: readonly PairInfo[] }) {
  const { by, down } = sorting.value
  return (
    <Section title="Pairs">
      {!pairs.length && <p class="empty">No two sliders interfere.</p>}
      {pairs.length > 0 && (
        <table class="pairs">
          <thead>
            <tr>
              <th>sliders</th>
              {COLUMNS.map(([key, label, tip]) => (
                <th key={key} aria-sort={by === key ? (down ? 'descending' : 'ascending') : undefined}>
                  <button
                    type="button"
                    class="quiet"
                    data-tip={`${tip}. Click to sort`}
                    onClick={() => {
                      sorting.value = { by: key, down: by === key ? !down : true }
                    }}
                  >
                    {label}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(pairs, sorting.value).map((pair) => (
              <PairRow key={`${pair.first}\n${pair.second}`} pair={pair} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

function PairRow({ pair }: { pair: PairInfo }) {
  const { first, second, interference, shared, direction, twin } = pair
  const chosen = isSame(pair, chosenPair.value)
  return (
    <tr class={chosen ? 'chosen' : ''} data-pair={`${first} ${second}`}>
      <td>
        <button
          type="button"
          class="item"
          aria-pressed={chosen}
          data-tip={`${first} with ${second}${twin ? `, likewise ${twin[0]} with ${twin[1]}` : ''}`}
          onClick={() => choosePair(first, second)}
        >
          <span>{first}</span>
          <span>{second}</span>
        </button>
      </td>
      <td class={interference > 0 ? 'warm' : 'cold'}>{signed(interference)}</td>
      <td>{shared.toFixed(2)}</td>
      <td>{signed(direction)}</td>
    </tr>
  )
}
