import { PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { halfOf, nearer, shifted, withLens, type Camera } from '../core/gestures/orbit'
import { aim, rayAt, seen } from './aim'
import { ball, LIGHTS, SURFACES } from './lighting'
import { Space } from './space'

const VIEW: Camera = { yaw: 0.4, pitch: -0.2, distance: 3, target: [0.1, 0, -0.1] }
const SIZE = { width: 800, height: 600 }
const SPACE = new Space(new Vector3(1, 2, 3), 20)

function aimed(view: Camera): PerspectiveCamera {
  const camera = new PerspectiveCamera()
  aim(camera, view, SIZE)
  return camera
}

describe('the camera', () => {
  it('shows the target as large as before through another lens', () => {
    const wide = withLens(VIEW, 60)
    expect(wide.distance * halfOf(wide)).toBeCloseTo(VIEW.distance * halfOf(VIEW), 10)
    expect(withLens(VIEW, 500).fov).toBe(90)
    const [a, b] = [VIEW, wide].map((view) => shifted(view, 30, -20, 600).target)
    a.forEach((at, i) => expect(b[i]).toBeCloseTo(at, 10))
  })

  it('can come as near through any lens', () => {
    const near = nearer(withLens(VIEW, 60), 1e-6, { x: 0, y: 0 }, 600)
    expect(near.distance * halfOf(near)).toBeCloseTo(0.2 * halfOf({}), 10)
  })

  it.each([false, true])('has rays through what it sees, whether they are parallel (%s) or not', (flat) => {
    const camera = aimed({ ...VIEW, flat })
    for (const place of [
      [1, 2, 3],
      [4, 0, 5],
      [-3, 6, 1],
    ] as [number, number, number][]) {
      const at = seen(camera, SPACE, SIZE, place)
      const { origin, direction } = rayAt(camera, SPACE, SIZE, at)
      const way = place.map((x, i) => x - origin[i])
      const along = way.reduce((sum, x, i) => sum + x * direction[i], 0)
      way.forEach((x, i) => expect(x - along * direction[i]).toBeCloseTo(0, 4))
      expect(along).toBeGreaterThan(0)
    }
  })

  it('sees lengths at the target alike with parallel rays, and at other depths too', () => {
    const [flat, deep] = [aimed({ ...VIEW, flat: true }), aimed(VIEW)]
    const middle = SPACE.toRig(new Vector3(...VIEW.target))
    const up: [number, number, number] = [middle[0], middle[1] + 2, middle[2]]
    expect(seen(flat, SPACE, SIZE, up).y).toBeCloseTo(seen(deep, SPACE, SIZE, up).y, 0)
  })
})

describe('surfaces and lights', () => {
  it('are pictures of balls that are not plain', () => {
    for (const of of Object.values(SURFACES)) {
      if (!of) continue
      const made = ball(of)
      const greens = made.filter((_, i) => i % 4 === 1)
      expect(Math.max(...greens) - Math.min(...greens)).toBeGreaterThan(60)
    }
  })

  it('have lamps with directions', () => {
    for (const { key, fill, rim } of Object.values(LIGHTS))
      for (const way of [key, fill, rim]) expect(Math.hypot(...way)).toBeGreaterThan(0.5)
  })
})
