import { describe, expect, it } from 'vitest'
import type { SymmetryMap } from '../../core/frames'
import { cameraOf } from './camera'
import { differences } from './symmetry'

describe('a view', () => {
  it('goes back to a view as it was kept', () => {
    const entry = {
      name: 'a',
      yaw: 0.1,
      pitch: 0.2,
      distance: 2,
      target: [0, 1, 2],
      field_of_view: 40,
      orthographic: true,
    }
    expect(cameraOf(entry as never)).toEqual({
      yaw: 0.1,
      pitch: 0.2,
      distance: 2,
      target: [0, 1, 2],
      fov: 40,
      flat: true,
    })
  })
})

describe('symmetry', () => {
  // Two pairs across the plane x = 1, a vertex in the middle, one without a partner.
  const positions = new Float32Array([0, 0, 0, 2, 0, 0, -1, 1, 0, 3, 1, 0, 1, 5, 5, 9, 9, 9])
  const arrays = { partner: new Uint32Array([1, 0, 3, 2, 4, 5]), matched: new Uint32Array([1, 1, 1, 1, 1, 0]) }
  const map = { rig: '', normal: [1, 0, 0], offset: 1, arrays } as unknown as SymmetryMap

  it('is exact where both sides are mirror images', () => {
    expect([...differences(positions, map, 10)]).toEqual([0, 0, 0, 0, 0, -1])
  })

  it('measures on both sides how far one is moved, in sizes of the face', () => {
    const moved = positions.slice()
    moved[4] += 3
    moved[12] += 1 // the middle, by 1, is 2 from its mirror image
    const found = differences(moved, map, 10)
    expect(found[0]).toBeCloseTo(0.3, 6)
    expect(found[1]).toBeCloseTo(0.3, 6)
    expect(found[2]).toBeCloseTo(0, 6)
    expect(found[4]).toBeCloseTo(0.2, 6)
  })
})
