import { beforeEach, expect, test } from 'vitest'
import { differing, leave, left, unkeyed } from './unkeyed'

const curve = (slider: string, values: number[]) => ({
  clip: 'a',
  slider,
  times: [0, 1],
  values,
  interpolation: 'linear' as const,
  slopes: null,
  tangents: null,
  outside: 'hold' as const,
  keys: 0,
})

beforeEach(() => {
  unkeyed.value = left.value = null
})

test('a slider that is not where its curve is differs, one without a curve does not', () => {
  const curves = [curve('a', [0, 1]), curve('b', [0, 1])]
  const weights: Record<string, number> = { a: 0.5, b: 0.9, c: 0.7 }
  expect(differing(curves, (name) => weights[name], 0.5)).toEqual({ b: 0.9 })
})

test('what is not keyed is remembered where time goes on, and only there', () => {
  leave(2)
  expect(left.value).toBeNull()
  unkeyed.value = { time: 1, weights: { a: 0.5 } }
  leave(1)
  expect(left.value).toBeNull()
  leave(2)
  expect(left.value).toEqual({ time: 1, weights: { a: 0.5 } })
})
