/** A slider is dragged sideways; with shift ten times finer. Its partner goes along where pairs are linked. */
import type { Intend } from '../../core/intents'

export interface Range {
  name: string
  low: number
  high: number
}

interface Asked {
  range: Range
  value(): number
  partner(): Range | null
  region(): string // that it is a slider of, '' for the whole face
  send: Intend
}

const FINE = 0.1
const CLICK = 2 // pixels

const clamped = (value: number, { low, high }: Range) => Math.min(Math.max(value, low), high)

/** Wishes for a slider and the partner that is linked to it. */
export function wishes(value: number, range: Range, partner: Range | null): Record<string, number> {
  const weights = { [range.name]: clamped(value, range) }
  if (partner) weights[partner.name] = clamped(value, partner)
  return weights
}

export function dragSlider({ range, value, partner, region, send }: Asked) {
  let at: { x: number; width: number; value: number; moved: boolean } | null = null

  function end(type: 'GestureEnded' | 'GestureCancelled'): void {
    if (at?.moved) send({ type })
    at = null
  }

  return {
    down(x: number, width: number): void {
      at = { x, width, value: value(), moved: false }
    },
    move(x: number, fine: boolean): void {
      if (!at || (!at.moved && Math.abs(x - at.x) < CLICK)) return
      if (!at.moved) send({ type: 'GestureBegan', label: `Move ${range.name}${region() ? ` in ${region()}` : ''}` })
      const step = ((x - at.x) / at.width) * (range.high - range.low) * (fine ? FINE : 1)
      at = { ...at, x, value: clamped(at.value + step, range), moved: true }
      send({
        type: 'GestureUpdated',
        edit: { type: 'SetWeights', weights: wishes(at.value, range, partner()), region: region() },
      })
    },
    /** Whether it was a drag, not a click. */
    up(): boolean {
      const moved = at?.moved ?? false
      end('GestureEnded')
      return moved
    },
    /** Whether there was anything to cancel. */
    cancel(): boolean {
      const moved = at?.moved ?? false
      end('GestureCancelled')
      return moved
    },
  }
}
