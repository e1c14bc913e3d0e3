/** Which expression is chosen, and how much of each the pose contains. */
import { computed, signal } from '@preact/signals'
import { expressions } from '../../core/document'
import type { ExpressionInfo } from '../../core/protocol.gen'
import { sliders } from '../../core/sliders'

export const chosenName = signal('')
export const chosen = computed(() => expressions.value.find(({ name }) => name === chosenName.value) ?? null)

/** Weights are taken out one expression after the other, as `values_of_pose` of the library does it. */
export function contained(listed: readonly ExpressionInfo[], weights: readonly number[]): Map<string, number> {
  const left = [...weights]
  const found = new Map<string, number>(listed.map(({ name }) => [name, 0]))
  const order = [...listed].sort((one, other) => other.binds.length - one.binds.length)
  for (const { name, sliders: driven, is_binary } of order) {
    if (!driven.length) continue
    let share = Math.min(1, ...driven.map(([index, value]) => (left[index] ?? 0) / value))
    share = is_binary ? (share > 1 - 1e-6 ? 1 : 0) : Math.max(share, 0)
    for (const [index, value] of driven) left[index] -= share * value
    found.set(name, share)
  }
  return found
}

export const values = computed(() =>
  contained(expressions.value, expressions.value.length ? sliders.value.map((slider) => slider.weight.value) : []),
)
