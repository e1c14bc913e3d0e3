/** Short messages to the user, which disappear after some seconds; and whether the page is connected and busy. */
import { signal } from '@preact/signals'

export interface Toast {
  id: number
  kind: 'problem' | 'note'
  text: string
  known: readonly string[] // what would have worked, shown on demand
}

export const toasts = signal<Toast[]>([])
export const connected = signal<boolean | null>(null) // null: not yet
export const busy = signal('')
export const trouble = signal('') // what is wrong until the server says that it is over

let last = 0

const timers = new Map<number, ReturnType<typeof setTimeout>>()

export function say(text: string, kind: Toast['kind'] = 'note', known: readonly string[] = []): void {
  const id = (last += 1)
  const others = toasts.value.filter((toast) => toast.text !== text).slice(-3)
  toasts.value = [...others, { id, kind, text, known }]
  const time = setTimeout(() => dismiss(id), kind === 'problem' ? 12_000 : 5_000)
  timers.set(id, time)
}

/** A message that is being read stays until it is closed. */
export function keep(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

export const complain = (problem: unknown) =>
  say(problem instanceof Error ? problem.message : String(problem), 'problem')

export function dismiss(id: number): void {
  keep(id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
