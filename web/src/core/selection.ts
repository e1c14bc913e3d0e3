/** What is selected for the next action: sliders, pins and keys. */
import { computed, signal } from '@preact/signals'
import type { CurveInfo } from './curve'
import type { KeyChoice } from './protocol.gen'
import { clipCurves, pins } from './document'

export const chosen = signal<string[]>([]) // sliders whose curves are shown and that are keyed alone
export const lit = signal<ReadonlySet<string>>(new Set()) // sliders that move what the pointer is on
export const selectedPins = signal<number[]>([])
export const selectedKeys = signal<KeyChoice[]>([]) // times of each slider increase

/** Those of the selected pins that are still there. */
export const livePins = computed(() => {
  const there = new Set(pins.value.map((pin) => pin.id))
  return selectedPins.value.filter((id) => there.has(id))
})

/** Select nothing. */
export function forgetSelection(): void {
  chosen.value = []
  selectedPins.value = []
  selectedKeys.value = []
}

const foundIn = new WeakMap<KeyChoice[], readonly CurveInfo[]>()

/** Keys that were looked up among the curves as they are now: they need not be sought again. */
export function found(keys: KeyChoice[]): KeyChoice[] {
  foundIn.set(keys, clipCurves.peek())
  return keys
}

/** Those of the selected keys that are still there. */
export const liveKeys = computed<KeyChoice[]>(() => {
  if (!selectedKeys.value.length) return []
  if (foundIn.get(selectedKeys.value) === clipCurves.value) return selectedKeys.value
  const there = new Map(clipCurves.value.map((curve) => [curve.slider, curve.times]))
  return selectedKeys.value
    .map(({ slider, times }) => ({ slider, times: common(there.get(slider) ?? [], times) }))
    .filter((choice) => choice.times.length > 0)
})

const SAME = 5e-6 // seconds, in spite of rounding

/** Those of some increasing times that are also among others, in one pass: a take has a hundred thousand keys. */
function common(times: readonly number[], others: readonly number[]): number[] {
  const found: number[] = []
  let at = 0
  for (const time of times) {
    while (at < others.length && others[at] < time - SAME) at += 1
    if (at < others.length && others[at] <= time + SAME) found.push(time)
  }
  return found
}

export function selectPin(id: number, add: boolean): void {
  const now = livePins.value
  if (!add) selectedPins.value = [id]
  else selectedPins.value = now.includes(id) ? now.filter((each) => each !== id) : [...now, id]
}
