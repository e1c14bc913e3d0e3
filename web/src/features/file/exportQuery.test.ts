import { expect, test } from 'vitest'
import { exportQuery, plainWish } from './exportQuery'

test('nothing is asked for that is not wished', () => {
  expect(exportQuery(plainWish('glb', false), ['a', 'b'])).toBe('')
})

test('every wish is in the query, and clips are named by lines', () => {
  const wish = { ...plainWish('glb', true), drops: true, percent: 0.5, left: ['b'], ranged: true, start: 0.5, end: 2 }
  const query = new URLSearchParams(
    exportQuery({ ...wish, unit: 'mm', scale: 2, names: 'arkit', rate: 24, keys: 'straight', textures: 'shown' }, [
      'a',
      'b',
      'c d',
    ]),
  )
  expect(Object.fromEntries(query)).toEqual({
    plain: 'yes',
    tolerance: '0.005',
    clips: 'a\nc d',
    start: '0.5',
    end: '2',
    unit: 'mm',
    scale: '2',
    names: 'arkit',
    rate: '24',
    keys: 'straight',
    textures: 'shown',
  })
})
