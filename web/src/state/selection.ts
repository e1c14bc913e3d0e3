/** What is picked out for the next action: pins and keys. In flight only. */
import { computed, signal } from '@preact/signals'
import type { KeyChoice } from '../protocol.gen'
import { clipCurves, pins } from './document'

const SAME = 1e-6 // seconds

export const selectedPins = signal<number[]>([])
export const selectedKeys = signal<KeyChoice[]>([])

/** Those of the selected pins that are still there. */
export const livePins = computed(() => {
  const there = new Set(pins.value.map((pin) => pin.id))
  return selectedPins.value.filter((id) => there.has(id))
})

/** Those of the selected keys that are still there. */
export const liveKeys = computed<KeyChoice[]>(() => {
  const times = new Map(clipCurves.value.map((curve) => [curve.slider, curve.times]))
  return selectedKeys.value
    .map(({ slider, times: wanted }) => ({ slider, times: (times.get(slider) ?? []).filter((t) => wanted.some((w) => Math.abs(w - t) < SAME)) }))
    .filter((choice) => choice.times.length > 0)
})

export function selectPin(id: number, add: boolean): void {
  const now = livePins.value
  if (!add) selectedPins.value = [id]
  else selectedPins.value = now.includes(id) ? now.filter((each) => each !== id) : [...now, id]
}

/** A number that no pin has. */
export const freePin = () => pins.value.reduce((most, pin) => Math.max(most, pin.id), 0) + 1
