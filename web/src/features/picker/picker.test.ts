import { expect, test } from 'vitest'
import { Movers } from './movers'

const slider = (name: string, low = 0, high = 1) => ({ name, low, high, group: 'other', mirror: -1 })
const shape = (name: string, sliders: number[], at: number[], additive = false) => ({ name, sliders, at, additive })

const rig = {
  sliders: [slider('smile'), slider('jaw', 0, 2), slider('faint'), slider('tilt', -1, 1)],
  shapes: [
    shape('smile', [0], [1]),
    shape('jawHalf', [1], [0.5]),
    shape('jaw', [1], [1]),
    shape('faint', [2], [1]),
    shape('both', [0, 1], [1, 1], true),
    shape('tiltLeft', [3], [-1]),
  ],
}
// Shapes move: smile 0 and 1, jaw 1, faint 1, the combination 0, tilt 2.
const shapes = {
  starts: new Uint32Array([0, 2, 3, 4, 5, 6, 7]),
  vertices: new Uint32Array([0, 1, 1, 1, 1, 0, 2]),
  offsets: new Float32Array([3, 4, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0.001, 0, 0, 9, 9, 9, 0, 0, 2]),
}

test('sliders that move a vertex come by how far they move it at their ends', () => {
  const movers = new Movers(rig, shapes, 4)
  expect(movers.at(0)).toEqual([{ slider: 'smile', reach: 5 }])
  expect(movers.at(1)).toEqual([
    { slider: 'jaw', reach: 4 },
    { slider: 'smile', reach: 1 },
  ])
  expect(movers.at(2)).toEqual([{ slider: 'tilt', reach: 2 }])
  expect(movers.at(3)).toEqual([])
})
