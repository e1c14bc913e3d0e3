/** Keyboard shortcuts: features register them, the page carries them out and lists them. */
import { signal } from '@preact/signals'
import type { Axis } from './gestures/pointer'

export interface Shortcut {
  group: string
  keys: string // as shown: modifiers and a key, joined by +
  does: string
  /** Without it always; of several for the same keys, one whose condition holds goes first. */
  when?(): boolean
  run(): void
}

/** What a pointer does, as it is shown in the list: a key or button, and what it does. */
export type PointerHint = readonly [string, string]

/** Set once, when the page starts. */
export const shortcuts = signal<readonly Shortcut[]>([])
export const pointerHints = signal<readonly PointerHint[]>([])

export const flip = (what: { value: boolean }) => () => {
  what.value = !what.value
}

const AXES: readonly Axis[] = ['x', 'y', 'z']
const down = new Set<string>()

/** The axis whose key is held down, while dragging. */
export const heldAxis = (): Axis | null => AXES.find((axis) => down.has(axis)) ?? null

/** How an event is written in the table. */
export function written(event: KeyboardEvent): string {
  const key =
    event.key === ' '
      ? 'Space'
      : event.key.length === 1
        ? shiftless(event)
        : event.key === 'Backspace'
          ? 'Delete'
          : event.key
  const shift = event.shiftKey && key !== '?' && key !== '/'
  const alt = event.altKey && !event.getModifierState('AltGraph') // which some keyboards need for brackets
  return [event.ctrlKey || event.metaKey ? 'Ctrl' : '', alt ? 'Alt' : '', shift ? 'Shift' : '', key]
    .filter(Boolean)
    .join('+')
}

/** Digits stay digits under shift, whatever the keyboard writes there. */
function shiftless(event: KeyboardEvent): string {
  if (event.code === 'NumpadDecimal') return 'Numpad .' // the other point goes a frame on
  const digit = /^Digit(\d)$/.exec(event.code)
  return digit ? digit[1] : event.key.toUpperCase()
}

/** The shortcut that keys mean now, among those that are allowed. */
export function meantBy(keys: string, among: readonly Shortcut[]): Shortcut | null {
  const wanted = keys === 'Ctrl+Y' ? 'Ctrl+Shift+Z' : keys
  const same = among.filter((each) => each.keys === wanted)
  return same.find((each) => each.when?.()) ?? same.find((each) => !each.when) ?? null
}

/** What these keys do to the text of a field, they do there alone. */
const OF_TEXT = /^Ctrl\+(Shift\+)?([ACVXYZ]|Home|End|Delete|Arrow.*)$/

/** Whether keys are for the field that has the focus. */
export function isTyped(keys: string, target: HTMLElement): boolean {
  if (!target.matches('input:not([type=range]), select, textarea')) return false
  if (!keys.startsWith('Ctrl+')) return true
  return OF_TEXT.test(keys) && !target.matches('select, [type=checkbox], [type=radio]')
}

/**
 * A button that was clicked with the pointer lets go of the keys: Space plays then, and does not press it once more. Whoever
 * presses it by a key stays on it.
 */
export function leaveClickedButtons(): void {
  document.addEventListener('click', (event) => {
    const button = event.detail > 0 && (event.target as HTMLElement).closest('button')
    if (button && button === document.activeElement && !button.closest('dialog')) button.blur()
  })
}

/** Carry out the shortcuts of this page that `allows` lets through. */
export function listenToKeys(allows: (shortcut: Shortcut) => boolean): void {
  document.addEventListener('keydown', (event) => {
    down.add(event.key.toLowerCase())
    const target = event.target as HTMLElement
    const keys = written(event)
    if (event.defaultPrevented) return // by what has the focus
    if (isTyped(keys, target) || (event.key === ' ' && target.matches('button'))) return
    const shortcut = meantBy(keys, shortcuts.value.filter(allows))
    if (!shortcut || (event.repeat && !/^[,.[\]]$/.test(keys) && !/Z$/.test(keys))) return
    event.preventDefault()
    shortcut.run()
  })
  document.addEventListener('keyup', (event) => down.delete(event.key.toLowerCase()))
  window.addEventListener('blur', () => down.clear())
}
