/** The matrix of all pairs, a square for each; the numbers are those of the square under the pointer. */
import { useSignal } from '@preact/signals'
import { keyed } from '../../../core/key'
import type { FoundInterference } from '../../../core/protocol.gen'
import { chosenPair, choosePair, table } from './state'

export function Matrix({ found: { id, sliders } }: { found: FoundInterference }) {
  const over = useSignal<readonly [number, number] | null>(null)
  const count = sliders.length
  if (!count) return <p class="empty">The rig has no sliders.</p>
  const at = (event: MouseEvent): readonly [number, number] => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const cell = (from: number, size: number) => Math.min(Math.max(Math.floor((from / size) * count), 0), count - 1)
    return [cell(event.clientY - top, height), cell(event.clientX - left, width)]
  }
  const marked = over.value ?? (chosenPair.value?.map((name) => sliders.indexOf(name)) as [number, number] | undefined)
  const shown = marked && marked[0] >= 0 && marked[1] >= 0 ? marked : null
  return (
    <>
      <div
        class="matrix"
        onPointerMove={(event) => {
          over.value = at(event)
        }}
        onPointerLeave={() => {
          over.value = null
        }}
        onClick={(event) => {
          const [i, j] = at(event)
          if (i !== j) choosePair(sliders[i], sliders[j])
        }}
      >
        <img
          src={keyed(`/api/interference/picture/${id}`)}
          alt={`Interference of ${count} sliders with each other: warm where they do the same, cold where one undoes the other`}
          draggable={false}
        />
        {shown && (
          <i
            class="cross"
            style={{
              left: `${(100 * shown[1]) / count}%`,
              top: `${(100 * shown[0]) / count}%`,
              width: `${100 / count}%`,
              height: `${100 / count}%`,
            }}
          />
        )}
      </div>
      <p class="matrix-readout">{shown ? words(sliders, shown) : 'Point at a square; a click shows the pair.'}</p>
    </>
  )
}

function words(sliders: readonly string[], [i, j]: readonly [number, number]): string {
  if (i === j) return sliders[i]
  const value = table.value?.interference[i * sliders.length + j]
  return `${sliders[i]} × ${sliders[j]}${value === undefined ? '' : ` ${signed(value)}`}`
}

/** A number from -1 to 1 with its sign. */
export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
