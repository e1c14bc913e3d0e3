/** A shape in the list: its picture, its name, its sliders, how far and how much it moves. It can be dragged. */
import { useEffect, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { keyed } from '../../../core/key'
import type { ShapeDetail } from '../../../core/protocol.gen'
import { chosenShape } from '../state'
import { chooseShape, moveBefore, moveShape } from './actions'
import { changing } from './state'

const DRAGGED = 'application/x-facewright-shape'

export function ShapeRow({ shape, size }: { shape: ShapeDetail; size: number }) {
  const { name, sliders, reach, support } = shape
  const chosen = chosenShape.value === name
  const over = useSignal(false)
  const drivers = driversOf(shape)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <li
      ref={row}
      class={`${chosen ? 'chosen' : ''}${over.value ? ' over' : ''}`}
      data-shape={name}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, name)}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(DRAGGED)) return
        event.preventDefault()
        over.value = true
      }}
      onDragLeave={() => {
        over.value = false
      }}
      onDrop={(event) => {
        over.value = false
        const dragged = event.dataTransfer?.getData(DRAGGED)
        if (!dragged) return
        event.preventDefault()
        moveBefore(dragged, name)
      }}
    >
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip={`${name}, driven by ${sliders.join(' and ')}: moves ${support} vertices, at most ${percent(reach, size)} of the face. Drag it to another place`}
        data-keys="Alt ↑ ↓"
        onClick={() => chooseShape(name)}
        onKeyDown={(event) => {
          if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
          event.preventDefault()
          moveShape(name, event.key === 'ArrowUp' ? -1 : 1)
        }}
      >
        <Thumbnail picture={shape.picture} />
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

/** The picture of a shape; it is fetched when it comes into sight, and stays as it is during a gesture. */
export function Thumbnail({ picture }: { picture: string }) {
  const shown = useRef(picture)
  if (!changing.value) shown.current = picture
  const address = keyed(`/api/shape/${shown.current}`)
  return (
    <img class="thumb" src={address} alt="" width={36} height={36} loading="lazy" decoding="async" draggable={false} />
  )
}

/** In words which sliders drive a shape, with the values at which it is full; '': one of its own name, at 1. */
export function driversOf({ name, sliders, at }: Pick<ShapeDetail, 'name' | 'sliders' | 'at'>): string {
  const words = sliders.map((slider, i) => (at[i] === 1 ? slider : `${slider} ${+at[i].toFixed(2)}`))
  return words.length === 1 && words[0] === name ? '' : words.join(' × ')
}

/** A length as a share of the face's size. */
export function percent(length: number, size: number): string {
  const share = (100 * length) / (size || 1)
  return `${share < 0.1 && share > 0 ? '<0.1' : share.toFixed(1)} %`
}
