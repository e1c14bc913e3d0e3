/** What is selected for the next action: sliders, pins and keys. */
import { computed, signal } from '@preact/signals'
import type { KeyChoice } from './protocol.gen'
import { clipCurves, pins } from './document'

export const chosen = signal<string[]>([]) // sliders whose curves are shown and that are keyed alone
export const selectedPins = signal<number[]>([])
export const selectedKeys = signal<KeyChoice[]>([])

/** Those of the selected pins that are still there. */
export const livePins = computed(() => {
  const there = new Set(pins.value.map((pin) => pin.id))
  return selectedPins.value.filter((id) => there.has(id))
})

/** Those of the selected keys that are still there. */
export const liveKeys = computed<KeyChoice[]>(() => {
  if (!selectedKeys.value.length) return []
  const there = new Map(clipCurves.value.map((curve) => [curve.slider, curve.times]))
  return selectedKeys.value
    .map(({ slider, times }) => {
      const wanted = new Set(times.map(moment))
      return { slider, times: (there.get(slider) ?? []).filter((time) => wanted.has(moment(time))) }
    })
    .filter((choice) => choice.times.length > 0)
})

/** A time as a whole number, so that equal times compare equal in spite of rounding. */
const moment = (time: number) => Math.round(time * 1e5)

export function selectPin(id: number, add: boolean): void {
  const now = livePins.value
  if (!add) selectedPins.value = [id]
  else selectedPins.value = now.includes(id) ? now.filter((each) => each !== id) : [...now, id]
}
