import { expect, test } from 'vitest'
import { grouped, matches } from './groups'

test('all words of a search must occur, in any order', () => {
  expect(matches('mouthSmileLeft', 'smi l')).toBe(true)
  expect(matches('mouthSmileLeft', 'left mouth')).toBe(true)
  expect(matches('mouthSmileLeft', 'smile right')).toBe(false)
  expect(matches('anything', '  ')).toBe(true)
})

test('groups come in the order of the face, those of the file after them, and what has none is other', () => {
  const all = [{ group: 'ears' }, { group: 'mouth' }, { group: '' }, { group: 'brow' }, { group: 'mouth' }]
  expect(grouped(all, (one) => one)).toEqual([
    { name: 'brow', members: [{ group: 'brow' }] },
    { name: 'mouth', members: [{ group: 'mouth' }, { group: 'mouth' }] },
    { name: 'other', members: [{ group: '' }] },
    { name: 'ears', members: [{ group: 'ears' }] },
  ])
})
