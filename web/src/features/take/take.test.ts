import { beforeEach, expect, test } from 'vitest'
import { bindMarker } from './bindMarker'
import type { Pointer } from '../../core/gestures/pointer'
import type { Intent } from '../../core/intents'
import { worded } from './drawMarkers'
import { framesUnder } from '../../widgets/drawResidual'
import type { TakeFitTable } from '../../core/frames'
import type { MarkerInfo, TakeInfo } from '../../core/protocol.gen'
import { moved, takenOut, turnedBack } from '../../scene/head'
import { addCurves, applyState, rate, solving, take, time } from '../../core/document'
import { hasOffsets, turnAbout } from '../../core/controls'
import { head } from './head'
import { markerAt, shownMarkers, type Shown } from './markers'
import { rampColor, rampTop } from '../../widgets/ramp'
import { fit, fitOf, isCompared, liveFit, partOf, worstFrom } from './state'
import { onFrameOfTake, takeFrame } from '../../core/time'
import { span, zoomed } from '../../core/timeAxis'

const marker = (name: string, more: Partial<MarkerInfo> = {}): MarkerInfo => ({
  name,
  seen: 1,
  gap: 0,
  point: { vertices: [0, 1, 2], shares: [1, 0, 0] },
  offset: [0, 0, 0],
  paired: false,
  ignored: false,
  bindable: true,
  ...more,
})
const info = (more: Partial<TakeInfo> = {}): TakeInfo => ({
  id: 'a',
  name: 'take',
  unit: 'cm',
  units: ['cm'],
  rate: 60,
  frames: 120,
  gaps: 0,
  markers: [marker('chin')],
  notes: [],
  place: { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], offset: [0, 0, 0], scale: 1, mirrored: false },
  bound: true,
  origin: 'names',
  neutral: [],
  rest_pose: 'neutral',
  millimetres: 10,
  solved: null,
  ...more,
})
const table = (arrays: Partial<TakeFitTable['arrays']>, clip = '') =>
  fitOf({
    type: 'TakeFitTable',
    seq: 1,
    clip,
    statuses: ['solved'],
    worst_frames: [3],
    typical: 0.5,
    most: 1,
    shapes: {},
    arrays: {
      mean: new Float32Array(0),
      worst: new Uint32Array(0),
      status: new Uint32Array(0),
      doubted: new Uint32Array(0),
      head: new Float32Array(0),
      ...arrays,
    },
  })

beforeEach(() => {
  zoomed.value = null
  fit.value = null
  applyState({ type: 'State', revision: 1, take: null, solving: null, clips: [], clip: '', time: 0 })
})

test('a take that is told comes, and one that is taken away goes', () => {
  applyState({
    type: 'State',
    revision: 2,
    take: info(),
    solving: { take: 'take', done: 3, total: 9, speed: 1, stopping: false },
  })
  expect(take.value?.name).toBe('take')
  expect(solving.value?.done).toBe(3)
  applyState({ type: 'State', revision: 3, time: 1 })
  expect(take.value?.name).toBe('take')
  applyState({ type: 'State', revision: 4, take: null, solving: null })
  expect(take.value).toBeNull()
  expect(solving.value).toBeNull()
})

test('without a clip the take says how long time is and how fast it goes', () => {
  applyState({ type: 'State', revision: 2, take: info({ frames: 601 }) })
  expect(rate.value).toBe(60)
  expect(span.value.to).toBeGreaterThan(10)
})

test('the frame that is shown is the nearest one, and none outside the take', () => {
  applyState({ type: 'State', revision: 2, take: info(), time: 0.51 })
  expect(takeFrame.value).toBe(31)
  time.value = 2
  expect(takeFrame.value).toBe(-1)
  time.value = -1
  expect(takeFrame.value).toBe(-1)
})

test('a moment that is played is one of the take, where it has one', () => {
  applyState({ type: 'State', revision: 2, take: null })
  expect(onFrameOfTake(0.513)).toBe(0.513)
  applyState({ type: 'State', revision: 3, take: info() })
  expect(onFrameOfTake(0.513)).toBeCloseTo(31 / 60, 12)
  expect(onFrameOfTake(7.77)).toBe(7.77)
})

test('a fit counts for the clip that it was asked for, and only for a bound take', () => {
  applyState({ type: 'State', revision: 2, take: info() })
  fit.value = table({ mean: new Float32Array(120).fill(0.4) })
  expect(liveFit.value?.typical).toBe(0.5)
  expect(isCompared.value).toBe(true)
  fit.value = table({ mean: new Float32Array(120).fill(0.4) }, 'another clip')
  expect(liveFit.value).toBeNull()
  fit.value = table({ mean: new Float32Array(120).fill(NaN) })
  expect(isCompared.value).toBe(false)
  applyState({ type: 'State', revision: 3, take: info({ bound: false }) })
  expect(liveFit.value).toBeNull()
})

test('doubted markers are found by their frame', () => {
  const { doubted } = table({ mean: new Float32Array(4), doubted: new Uint32Array([2, 5, 2, 7, 3, 1]) })!
  expect([...doubted.get(2)!]).toEqual([5, 7])
  expect(doubted.get(0)).toBeUndefined()
})

const turnedAt = (angles: number[], shift: number[]) => turnAbout(angles, [0, 0, 0], shift)

test('a head turns about y, then x, then z, and can be taken out again', () => {
  const quarter = Math.PI / 2
  expect(moved(turnedAt([quarter, 0, 0], [1, 2, 3]), [0, 0, 1]).map((x) => +x.toFixed(6))).toEqual([2, 2, 3])
  expect(moved(turnedAt([0, quarter, 0], [0, 0, 0]), [0, 1, 0]).map((x) => +x.toFixed(6))).toEqual([0, 0, 1])
  expect(moved(turnedAt([0, 0, quarter], [0, 0, 0]), [1, 0, 0]).map((x) => +x.toFixed(6))).toEqual([0, 1, 0])
  const h = turnedAt([0.3, -0.7, 0.2], [4, 5, -6])
  const there = moved(h, [0.1, 0.2, 0.3])
  takenOut(h, there).forEach((x, i) => expect(x).toBeCloseTo([0.1, 0.2, 0.3][i], 9))
  turnedBack(h, moved(h, [0, 0, 0])).forEach((x) => expect(Number.isFinite(x)).toBe(true))
})

test('the head is where the clip has it, else where the still markers show it', () => {
  applyState({ type: 'State', revision: 2, take: info(), time: 0.5 })
  expect(head.value).toBeNull()
  const rows = new Float32Array(120 * 12)
  rows[30 * 12 + 9] = 7
  fit.value = table({ mean: new Float32Array(120), head: rows })
  expect(head.value?.[9]).toBe(7)
  const curve = (slider: string, values: number[]) => ({
    clip: 'c',
    slider,
    times: [0, 1],
    values,
    interpolation: 'linear' as const,
    slopes: null,
    tangents: null,
    outside: 'hold' as const,
  })
  applyState({
    type: 'State',
    revision: 3,
    clip: 'c',
    clips: [{ name: 'c', rate: 60, start: 0, end: 1, sliders: ['HeadX', 'HeadYaw'], layers: 0 }],
  })
  addCurves([curve('HeadX', [0, 10]), curve('HeadYaw', [0, 0])])
  applyState({
    type: 'State',
    revision: 4,
    controls: { HeadX: 5, HeadYaw: 0 },
    head: { head: [0, 0, 0], neck: [0, 0, 0], eye_limits: [0.7, 0.5, 0.5], joints: {} },
  })
  expect(hasOffsets.value).toBe(true)
  expect(head.value?.[9]).toBeCloseTo(5)
})

const shown = (more: Partial<Shown> = {}): Shown => ({
  markers: [marker('chin', { offset: [0, 0, 1] }), marker('brow')],
  positions: new Float32Array([1, 2, 3, 4, 5, 6, NaN, NaN, NaN, 4, 5, 6]),
  frame: 0,
  place: { rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1], offset: [10, 0, 0], scale: 2, mirrored: false },
  head: null,
  onFace: false,
  millimetres: 10,
  compared: true,
  doubted: new Set<number>(),
  glued: () => [6, 2, 5],
  normal: () => [0, 0, 1],
  ...more,
})

test('a marker is turned, scaled and shifted to the scene, and put on the surface where it is glued', () => {
  const [chin] = shownMarkers(shown())
  expect(chin.place).toEqual([6, 2, 6])
  expect(chin.residual).toBeCloseTo(0) // with the actor's own offset taken off
  expect(shownMarkers(shown({ onFace: true }))[0].place).toEqual([6, 2, 5])
  expect(shownMarkers(shown({ place: { ...shown().place, mirrored: true } }))[0].place).toEqual([6, -2, 6])
})

test('a head that moved is taken out of the markers', () => {
  const h = turnAbout([0, 0, 0], [0, 0, 0], [1, 1, 1])
  expect(shownMarkers(shown({ head: h }))[0].place).toEqual([5, 1, 5])
})

test('gaps, doubts and markers that are left out are not compared', () => {
  expect(shownMarkers(shown({ frame: 1 }))[0].place).toBeNull()
  expect(shownMarkers(shown({ frame: 1 }))[0].residual).toBeNaN()
  expect(shownMarkers(shown({ doubted: new Set([0]) }))[0].residual).toBeNaN()
  expect(shownMarkers(shown({ compared: false }))[0].residual).toBeNaN()
  expect(shownMarkers(shown({ markers: [marker('chin', { ignored: true }), marker('brow')] }))[0].residual).toBeNaN()
  expect(shownMarkers(shown({ frame: 5 }))[0].place).toBeNull()
})

test('the nearest marker within reach is meant, one in front before one behind', () => {
  const seen = [
    { name: 'a', x: 0, y: 0, behind: false },
    { name: 'b', x: 6, y: 0, behind: false },
    { name: 'c', x: 5, y: 0, behind: true },
  ]
  expect(markerAt(seen, { x: 1, y: 0 }, 9)).toBe('a')
  expect(markerAt(seen, { x: 5, y: 0 }, 9)).toBe('b')
  expect(markerAt(seen, { x: 50, y: 0 }, 9)).toBe('')
})

test('what a marker is called says what is the matter with it', () => {
  const [chin] = shownMarkers(shown({ glued: () => [6, 2, 3] }))
  expect(worded({ name: 'chin', marker: chin, gap: false })).toBe('chin · 20.0 mm')
  expect(worded({ name: 'chin', marker: chin, gap: true })).toBe('chin · not seen')
  expect(worded({ name: 'chin', marker: { ...chin, doubted: true }, gap: false })).toBe('chin · not believed')
  expect(worded({ name: 'chin', marker: { ...chin, ignored: true }, gap: true })).toBe('chin · left out')
})

test('how a marker takes part', () => {
  expect(partOf(marker('a'), true)).toBe('bound')
  expect(partOf(marker('a'), false)).toBe('loose')
  expect(partOf(marker('a', { paired: true }), false)).toBe('paired')
  expect(partOf(marker('a', { ignored: true, paired: true }), true)).toBe('ignored')
  expect(partOf(marker('a', { bindable: false }), true)).toBe('unusable')
})

test('worst frames are gone through in turn, round at the ends', () => {
  expect(worstFrom([10, 40, 90], 40, 1)).toBe(90)
  expect(worstFrom([10, 40, 90], 95, 1)).toBe(10)
  expect(worstFrom([10, 40, 90], 10, -1)).toBe(90)
  expect(worstFrom([], 10, 1)).toBeNull()
})

test('the ramp goes from met to far off and stays there', () => {
  expect(rampColor(0)).toBe('rgb(88 201 180 / 1)')
  expect(rampColor(1)).toBe(rampColor(7))
  expect(rampColor(-1)).toBe(rampColor(0))
  expect(rampTop(0.2)).toBe(2)
  expect(rampTop(2.4)).toBe(3)
  expect(rampTop(1e6)).toBe(100)
})

test('every frame is under some column of pixels, and every column over some frame', () => {
  for (const frames of [40, 5000]) {
    const axis = { width: 700, height: 30, gutter: 100, span: { from: 0, to: frames / 60 } }
    const seen = new Set<number>()
    for (let x = 100; x < 700; x++) {
      const [from, to] = framesUnder(axis, (at) => at * 60, x, frames)
      for (let frame = from; frame < to; frame++) seen.add(frame)
    }
    expect(seen.size).toBeGreaterThanOrEqual(frames - 1)
  }
})

function binding(chosen: string, at: { marker?: string; surface?: boolean }) {
  const sent: Intent[] = []
  let now = chosen
  const gesture = bindMarker({
    markerAt: () => at.marker ?? '',
    surfaceAt: () => (at.surface ? { triangle: 4, barycentric: [0.2, 0.3, 0.5] } : null),
    chosen: () => now,
    choose: (name) => {
      now = name
    },
    send: (intent) => {
      sent.push(intent)
    },
  })
  return { gesture, sent, chosen: () => now }
}
const at: Pointer = { x: 5, y: 5, button: 0, shift: false, ctrl: false, alt: false }

test('a click on a marker chooses it, and one on the face then binds it', () => {
  const first = binding('', { marker: 'chin' })
  expect(first.gesture.down(at)).toBe(true)
  first.gesture.up(at)
  expect(first.chosen()).toBe('chin')
  expect(first.sent).toEqual([])
  const second = binding('chin', { surface: true })
  expect(second.gesture.down(at)).toBe(true)
  expect(second.sent).toEqual([])
  second.gesture.up(at)
  expect(second.chosen()).toBe('')
  expect(second.sent).toEqual([
    { type: 'Edited', edit: { type: 'PairMarker', marker: 'chin', triangle: 4, barycentric: [0.2, 0.3, 0.5] } },
  ])
})

test('while a marker waits for its place, others that lie on the face are no obstacle', () => {
  const { gesture, sent } = binding('chin', { marker: 'brow', surface: true })
  gesture.down(at)
  gesture.up(at)
  expect(sent).toHaveLength(1)
})

test('beside the face another marker is chosen instead', () => {
  const { gesture, sent, chosen } = binding('chin', { marker: 'brow' })
  expect(gesture.down(at)).toBe(true)
  gesture.up(at)
  expect(chosen()).toBe('brow')
  expect(sent).toEqual([])
})

test('beside the face, or with nothing chosen, the pointer is left to the camera', () => {
  expect(binding('chin', {}).gesture.down(at)).toBe(false)
  expect(binding('', { surface: true }).gesture.down(at)).toBe(false)
})

test('a press that is cancelled binds nothing', () => {
  const { gesture, sent } = binding('chin', { surface: true })
  gesture.down(at)
  gesture.cancel()
  gesture.up(at)
  expect(sent).toEqual([])
})
