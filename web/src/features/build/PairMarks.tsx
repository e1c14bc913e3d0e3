/** Pairs of points, numbered on both faces. */
import type { ReadonlySignal } from '@preact/signals'
import { stage } from '../../scene/current'
import { shown } from './shown'
import { build, half, pairing } from './state'

export function PairMarks({ drawn }: { drawn: ReadonlySignal<number> }) {
  void drawn.value // the camera moved
  const where = stage.value
  if (!pairing.value || !where) return null
  const pairs = build.value?.pairs ?? []
  const marks = shown.value.flatMap(({ side }, cell) => {
    if (!side) return []
    const own = pairs.map((pair, i) => ({ vertex: pair[side], text: String(i + 1), waits: false }))
    if (half.value?.side === side) own.push({ vertex: half.value.vertex, text: '?', waits: true })
    return own.map((mark) => ({ ...mark, cell, side }))
  })
  return (
    <svg class="overlay" role="group" aria-label="Pairs of points">
      {marks.map(({ cell, side, vertex, text, waits }) => {
        const place = where.placeOf(cell, vertex)
        if (!place) return null
        const { x, y } = where.seen(cell, place)
        return (
          <g
            key={`${side} ${vertex}`}
            class={`pair-mark${waits ? ' waits' : ''}${where.isBehind(cell, vertex) ? ' behind' : ''}`}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
          >
            <circle r={4} />
            <text x={7} y={4}>
              {text}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
