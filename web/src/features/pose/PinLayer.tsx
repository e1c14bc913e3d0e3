/** Drawn over the face: pins, and where they were dragged to. */
import type { ReadonlySignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { PinInfo } from '../../core/protocol.gen'
import { pins, rig } from '../../core/document'
import { dragging, misses, places, worst } from '../../core/pose'
import { livePins, selectPin } from '../../core/selection'
import { face, viewport } from '../../scene/current'
import type { LayerProps } from '../feature'
import { nudge } from './actions'

export function PinLayer({ drawn }: Pick<LayerProps, 'drawn'>) {
  void drawn.value // the camera or the face moved
  const where = viewport.value
  if (!where || !face.value) return null
  return (
    <>
      <svg class="overlay" role="group" aria-label="Pins">
        {misses.value.map(({ pin, place, target }) => {
          const spot = pins.value.find(({ id }) => id === pin)
          const [a, b] = [where.seen(place, spot), where.seen(target, spot)]
          return (
            <g key={pin} class="miss">
              <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
              <circle cx={b.x} cy={b.y} r={4} />
            </g>
          )
        })}
        {pins.value.map((pin) => (
          <PinMark key={pin.id} pin={pin} drawn={drawn} />
        ))}
      </svg>
      <Residual />
    </>
  )
}

function PinMark({ pin, drawn }: { pin: PinInfo; drawn: ReadonlySignal<number> }) {
  const { id, hold, free } = pin
  const behind = useRef(false)
  void drawn.value
  const place = places.value.get(id)
  if (!place || !viewport.value || !face.value) return null
  const { x, y } = viewport.value.seen(place, pin)
  const chosen = livePins.value.includes(id)
  if (!dragging.value) behind.current = viewport.value.isBehind(pin)
  return (
    <g
      class={`pin${hold ? ' hold' : free ? ' free' : ''}${chosen ? ' chosen' : ''}${behind.current ? ' behind' : ''}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      tabIndex={0}
      role="button"
      aria-label={`Pin ${id}${hold ? ', holds' : ''}. Arrow keys move it, Delete takes it away.`}
      data-pin={id}
      onFocus={() => selectPin(id, false)}
      onKeyDown={(event) => nudge(event, id)}
    >
      {hold ? <rect x={-5} y={-5} width={10} height={10} rx={1.5} /> : <circle r={5.5} />}
      <circle class="core" r={1.8} />
      {chosen && <circle class="halo" r={10} />}
    </g>
  )
}

/** Why the face does not reach the pin. */
function Residual() {
  const miss = worst.value
  if (!miss) return null
  const share = (100 * miss.residual) / (rig.value?.size || 1)
  return (
    <p class={`residual${dragging.value ? ' live' : ''}`} role="status">
      <b>
        Pin {miss.pin} is {share < 0.05 ? '< 0.1' : share.toFixed(1)} % of the face away:
      </b>{' '}
      {miss.reason}
    </p>
  )
}
