/** Parts that move as one. */
import { Matrix4, Quaternion, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { rigid } from './rigidFit'
import { anglesOf, Stiff } from './stiff'
import type { Aim } from '../core/controls'
import type { Vec } from '../core/vec'

const points = new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 1, 2, -1])

function moved(by: Matrix4): Float32Array {
  const found = points.slice()
  for (let i = 0; i < points.length; i += 3) new Vector3().fromArray(points, i).applyMatrix4(by).toArray(found, i)
  return found
}

const at = (target: Vec): Aim => ({ left: null, right: null, target, weight: 1, limits: [0.7, 0.5, 0.3] })

describe('a rigid motion', () => {
  it('is found again, also where it turns half round', () => {
    for (const angle of [0, 0.4, -2, Math.PI]) {
      const by = new Matrix4().compose(
        new Vector3(1, -2, 0.5),
        new Quaternion().setFromAxisAngle(new Vector3(1, 2, 2).divideScalar(3), angle),
        new Vector3(1, 1, 1),
      )
      rigid(points, moved(by)).elements.forEach((value, i) => expect(value).toBeCloseTo(by.elements[i], 4))
    }
  })

  it('never grows, shrinks or mirrors what it moves', () => {
    const stretched = points.map((value, i) => (i % 3 === 0 ? -2 * value : value))
    expect(rigid(points, stretched).determinant()).toBeCloseTo(1, 5)
  })
})

describe('parts that follow', () => {
  const shapes = {
    starts: new Uint32Array([0, 5]),
    vertices: new Uint32Array([0, 1, 2, 3, 4]),
    offsets: new Float32Array(15).fill(1),
    turns: new Float32Array(15),
  }
  const neutral = (vertex: number) => points.subarray(3 * vertex, 3 * vertex + 3)

  it('go where what carries them goes', () => {
    const stiff = new Stiff(
      { riders: new Uint32Array([7]), carriers: new Uint32Array([0, 1, 2, 3, 4]), eyes: [] },
      neutral,
      shapes,
    )
    stiff.pose([0.5], null)
    const place = new Float32Array([9, 9, 9])
    stiff.apply(place, new Float32Array([1, 1, 1]), stiff.kinds(new Uint32Array([7])))
    place.forEach((value) => expect(value).toBeCloseTo(1.5, 5))
  })

  it('stay as they are where nobody carries them', () => {
    const stiff = new Stiff({ riders: new Uint32Array(), carriers: new Uint32Array(), eyes: [] }, neutral, shapes)
    const values = new Float32Array([0.3])
    expect(stiff.looking(values, at([0, 0, 9]))).toBe(values)
    stiff.pose(values, at([0, 0, 9]))
    expect(stiff.uniforms.stiffOn.value).toEqual([false, false, false])
  })
})

describe('eyes', () => {
  const looks = [
    { shape: 0, axis: 0, sense: 1, reach: 0.5 },
    { shape: 1, axis: 0, sense: -1, reach: 0.5 },
  ]
  const eye = {
    info: { middle: [0, 0, 0] as [number, number, number], start: 0, stop: 5, looks },
    vertices: new Uint32Array([0, 1, 2, 3, 4]),
  }
  const none = {
    starts: new Uint32Array([0, 0, 0]),
    vertices: new Uint32Array(),
    offsets: new Float32Array(),
    turns: new Float32Array(),
  }
  const stiff = new Stiff(
    { riders: new Uint32Array(), carriers: new Uint32Array(), eyes: [eye] },
    (v) => points.subarray(3 * v, 3 * v + 3),
    none,
  )

  it('look at the point, with the shapes that belong to it', () => {
    const values = stiff.looking(new Float32Array([0, 0.7]), at([3, 0, 12]))
    expect(values[0]).toBeCloseTo(Math.atan2(3, 12) / 0.5, 6)
    expect(values[1]).toBe(0)
    stiff.pose(values, at([3, 4, 12]))
    const ahead = new Vector3(0, 0, 13).applyMatrix4(stiff.uniforms.stiff.value[1])
    ;[3, 4, 12].forEach((wanted, axis) => expect(ahead.getComponent(axis)).toBeCloseTo(wanted, 5))
    const normals = new Float32Array([0, 0, 13, 0, 1, 0])
    const turned = normals.slice()
    stiff.applyTurns(turned, normals, new Uint32Array([2, 0])) // the second is of no part
    ;[3, 4, 12, 0, 1, 0].forEach((wanted, i) => expect(turned[i]).toBeCloseTo(wanted, 5))
  })

  it('never turn further than eyes can', () => {
    const info = { middle: [0, 0, 0] as [number, number, number], looks }
    const found = (aim: Aim) => anglesOf(info, [0, 0, 0], aim, [0.4, 0])
    expect(found(at([5, 50, -1]))).toEqual([0.7, 0.5])
    expect(found({ ...at([5, 50, -1]), target: null, right: [-2, -2] })).toEqual([-0.7, -0.3])
    expect(found({ ...at([5, 50, -1]), weight: 0 })).toBeNull()
    const half = found({ ...at([0, 0, 1]), weight: 0.5 })! // half way from where the pose has it
    expect(half[0]).toBeCloseTo(0.1)
  })
})
