/** A shape in the list: its name, who drives it, how far and how much it moves. */
import type { ShapeDetail } from '../../core/protocol.gen'
import { chooseShape } from './actions'
import { chosenShape } from './state'

export function ShapeRow({ shape, size }: { shape: ShapeDetail; size: number }) {
  const { name, sliders, reach, support } = shape
  const chosen = chosenShape.value === name
  const drivers = sliders.length === 1 && sliders[0] === name ? '' : sliders.join(' × ')
  return (
    <li class={chosen ? 'chosen' : ''} data-shape={name}>
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip={`${name}, driven by ${sliders.join(' and ')}: moves ${support} vertices, at most ${percent(reach, size)} of the face`}
        onClick={() => chooseShape(name)}
      >
        <span class="names">
          <b>{name}</b>
          {drivers && <small>{drivers}</small>}
        </span>
        <span class="reach">
          <small>{percent(reach, size)}</small>
          <small>{support}</small>
        </span>
      </button>
    </li>
  )
}

/** A length as a share of the face's size. */
export function percent(length: number, size: number): string {
  const share = (100 * length) / (size || 1)
  return `${share < 0.1 && share > 0 ? '<0.1' : share.toFixed(1)} %`
}
