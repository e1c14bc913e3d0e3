import { beforeEach, describe, expect, it } from 'vitest'
import type { BuildInfo, BuildPose, PoseFitInfo } from '../../core/protocol.gen'
import { cellAt, cellsOf, stepBack } from '../../scene/stage/cells'
import { heatColor, heatColors, heatGradient, roundUp } from '../../scene/stage/heat'
import { length } from '../../core/length'
import * as state from './state'
import { tab } from '../../core/view'

const fit = (change: Partial<PoseFitInfo> = {}): PoseFitInfo => ({
  weights: {},
  relative: 0.02,
  typical: 0.1,
  worst: 0.5,
  reached: true,
  verdict: 'expressible',
  reach: '',
  more: {},
  missing: '',
  gain: 0,
  added: false,
  ...change,
})
const pose = (name: string, change: Partial<BuildPose> = {}): BuildPose => ({
  name,
  vertices: 4,
  guess: {},
  aligned: false,
  obstacle: '',
  can_be_aligned: false,
  view: name,
  fit: null,
  ...change,
})
const face = (id: string) => ({ id, name: id, vertices: 4, parts: ['face'] })
const told = (change: Partial<BuildInfo> = {}): BuildInfo => ({
  template: face('template'),
  source: 'sample',
  sliders: [],
  neutral: face('neutral'),
  rest: face('neutral'),
  size: 1,
  obstacle: '',
  other_topology: false,
  pairs: [],
  proposed: false,
  registration: null,
  mesh: 'auto',
  notes: [],
  up: 'auto',
  upright: '',
  prior: '',
  poses: [],
  trust: 0.5,
  along: true,
  quick: true,
  waits: '',
  built: null,
  doing: '',
  undo: '',
  redo: '',
  ...change,
})
// Of facewright.render.heat_colors at 0, 0.3, 0.5 and 1.
const COLORS = [
  [0.0619, 0.07443, 0.10497],
  [0.27697, 0.10829, 0.40955],
  [0.74812, 0.10361, 0.34004],
  [0.98547, 0.78671, 0.16035],
]
const slider = (name: string) => ({ name, low: 0, high: 1, group: 'mouth' })

beforeEach(() => {
  state.build.value = null
  state.choosePose('')
  state.half.value = null
  state.pairingWanted.value = false
})

describe('what is told about a build', () => {
  it('shows the first pose, then each that comes, and another when the shown one goes', () => {
    state.applyBuild(told({ poses: [pose('a')] }))
    expect(state.chosenPose.value?.name).toBe('a')
    state.applyBuild(told({ poses: [pose('a'), pose('b'), pose('c')] }))
    expect(state.chosenPose.value?.name).toBe('b')
    state.applyBuild(told({ poses: [pose('a'), pose('c')] }))
    expect(state.chosenPose.value?.name).toBe('a')
    state.applyBuild(told({ poses: [] }))
    expect(state.chosenPose.value).toBeNull()
  })

  it('does not leave a chosen pose when something else changes', () => {
    state.applyBuild(told({ poses: [pose('a'), pose('b')] }))
    state.choosePose('b')
    state.applyBuild(told({ poses: [pose('a'), pose('b', { fit: fit() })], trust: 0.7 }))
    expect(state.chosenPose.value?.fit?.relative).toBe(0.02)
  })

  it('pairs points until the template is registered, and again when that is wanted', () => {
    state.applyBuild(told({ other_topology: true }))
    expect(state.pairing.value).toBe(true)
    const registration = { own: false, verdict: 'a good fit', good: true, current: true }
    state.applyBuild(told({ other_topology: true, registration }))
    expect(state.pairing.value).toBe(false)
    state.pairingWanted.value = true
    expect(state.pairing.value).toBe(true)
    state.choosePose('a')
    expect(state.pairing.value).toBe(false)
  })

  it('forgets progress with what was being done, and half a pair with its face', () => {
    state.applyBuild(told({ doing: 'solving' }))
    state.progress.value = { step: 3, steps: 10, error: 0.1 }
    state.half.value = { side: 'source', vertex: 3 }
    state.applyBuild(told({ doing: '' }))
    expect(state.progress.value).toBeNull()
    expect(state.half.value).not.toBeNull()
    state.applyBuild(told({ neutral: face('other') }))
    expect(state.half.value).toBeNull()
  })

  it('is looked at only in its own tab', () => {
    tab.value = 'build'
    expect(state.building.value).toBe(true)
    tab.value = 'pose'
    expect(state.building.value).toBe(false)
  })
})

describe('weights of a pose', () => {
  it('come guessed first, then those that only the solver uses, the strongest first', () => {
    const rows = state.weightRows(
      pose('a', {
        guess: { smile: 0.5, blink: 0 },
        fit: fit({ weights: { smile: 0.7, jaw: 0.1, brow: -0.4, nose: 0.01 } }),
      }),
    )
    expect(rows).toEqual([
      { name: 'smile', guess: 0.5, solved: 0.7 },
      { name: 'blink', guess: 0, solved: 0 },
      { name: 'brow', guess: null, solved: -0.4 },
      { name: 'jaw', guess: null, solved: 0.1 },
    ])
    expect(state.weightRows(pose('a', { guess: { smile: 0.5 } }))).toEqual([
      { name: 'smile', guess: 0.5, solved: null },
    ])
  })

  it('are found by parts of their names, both sides at once first', () => {
    const sliders = ['mouthSmileLeft', 'mouthSmileRight', 'jawOpen', 'mouthClose'].map(slider)
    expect(state.offersFor('smile', sliders, new Set())).toEqual([
      { label: 'mouthSmile, both sides', sliders: ['mouthSmileLeft', 'mouthSmileRight'] },
      { label: 'mouthSmileLeft', sliders: ['mouthSmileLeft'] },
      { label: 'mouthSmileRight', sliders: ['mouthSmileRight'] },
    ])
    expect(state.offersFor('mouth cl', sliders, new Set()).map((offer) => offer.label)).toEqual(['mouthClose'])
    expect(state.offersFor('smile', sliders, new Set(['mouthSmileLeft'])).map((offer) => offer.label)).toEqual([
      'mouthSmileRight',
    ])
    expect(state.offersFor('nothing', sliders, new Set())).toEqual([])
  })
})

describe('pairs of points', () => {
  it('have each point once', () => {
    const pairs = [
      { source: 1, target: 10, name: 'nose' },
      { source: 2, target: 20, name: '' },
    ]
    expect(state.pairedWith(pairs, { side: 'source', vertex: 3 }, 30)).toEqual([
      ...pairs,
      { source: 3, target: 30, name: '' },
    ])
    expect(state.pairedWith(pairs, { side: 'target', vertex: 30 }, 3)).toEqual([
      ...pairs,
      { source: 3, target: 30, name: '' },
    ])
    expect(state.pairedWith(pairs, { side: 'source', vertex: 1 }, 20)).toEqual([{ source: 1, target: 20, name: '' }])
  })
})

describe('words and numbers', () => {
  it('say shares and lengths with the digits that matter', () => {
    expect([0, 0.0123, 0.31, 1].map(state.percent)).toEqual(['0 %', '1.2 %', '31 %', '100 %'])
    expect([0, 0.012345, 2.34567, 1234.5].map((value) => length(value))).toEqual(['0', '0.0123', '2.35', '1235'])
    expect(length(0.012345, 2)).toBe('0.012')
  })

  it('say who is trusted', () => {
    expect(state.trustWords(0)).toMatch(/^Trust the template/)
    expect(state.trustWords(0.5)).toBe('Even-handed')
    expect(state.trustWords(1)).toMatch(/^Trust the examples/)
  })

  it('take the file that is called neutral as that', () => {
    expect(state.neutralAmong(['smile.obj', 'Head_Neutral.obj', 'jaw.obj'])).toBe(1)
    expect(state.neutralAmong(['smile.obj', 'jaw.obj'])).toBe(0)
  })
})

describe('the heat map', () => {
  it('has the colours of the library’s pictures', () => {
    const close = (share: number, color: number[]) =>
      heatColor(share).forEach((c, k) => expect(c).toBeCloseTo(color[k], 3))
    close(0, COLORS[0])
    close(0.3, COLORS[1])
    close(0.5, COLORS[2])
    close(1, COLORS[3])
    close(7, COLORS[3])
  })

  it('colours render vertices by how far their own vertex is off', () => {
    const colors = heatColors(new Float32Array([0, 2]), 2, new Uint32Array([1, 0, 1]))
    expect([...colors.slice(0, 3)]).toEqual([...colors.slice(6, 9)])
    heatColor(1).forEach((c, k) => expect(colors[k]).toBeCloseTo(c, 5))
    heatColor(0).forEach((c, k) => expect(colors[3 + k]).toBeCloseTo(c, 5))
    expect(heatGradient()).toMatch(/^linear-gradient/)
  })

  it('ends at a round number, of one pose or of all', () => {
    expect([0.013, 0.02, 0.31, 7, 120].map(roundUp)).toEqual([0.02, 0.02, 0.5, 10, 200])
    expect(roundUp(0)).toBe(1)
    const poses = [pose('a', { fit: fit({ worst: 0.5 }) }), pose('b', { fit: fit({ worst: 2 }) }), pose('c')]
    expect(state.heatTop(poses[0], poses, false)).toBe(0.5)
    expect(state.heatTop(poses[0], poses, true)).toBe(2)
    expect(state.heatTop(poses[2], poses, false)).toBe(0)
  })
})

describe('places on the stage', () => {
  const size = { width: 1000, height: 600 }

  it('are beside each other, or one place with a divider', () => {
    expect(cellsOf(2, size, 'beside', 0.3)).toEqual([
      { x: 0, width: 500, from: 0, to: 500 },
      { x: 500, width: 500, from: 500, to: 1000 },
    ])
    const split = cellsOf(2, size, 'split', 0.3)
    expect(split).toEqual([
      { x: 0, width: 1000, from: 0, to: 300 },
      { x: 0, width: 1000, from: 300, to: 1000 },
    ])
    expect([10, 299, 300, 999].map((x) => cellAt(split, x))).toEqual([0, 0, 1, 1])
    expect(cellsOf(1, size, 'split', 0.3)).toEqual([{ x: 0, width: 1000, from: 0, to: 1000 }])
    expect(cellsOf(0, size, 'beside', 0.5)).toEqual([])
  })

  it('are looked at from further away where they are narrow', () => {
    expect(stepBack({ x: 0, width: 800, from: 0, to: 800 }, 600)).toBe(1)
    expect(stepBack({ x: 0, width: 200, from: 0, to: 200 }, 600)).toBeGreaterThan(1.5)
  })
})
