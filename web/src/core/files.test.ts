import { expect, test } from 'vitest'
import { file } from './document'
import { baseName } from './files'

test('a download has the whole name of the document, also one with dots', () => {
  file.value = { name: 'head.v2', unsaved: false, saves_to: '' }
  expect(baseName()).toBe('head.v2')
  file.value = { name: '', unsaved: false, saves_to: '' }
  expect(baseName()).toBe('face')
})
