/** Sliders whose values the current clip does not have at the current time: they are lost where time goes on. */
import { signal } from '@preact/signals'
import { valueAt, type CurveInfo } from './curve'

export interface Unkeyed {
  time: number
  weights: Record<string, number> // by slider
}

const NOTICEABLE = 5e-4 // half of the last digit that is shown

/** The sliders that differ from their curves at a time. One without a curve keeps its value, whatever the time. */
export function differing(
  curves: readonly CurveInfo[],
  weightOf: (slider: string) => number | undefined,
  time: number,
): Record<string, number> {
  const found: Record<string, number> = {}
  for (const curve of curves) {
    const weight = weightOf(curve.slider)
    if (weight !== undefined && Math.abs(weight - valueAt(curve, time)) > NOTICEABLE) found[curve.slider] = weight
  }
  return found
}

/** The same for a clip with layers, whose values the server says. */
export function differingFrom(
  values: Readonly<Record<string, number>>,
  weightOf: (slider: string) => number | undefined,
): Record<string, number> {
  const apart = ([name, value]: [string, number]) => Math.abs((weightOf(name) ?? value) - value) > NOTICEABLE
  return Object.fromEntries(
    Object.entries(values)
      .filter(apart)
      .map(([name]) => [name, weightOf(name)!]),
  )
}

/** Of the pose that is shown; null where the clip has all of it. */
export const unkeyed = signal<Unkeyed | null>(null)

/** A pose that was left without a key, until it is keyed, brought back or given up. */
export const left = signal<Unkeyed | null>(null)

/** Time goes on: remember what is not keyed. */
export function leave(to: number): void {
  const now = unkeyed.peek()
  if (now && Math.abs(now.time - to) > 1e-6) left.value = now
}
