/** The stretch of values that the graph shows. */
import { computed, signal } from '@preact/signals'
import { valueRange } from './rows'

export interface Values {
  low: number
  high: number
}

const [LEAST, MOST] = [1e-3, 1e4] // from the lowest value that is shown to the highest

/** What was zoomed to; null: the bounds of the sliders, and all keys. */
export const zoomedValues = signal<Values | null>(null)

export const shownValues = computed<Values>(() => zoomedValues.value ?? valueRange.value)

/** Nearer by a factor about a value. */
export function zoomValues({ low, high }: Values, factor: number, about: number): Values {
  const length = Math.min(Math.max((high - low) * factor, LEAST), MOST)
  const share = (about - low) / (high - low)
  return { low: about - share * length, high: about + (1 - share) * length }
}

export const panValues = ({ low, high }: Values, by: number): Values => ({ low: low + by, high: high + by })

/** Some values with room above and below. */
export function aroundValues(values: readonly number[]): Values {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const margin = Math.max(0.08 * (high - low), 0.02)
  return { low: low - margin, high: high + margin }
}

/** Levels for about `count` lines: whole steps of 1, 2 or 5 times a power of ten, and how many digits tell them apart. */
export function levelsOf({ low, high }: Values, count: number): { levels: number[]; digits: number } {
  const wanted = (high - low) / Math.max(count, 1)
  const power = Math.floor(Math.log10(wanted))
  const step = [1, 2, 5, 10].map((each) => each * 10 ** power).find((each) => each >= wanted * (1 - 1e-9))!
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  const levels = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
  return { levels, digits: Math.max(-Math.floor(Math.log10(step * (1 + 1e-9))), 0) }
}
