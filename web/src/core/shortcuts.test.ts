import { expect, test } from 'vitest'
import { isTyped, meantBy, written, type Shortcut } from './shortcuts'

const shortcut = (keys: string, does: string, when?: () => boolean): Shortcut => ({
  group: 'Work',
  keys,
  does,
  when,
  run: () => undefined,
})

test('a shortcut whose condition holds goes before one without, and one whose condition fails is none', () => {
  let inside = true
  const all = [shortcut('Escape', 'select nothing'), shortcut('Escape', 'leave', () => inside)]
  expect(meantBy('Escape', all)?.does).toBe('leave')
  inside = false
  expect(meantBy('Escape', all)?.does).toBe('select nothing')
  expect(meantBy('Escape', all.slice(1))).toBeNull()
})

test('Ctrl+Y does again what was undone', () => {
  expect(meantBy('Ctrl+Y', [shortcut('Ctrl+Shift+Z', 'Redo')])?.does).toBe('Redo')
})

const pressed = (key: string, held: Partial<KeyboardEvent> = {}, altGraph = false) =>
  written({ key, code: '', getModifierState: () => altGraph, ...held } as unknown as KeyboardEvent)

test('keys are written with all that is held, and what a keyboard needs to write a character is none of it', () => {
  expect(pressed('ArrowUp', { altKey: true })).toBe('Alt+ArrowUp')
  expect(pressed('v', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+V')
  expect(pressed('k')).toBe('K')
  expect(pressed('[', { altKey: true }, true)).toBe('[')
})

test('keys that edit text are those of the field in which one types', () => {
  const field = { matches: (selector: string) => selector.startsWith('input') } as unknown as HTMLElement
  const face = { matches: () => false } as unknown as HTMLElement
  expect(['K', 'Ctrl+A', 'Ctrl+Shift+V', 'Ctrl+Z', 'Ctrl+S'].map((keys) => isTyped(keys, field))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  expect(isTyped('Ctrl+A', face)).toBe(false)
})
