/** Signals that the server keeps for the page: how the user looks at the work. They are not undone. */
import { effect } from '@preact/signals'

export type Remembered = Readonly<Record<string, { value: unknown; peek(): unknown }>>

export function snapshot(remembered: Remembered): Record<string, unknown> {
  return Object.fromEntries(Object.entries(remembered).map(([name, each]) => [name, each.value]))
}

/** Set the signals to the values of a view, as far as these are of the same kind. */
export function restore(remembered: Remembered, view: Record<string, unknown>): void {
  for (const [name, each] of Object.entries(remembered)) {
    if (name in view && sameKind(view[name], each.peek())) each.value = view[name]
  }
}

function sameKind(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b)
  if (typeof a !== typeof b || a === null || b === null) return false
  if (typeof a !== 'object') return true
  return Object.entries(b as object).every(([key, value]) => sameKind((a as Record<string, unknown>)[key], value))
}

/** Call `remember` `wait` milliseconds after the last change. */
export function whenSettled(
  remembered: Remembered,
  remember: (view: Record<string, unknown>) => void,
  wait = 500,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = true
  return effect(() => {
    const view = snapshot(remembered)
    clearTimeout(timer)
    if (!first) timer = setTimeout(() => remember(view), wait)
    first = false
  })
}
