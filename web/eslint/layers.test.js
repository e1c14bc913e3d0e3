import { expect, test } from 'vitest'
import { circlesIn, objection } from './layers.js'

test('imports point down the layers, and never from feature to feature', () => {
  expect(objection('scene/face.ts', 'core/regions.ts')).toBe('')
  expect(objection('core/regions.ts', 'scene/face.ts')).toBe('core may not import scene')
  expect(objection('widgets/brush.tsx', 'features/pose/index.ts')).toBe('widgets may not import features')
  expect(objection('features/pose/index.ts', 'features/pose/tool.ts')).toBe('')
  expect(objection('features/pose/index.ts', 'features/feature.ts')).toBe('')
  expect(objection('features/feature.ts', 'features/pose/index.ts')).toContain('may not import the feature pose')
  expect(objection('features/take/index.ts', 'features/timeline/player.ts')).toContain('may not import the feature')
  expect(objection('app/App.tsx', 'features/take/index.ts')).toBe('')
  expect(objection('features/take/index.ts', 'app/App.tsx')).toBe('features may not import app')
  expect(objection('notebook/View.tsx', 'features/sliders/state.ts')).toBe('notebook may not import features')
  expect(objection('features/sliders/state.ts', 'notebook/View.tsx')).toBe('features may not import notebook')
  expect(objection('app/App.tsx', 'main.tsx')).toBe('app may not import main')
})

test('a circle of imports is found from each of its files, and not from those that only lead to it', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
    ['e', ['a']],
  ])
  const circles = circlesIn(graph)
  expect([...circles.keys()].sort()).toEqual(['a', 'b', 'c'])
  expect(circles.get('b')).toEqual(['b', 'c', 'a', 'b'])
})
