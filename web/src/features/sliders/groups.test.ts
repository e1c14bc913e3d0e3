import { expect, test } from 'vitest'
import { rig } from '../../core/document'
import { sliders } from '../../core/sliders'
import { grouped, groupOf, matches } from './groups'

const info = (name: string, group = 'other') => ({ name, low: 0, high: 1, group, mirror: -1 })

test('all words of a search must occur, in any order', () => {
  expect(matches('mouthSmileLeft', 'smi l')).toBe(true)
  expect(matches('mouthSmileLeft', 'left mouth')).toBe(true)
  expect(matches('mouthSmileLeft', 'smile right')).toBe(false)
  expect(matches('anything', '  ')).toBe(true)
})

test('groups come in the order of the face, and names tell where the file does not', () => {
  const all = ['jawOpen', 'mouthSmileLeft', 'browInnerUp'].map((name) => info(name))
  rig.value = {
    id: 'a',
    base: '',
    vertices: 3,
    triangles: 1,
    size: 1,
    linear: true,
    sliders: all,
    shapes: [],
    parts: [],
    exclusive: [],
  }
  expect(grouped(sliders.value).map((group) => group.name)).toEqual(['brow', 'jaw', 'mouth'])
  expect(groupOf(info('eyeBlink_L', 'cheek'))).toBe('cheek')
  expect(groupOf(info('Shape 12'))).toBe('other')
})
