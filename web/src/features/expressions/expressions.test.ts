import { describe, expect, it } from 'vitest'
import type { ExpressionInfo } from '../../core/protocol.gen'
import { contained } from './state'

const expression = (name: string, sliders: [number, number][], is_binary = false): ExpressionInfo => ({
  name,
  preset: '',
  binds: sliders.map(([index, value]) => ({ shape: `${index}`, value, part: '', known: true })),
  is_binary,
  blink: 'none',
  look: 'none',
  mouth: 'none',
  more: false,
  sliders,
})

describe('what of expressions a pose contains', () => {
  const both = expression('both', [
    [0, 1],
    [1, 0.5],
  ])
  const left = expression('left', [[0, 1]])

  it('never adds up to more than the pose', () => {
    const found = contained([left, both], [0.75, 0.25])
    expect(found.get('both')).toBeCloseTo(0.5)
    expect(found.get('left')).toBeCloseTo(0.25)
  })

  it('is all or nothing where an expression is on or off', () => {
    expect(contained([expression('on', [[0, 0.5]], true)], [0.4]).get('on')).toBe(0)
    expect(contained([expression('on', [[0, 0.5]], true)], [0.5]).get('on')).toBe(1)
  })

  it('is nothing for one that drives nothing', () => {
    expect(contained([expression('empty', [])], [1]).get('empty')).toBe(0)
  })
})
