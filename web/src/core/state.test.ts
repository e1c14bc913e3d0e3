import { beforeEach, expect, test } from 'vitest'
import type { Pose } from './frames'
import type { RigInfo, State } from './protocol.gen'
import { valueAt } from './curve'
import { curvesOf } from './curve'
import { addCurves, applyState, clipCurves, curves, pins, rig, shapes } from './document'
import { applyPose, misses, places } from './pose'
import { activeCount, movedCount, sliders } from './sliders'
import { around, follow, holdSpan, keptInView, markStep, pan, span, zoom, zoomed } from './timeAxis'
import { restore, snapshot } from './remember'
import { brush, camera, remembered, tool } from './view'

const info = (name: string, group = 'other') => ({ name, low: 0, high: 1, group, mirror: -1 })
const face = (id: string, ...names: string[]): RigInfo => ({
  id,
  base: '',
  vertices: 3,
  triangles: 1,
  size: 1,
  linear: true,
  sliders: names.map((name) => info(name)),
  shapes: [],
  parts: [],
  exclusive: [],
})
const state = (more: Partial<State>): State => ({ type: 'State', revision: 1, ...more })
const pose = (
  weights: number[],
  more: Partial<Omit<Pose, 'arrays'>> = {},
  arrays: Record<string, number[]> = {},
): Pose => ({
  type: 'Pose',
  seq: 0,
  gesture: 0,
  revision: 1,
  status: '',
  pins: [],
  dragged: [],
  reasons: [],
  along: 0,
  shapes: {},
  ...more,
  arrays: {
    values: new Float32Array(0),
    places: new Float32Array(0),
    spots: new Uint32Array(0),
    local: new Float32Array(0),
    change: null,
    helped: null,
    residual: null,
    target: null,
    weights: new Float32Array(weights),
    ...Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, new Float32Array(array)])),
  },
})

beforeEach(() => {
  applyState(
    state({
      rig: face(`rig ${Math.random()}`, 'jawOpen', 'mouthSmileLeft', 'browInnerUp'),
      clips: [],
      pins: [],
      clip: '',
    }),
  )
})

test('what a State leaves out stays as it was', () => {
  applyState(
    state({
      pins: [
        { id: 4, vertex: 2, triangle: null, barycentric: null, axes: 'xyz', strength: 1, hold: false, free: false },
      ],
    }),
  )
  applyState(state({ time: 2 }))
  expect(pins.value.map((pin) => pin.id)).toEqual([4])
})

test('the same rig again, after a break, does not make new sliders', () => {
  const before = sliders.value
  applyState(state({ rig: { ...rig.value! } }))
  expect(sliders.value).toBe(before)
})

test('curves that come are added, and those that no clip lists any more are gone', () => {
  const curve = (slider: string, value: number) => ({
    clip: 'a',
    slider,
    times: [0],
    values: [value],
    interpolation: 'linear' as const,
    slopes: null,
    tangents: null,
    outside: 'hold' as const,
  })
  const clip = (...names: string[]) => [{ name: 'a', rate: 30, start: 0, end: 0, sliders: names, layers: 0 }]
  addCurves([curve('jawOpen', 0.1), curve('browInnerUp', 0.2), curve('gone', 1)])
  applyState(state({ clips: clip('jawOpen', 'browInnerUp'), clip: 'a' }))
  addCurves([curve('jawOpen', 0.9)])
  expect(clipCurves.value.map((each) => each.values[0])).toEqual([0.9, 0.2])
  applyState(state({ clips: clip('browInnerUp') }))
  expect(clipCurves.value.map((each) => each.slider)).toEqual(['browInnerUp'])
  expect(curves.value.size).toBe(1)
})

test('a frame of curves has their keys one after the other, and slopes and tangents of those that have them', () => {
  const head = (slider: string, interpolation: 'linear' | 'cubic', keys: number, has_tangents: boolean) => ({
    clip: 'a',
    slider,
    interpolation,
    outside: 'hold' as const,
    keys,
    has_tangents,
  })
  const found = curvesOf({
    type: 'CurveKeys',
    curves: [head('x', 'linear', 2, false), head('y', 'cubic', 1, false), head('z', 'cubic', 2, true)],
    tangent_names: ['auto', 'flat', 'linear', 'step', 'free', 'broken'],
    arrays: {
      times: new Float64Array([0, 1, 0.1, 2, 3]),
      values: new Float64Array([5, 6, 7, 8, 9]),
      slopes: new Float64Array([1, 2, 3, 4, 5, 6]),
      tangents: new Uint32Array([3, 0]),
    },
    shapes: {},
  })
  expect(found.map(({ slider, times, values }) => [slider, times, values])).toEqual([
    ['x', [0, 1], [5, 6]],
    ['y', [0.1], [7]],
    ['z', [2, 3], [8, 9]],
  ])
  expect(found.map(({ slopes }) => slopes)).toEqual([
    null,
    [[1, 2]],
    [
      [3, 4],
      [5, 6],
    ],
  ])
  expect(found.map(({ tangents }) => tangents)).toEqual([null, null, ['step', 'auto']])
})

test('a pose touches only the sliders that changed', () => {
  applyPose(pose([0.1, 0.2, 0.3]))
  const touched: string[] = []
  const stops = sliders.value.map((slider) => slider.weight.subscribe(() => touched.push(slider.info.name)))
  touched.length = 0
  applyPose(pose([0.1, 0.6, 0.3]))
  expect(touched).toEqual(['mouthSmileLeft'])
  stops.forEach((stop) => stop())
})

test('what a drag moved stays marked until the pose changes otherwise', () => {
  applyPose(pose([0, 0.5, 0], { gesture: 1 }, { change: [0, 0.5, 0] }))
  expect(movedCount.value).toBe(1)
  applyPose(pose([0, 0.5, 0]))
  expect(movedCount.value).toBe(1)
  applyPose(pose([0, 0.4, 0]))
  expect(movedCount.value).toBe(0)
})

test('no slider of a face that was just opened was moved', () => {
  applyPose(pose([0, 0.5, 0], { gesture: 1 }, { change: [0, 0.5, 0] }))
  applyState(state({ rig: face('another', 'jawOpen', 'mouthSmileLeft', 'browInnerUp') }))
  applyPose(pose([0, 0, 0]))
  expect([movedCount.value, activeCount.value]).toEqual([0, 0])
})

test('a slider that is on in a region alone is active', () => {
  const frame = pose([0, 0.5, 0], {}, { local: [0.3] })
  frame.arrays.spots = new Uint32Array([4, 2])
  applyPose(frame)
  expect(activeCount.value).toBe(2)
  applyPose(pose([0, 0.5, 0]))
  expect(activeCount.value).toBe(1)
})

test('a pin that is not met is told with its reason, one that is met is not', () => {
  applyPose(
    pose(
      [0, 0, 0],
      { pins: [1, 2], dragged: [1, 2], reasons: ['pin 0: jawOpen would help but is at its bound', ''] },
      { places: [0, 0, 0, 1, 1, 1], residual: [0.5, 0], target: [0, 0.5, 0, 1, 1, 1] },
    ),
  )
  expect(places.value.get(2)).toEqual([1, 1, 1])
  expect(misses.value).toEqual([
    { pin: 1, place: [0, 0, 0], target: [0, 0.5, 0], residual: 0.5, reason: 'jawOpen would help but is at its bound' },
  ])
})

test('a curve goes through its keys and stays outside them, in every interpolation', () => {
  for (const interpolation of ['step', 'linear', 'cubic'] as const) {
    const curve = {
      times: [1, 2, 4],
      values: [0.2, 0.8, 0.1],
      interpolation,
      slopes: null,
      tangents: null,
      outside: 'hold' as const,
      keys: 0,
    }
    expect([0, 1, 2, 4, 9].map((t) => valueAt(curve, t))).toEqual([0.2, 0.2, 0.8, 0.1, 0.1])
  }
})

test('between keys a curve is a line, a step, or eases in and out', () => {
  const at = (interpolation: 'step' | 'linear' | 'cubic', time: number) =>
    valueAt({ times: [0, 2], values: [0, 1], interpolation, slopes: null, tangents: null, outside: 'hold' }, time)
  expect(at('linear', 0.5)).toBeCloseTo(0.25)
  expect(at('step', 1.99)).toBe(0)
  expect(at('cubic', 1)).toBeCloseTo(0.5)
  expect(at('cubic', 0.2)).toBeCloseTo(0.028)
  expect(
    valueAt(
      {
        times: [0, 2],
        values: [0, 1],
        interpolation: 'cubic',
        slopes: [
          [0, 0.5],
          [0.5, 0],
        ],
        tangents: null,
        outside: 'hold',
      },
      0.5,
    ),
  ).toBeCloseTo(0.25)
})

test('a step key holds its value, and keys repeat outside of the first and the last', () => {
  const curve = {
    times: [1, 2, 3],
    values: [0, 1, 0.5],
    interpolation: 'cubic' as const,
    slopes: [
      [0, 0],
      [0, 0],
      [0, 0],
    ] as [number, number][],
    tangents: ['flat' as const, 'step' as const, 'flat' as const],
    outside: 'offset' as const,
  }
  expect([1.5, 2.9, 3, 3.5, 4, -0.5].map((t) => valueAt(curve, t))).toEqual([0.5, 1, 0.5, 1, 1.5, 0])
  expect(valueAt({ ...curve, outside: 'cycle' }, 4)).toBe(1)
})

test('what was remembered comes back, and what is of another kind is left alone', () => {
  const view: Record<string, unknown> = { ...snapshot(remembered), tool: 'hold', brush: 0.1 }
  restore(remembered, { ...view, camera: 'sideways', nonsense: 3 })
  expect([tool.value, brush.value, camera.value]).toEqual(['hold', 0.1, view.camera])
  restore(remembered, { camera: { yaw: 1, pitch: 'x', distance: 2, target: [0, 0, 0] } })
  expect(camera.value).toEqual(view.camera)
})

test('zooming keeps the moment under the pointer', () => {
  const near = zoom({ from: 0, to: 10 }, 0.5, 2)
  expect(near).toEqual({ from: 1, to: 6 })
  expect(pan(near, 2)).toEqual({ from: 3, to: 8 })
  expect(markStep({ from: 0, to: 1 }, 30, 10)).toBeCloseTo(5 / 30)
})

test('a moment that leaves what is shown turns the page, and one inside leaves it', () => {
  const shown = { from: 2, to: 4 }
  expect(keptInView(shown, 3)).toBe(shown)
  const later = keptInView(shown, 4.2)
  expect(later.to - later.from).toBeCloseTo(2)
  expect(later.from).toBeLessThan(4.2)
  expect(later.to).toBeGreaterThan(5.5)
  const earlier = keptInView(shown, 1)
  expect(earlier.from < 1 && earlier.to > 1).toBe(true)
  expect(around(1, 1).to).toBeGreaterThan(1)
})

test('shapes are in the order of the rig, and only those that changed are sent', () => {
  const named = (name: string) => ({ name, sliders: [], at: [], additive: false })
  const detail = (name: string, reach = 1) => ({
    name,
    sliders: [name],
    at: [1],
    group: 'other',
    reach,
    support: 3,
    uses: '',
    dependent: [],
    picture: `${name} ${reach}`,
  })
  const reaches = () => shapes.value.map(({ name, reach }) => `${name} ${reach}`)
  const rigOf = (id: string, ...names: string[]) => ({ ...face(id), shapes: names.map(named) })
  applyState(state({ rig: rigOf('one', 'smile', 'blink'), shapes: [detail('blink'), detail('smile')] }))
  expect(reaches()).toEqual(['smile 1', 'blink 1'])
  applyState(state({ rig: rigOf('two', 'smile', 'blink'), shapes: [detail('smile', 2)] }))
  expect(reaches()).toEqual(['smile 2', 'blink 1'])
  applyState(state({ rig: rigOf('three', 'blink', 'smile') }))
  expect(reaches()).toEqual(['blink 1', 'smile 2'])
  applyState(state({ rig: rigOf('four', 'smile'), shapes: [] }))
  applyState(state({ rig: rigOf('five', 'smile', 'blink'), shapes: [detail('blink', 3)] }))
  expect(reaches()).toEqual(['smile 2', 'blink 3'])
})

test('a moment that one goes to is always shown, with all that was shown where it is near', () => {
  zoomed.value = null
  const all = span.value
  follow(1)
  expect(span.value).toEqual(all)
  follow(all.to + 1)
  expect(span.value.from).toBeLessThanOrEqual(all.from)
  expect(span.value.to).toBeGreaterThan(all.to + 1)
  follow(5000)
  expect(span.value.from).toBeGreaterThan(all.to)
  follow(0)
  expect(span.value.from).toBeCloseTo(all.from)
  zoomed.value = null
})

test('while something is dragged the stretch of time stays, whatever becomes of the clip', () => {
  const clip = (end: number) => ({ name: 'a', rate: 30, start: 0, end, sliders: ['jawOpen'], layers: 0 })
  applyState(state({ clips: [clip(4)], clip: 'a' }))
  const before = span.value
  expect(before.to).toBeGreaterThan(4)
  holdSpan(true)
  applyState(state({ clips: [clip(40)] }))
  expect(span.value).toEqual(before)
  holdSpan(false)
  expect(span.value.to).toBeGreaterThan(40)
})
