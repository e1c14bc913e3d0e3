import { expect, test } from 'vitest'
import { rig } from '../../../core/document'
import type { RuleMap } from '../../../core/frames'
import type { RigInfo } from '../../../core/protocol.gen'
import { ruleColors } from './colors'
import { applyRules, chosenRule, freeName, percent, rules } from './state'

const info = (name: string) => ({ name, kind: 'within' as const, sliders: [], allowed: 1, furthest: 0, broken: 0 })

const frame = {
  type: 'RuleMap',
  rules: [info('lid'), info('chin')],
  arrays: {
    starts: new Uint32Array([0, 2, 5]),
    vertices: new Uint32Array([1, 2, 2, 3, 4]),
    excess: new Float32Array([0, 0, 0, 0.01, 0.5]),
  },
  shapes: {},
} satisfies RuleMap

test('each rule gets its own vertices', () => {
  applyRules(frame)
  expect(rules.value.map(({ vertices }) => [...vertices])).toEqual([
    [1, 2],
    [2, 3, 4],
  ])
})

test('the chosen rule lies over others, and what is broken over all, the redder the further', () => {
  rig.value = { vertices: 6 } as RigInfo
  applyRules(frame)
  chosenRule.value = 'lid'
  const colors = ruleColors()!
  const at = (vertex: number) => [...colors.subarray(4 * vertex, 4 * vertex + 4)]
  expect(at(0)).toEqual([0, 0, 0, 0])
  expect(at(1)).toEqual(at(2)) // of both: the chosen one's
  expect(at(3)[0]).toBeGreaterThan(at(3)[2]) // red
  expect(at(3).slice(0, 3)).toEqual(at(4).slice(0, 3))
  expect(at(4)[3]).toBeGreaterThan(at(3)[3])
})

test('rules of a face that is no longer there colour nothing', () => {
  rig.value = { vertices: 3 } as RigInfo
  applyRules({ ...frame, rules: [info('chin')], arrays: { ...frame.arrays, starts: new Uint32Array([2, 5]) } })
  expect(ruleColors()).toBeNull()
})

test('a new rule gets the first number that is free', () => {
  expect(freeName([])).toBe('rule 1')
  expect(freeName([{ name: 'rule 1' }, { name: 'rule 3' }])).toBe('rule 2')
})

test('shares have two digits', () => {
  expect([0.01, 0.0123, 0.5].map(percent)).toEqual(['1 %', '1.2 %', '50 %'])
})
