/** The face as it is shown: values of its shapes, places of the pins, what the last drag could not reach. */
import { batch, computed, signal } from '@preact/signals'
import type { Pose } from './frames'
import { showPosed, weightsIn } from './local'
import { chosenNode } from './regions'
import { isShown, showChange } from './sliders'
import type { Vec } from './vec'

export interface Miss {
  pin: number
  place: Vec
  target: Vec
  residual: number
  reason: string
}

/** Counts up whenever `values` changed; the array itself is read by the scene. */
export const posed = signal(0)
export let values: Float32Array = new Float32Array(0)

/** Values of another pose that is looked at for a while, of the whole face; null: none. The next pose ends it. */
export const previewed = signal<Float32Array | null>(null)

export const places = signal<ReadonlyMap<number, Vec>>(new Map())
export const misses = signal<Miss[]>([])
export const along = signal(0) // sliders that moved along with those that were set, because held points are spared
export const dragging = signal(false) // a drag of pins is under way
export const before = signal<Float32Array | null>(null) // values at the beginning of the drag, for the ghost
export const worst = computed(() =>
  misses.value.reduce<Miss | null>((a, b) => (a && a.residual >= b.residual ? a : b), null),
)

const NONE = new Float32Array(0)

export function applyPose(frame: Pose): void {
  const { weights, spots, local, change, places: found, residual, target } = frame.arrays
  batch(() => {
    const added = { spots, added: local }
    // What a drag did stays marked as long as the pose that came of it does.
    if (change || !isShown(weightsIn(chosenNode.peek(), weights, added))) showChange(change ?? NONE)
    if (change) along.value = frame.along
    showPosed(weights, added)
    showValues(frame.arrays.values)
    places.value = new Map(frame.pins.map((pin, i) => [pin, triple(found, i)]))
    misses.value = residual && target ? missed(frame, residual, target) : []
  })
}

export function showValues(next: Float32Array): void {
  values = next
  posed.value += 1
}

function missed(frame: Pose, residual: Float32Array, target: Float32Array): Miss[] {
  return frame.dragged.flatMap((pin, i) => {
    const place = places.value.get(pin)
    const reason = frame.reasons[i] ?? ''
    return reason && place
      ? [{ pin, place, target: triple(target, i), residual: residual[i], reason: said(reason) }]
      : []
  })
}

/** A reason without the number of the pin, which the page shows at the pin itself. */
const said = (reason: string) => reason.replace(/^pin \d+: /, '')

const triple = (array: Float32Array, i: number): Vec => [array[3 * i], array[3 * i + 1], array[3 * i + 2]]
