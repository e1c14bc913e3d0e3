/** The face as it is shown: values of its shapes, places of the pins, what the last drag could not reach. */
import { batch, computed, signal } from '@preact/signals'
import { floats, indices, type Arrays } from './frames'
import type { Pose } from './protocol.gen'
import { showPosed, weightsIn } from './local'
import { chosenNode } from './regions'
import { isShown, showChange } from './sliders'

export type Place = readonly [number, number, number]

export interface Miss {
  pin: number
  place: Place
  target: Place
  residual: number
  reason: string
}

/** Counts up whenever `values` changed; the array itself is read by the scene. */
export const posed = signal(0)
export let values: Float32Array = new Float32Array(0)

export const places = signal<ReadonlyMap<number, Place>>(new Map())
export const misses = signal<Miss[]>([])
export const status = signal('')
export const dragging = signal(false) // a drag of pins is under way
export const before = signal<Float32Array | null>(null) // values at the beginning of the drag, for the ghost
export const worst = computed(() =>
  misses.value.reduce<Miss | null>((a, b) => (a && a.residual >= b.residual ? a : b), null),
)

export function applyPose(frame: { header: Pose; arrays: Arrays }): void {
  batch(() => {
    const [weights, change] = [floats(frame, 'weights'), floats(frame, 'change')]
    const local = { spots: indices(frame, 'spots'), added: floats(frame, 'local') }
    // What a drag did stays marked as long as the pose that came of it does.
    if (change.length || !isShown(weightsIn(chosenNode.peek(), weights, local))) showChange(change)
    showPosed(weights, local)
    showValues(floats(frame, 'values'))
    const found = floats(frame, 'places')
    places.value = new Map(frame.header.pins.map((pin, i) => [pin, triple(found, i)]))
    misses.value = missed(frame.header, floats(frame, 'residual'), floats(frame, 'target'))
    status.value = frame.header.status
  })
}

export function showValues(next: Float32Array): void {
  values = next
  posed.value += 1
}

function missed(header: Pose, residual: Float32Array, target: Float32Array): Miss[] {
  return header.dragged.flatMap((pin, i) => {
    const place = places.value.get(pin)
    const reason = header.reasons[i] ?? ''
    return reason && place
      ? [{ pin, place, target: triple(target, i), residual: residual[i], reason: said(reason) }]
      : []
  })
}

/** A reason without the number of the pin, which the page shows at the pin itself. */
const said = (reason: string) => reason.replace(/^pin \d+: /, '')

const triple = (array: Float32Array, i: number): Place => [array[3 * i], array[3 * i + 1], array[3 * i + 2]]
