import { expect, test } from 'vitest'
import { meantBy, type Shortcut } from './shortcuts'

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
