/** The brush that paints points of the face: its ring over the face, and its size. */
import type { ReadonlySignal } from '@preact/signals'
import { brush, camera } from '../core/view'
import { face, viewport } from '../scene/current'
import { Range } from './controls'

const [LEAST, MOST] = [0.005, 0.15]

export function BrushRing({ at }: { at: ReadonlySignal<{ x: number; y: number } | null> }) {
  void camera.value // the ring grows when the camera comes nearer
  const [where, centre] = [viewport.value, at.value]
  if (!where || !face.value || !centre) return null
  return (
    <svg class="overlay" aria-hidden="true">
      <circle class="brush" cx={centre.x} cy={centre.y} r={Math.max(where.pixels(brush.value), 3)} />
    </svg>
  )
}

export function BrushSize() {
  return (
    <div class="field">
      <span>Brush</span>
      <Range
        label="Brush size"
        value={brush.value}
        low={LEAST}
        high={MOST}
        step={0.005}
        tip="Size of the brush"
        keys="[ and ]"
        onChange={(next) => {
          brush.value = next
        }}
      />
    </div>
  )
}

export const scaleBrush = (factor: number) => () => {
  brush.value = Math.min(Math.max(brush.value * factor, LEAST), MOST)
}
