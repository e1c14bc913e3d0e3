import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shapeValues, type Drivers } from './drivers'
import vectors from './driver_vectors.json'
import { heatPaint, scaleOf } from './heat'
import { bufferOf, type Model, type Traits } from './model'
import { ViewState } from './state'

const drivers = Object.fromEntries(
  Object.entries(vectors.drivers).map(([name, values]) => [
    name,
    ['starts', 'slider'].includes(name) ? new Uint32Array(values) : new Float64Array(values),
  ]),
) as unknown as Drivers

test('shapes have the values that Python gives them', () => {
  vectors.weights.forEach((weights, k) => {
    shapeValues(drivers, weights).forEach((value, shape) => expect(value).toBeCloseTo(vectors.values[k][shape], 5))
  })
})

test('bytes are taken out of a larger buffer', () => {
  const whole = new Uint8Array([1, 2, 3, 4, 5])
  expect([...new Uint8Array(bufferOf(new DataView(whole.buffer, 1, 3)))]).toEqual([2, 3, 4])
})

test('a scale begins at 0, or below, and is never empty', () => {
  expect(scaleOf(new Float32Array([1, 3]), null)).toEqual([0, 3])
  expect(scaleOf(new Float32Array([-1, 3]), null)).toEqual([-1, 3])
  expect(scaleOf(new Float32Array([0, 0]), null)).toEqual([0, 1])
  expect(scaleOf(new Float32Array([1]), [2, 5])).toEqual([2, 5])
  const [low, , , hides, high] = heatPaint(new Float32Array([0, 2]), null)
  expect(high).toBeGreaterThan(low)
  expect(hides).toBe(1)
})

/** A frame as Python packs it: header and arrays. */
function packed(type: string, arrays: Record<string, [kind: string, shape: number[], values: number[]]>, more = {}) {
  const makers = { f4: Float32Array, f8: Float64Array, u4: Uint32Array }
  const parts: Uint8Array[] = []
  const infos: Record<string, object> = {}
  let offset = 0
  for (const [name, [kind, shape, values]] of Object.entries(arrays)) {
    const bytes = new Uint8Array(new makers[kind as 'f4'](values).buffer)
    infos[name] = { kind, shape, offset }
    parts.push(bytes, new Uint8Array(-bytes.length & 7))
    offset += bytes.length + (-bytes.length & 7)
  }
  const text = new TextEncoder().encode(JSON.stringify({ type, arrays: infos, ...more }))
  const start = Math.ceil((8 + text.length) / 8) * 8
  const made = new Uint8Array(start + offset)
  made.set(new TextEncoder().encode('FWF1'))
  new DataView(made.buffer).setUint32(4, text.length, true)
  made.set(text, 8)
  parts.reduce((at, part) => (made.set(part, at), at + part.length), start)
  return new DataView(made.buffer)
}

const floats = (values: number[]) => new DataView(new Float32Array(values).buffer)

function faceOf(sliders: string[]): Traits['_faces'][number] {
  const none: [string, number[], number[]] = ['u4', [0], []]
  const geometry = packed(
    'Geometry',
    {
      positions: ['f4', [2, 3], [0, 0, 0, 1, 1, 1]],
      normals: ['f4', [2, 3], [0, 0, 1, 0, 0, 1]],
      vertex: ['u4', [2], [0, 1]],
      triangles: none,
      triangle: none,
      starts: ['u4', [1], [0]],
      vertices: none,
      offsets: ['f4', [0, 3], []],
      turns: ['f4', [0, 3], []],
      riders: none,
      carriers: none,
      eyeballs: none,
    },
    { rig: 'a', ranges: [], materials: [], eyes: [] },
  )
  const straight = sliders.map(() => 0)
  const drivers = packed('ShapeDrivers', {
    starts: ['u4', [sliders.length + 1], [...sliders.keys(), sliders.length]],
    slider: ['u4', [sliders.length], [...sliders.keys()]],
    base: ['f8', [sliders.length], straight],
    at: ['f8', [sliders.length], straight],
    rise: ['f8', [sliders.length], straight.map(() => 1)],
    fall: ['f8', [sliders.length], straight.map(() => 1)],
    low: ['f8', [sliders.length], straight.map(() => -Infinity)],
    high: ['f8', [sliders.length], straight.map(() => Infinity)],
  })
  const infos = sliders.map((name) => ({ name, low: 0, high: 1, group: 'jaw', mirror: -1 }))
  const rig = { sliders: infos, parts: [], vertices: 2 } as unknown as Traits['_faces'][number]['rig']
  return { name: '', rig, geometry, drivers, images: {}, character: floats([]), carried: {}, head: [] }
}

class TestModel implements Model {
  readonly saved: Partial<Traits>[] = []
  private dirty: Partial<Traits> = {}
  private readonly listeners = new Map<string, (() => void)[]>()

  constructor(private readonly traits: Traits) {}

  get(trait: string) {
    return this.traits[trait as keyof Traits]
  }

  set(trait: string, value: unknown) {
    Object.assign(this.dirty, { [trait]: value })
    this.take({ [trait]: value })
  }

  save_changes() {
    this.saved.push(this.dirty)
    this.dirty = {}
  }

  /** As if Python had set traits. */
  take(traits: Partial<Traits>) {
    Object.assign(this.traits, traits)
    for (const trait of Object.keys(traits)) for (const each of this.listeners.get(`change:${trait}`) ?? []) each()
  }

  on(event: string, listener: () => void) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener])
  }

  off(event: string, listener: () => void) {
    const left = (this.listeners.get(event) ?? []).filter((each) => each !== listener)
    this.listeners.set(event, left)
  }

  get heard() {
    return [...this.listeners.values()].flat().length
  }
}

const made = (more: Partial<Traits> = {}) =>
  new TestModel({
    _faces: [faceOf(['jaw', 'lip'])],
    _clip: {},
    pose: [0, 0],
    other_pose: null,
    other_name: '',
    heat: null,
    heat_range: null,
    heat_label: '',
    time: 0,
    playing: false,
    loop: false,
    arrangement: 'beside',
    height: 480,
    ...more,
  })

const CLIP = { name: 'a', start: 0, end: 1, weights: floats([0, 0, 1, 0.5]), head: floats([]) }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal('requestAnimationFrame', (then: (now: number) => void) => setTimeout(() => then(performance.now()), 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('what the user does is gathered and sent once, the last of it', () => {
  const model = made()
  const state = new ViewState(model)
  state.put({ jaw: 0.25 })
  state.put({ jaw: 0.5, lip: 1 })
  expect(state.sliders.map(({ weight }) => weight.value)).toEqual([0.5, 1])
  expect(model.saved).toEqual([])
  vi.advanceTimersByTime(100)
  expect(model.saved).toEqual([{ pose: [0.5, 1] }])
})

test('what Python sets moves the sliders, and is not sent back', () => {
  const model = made()
  const state = new ViewState(model)
  model.take({ pose: [0.25, 0.75] })
  expect(state.sliders.map(({ weight }) => weight.value)).toEqual([0.25, 0.75])
  expect([...state.values(0)]).toEqual([0.25, 0.75])
  vi.advanceTimersByTime(100)
  expect(model.saved).toEqual([])
  state.dispose()
  expect(model.heard).toBe(0)
})

test('what Python sets counts, not what the user did just before', () => {
  const model = made()
  const state = new ViewState(model)
  state.put({ jaw: 0.25 })
  model.take({ pose: [0.5, 0.5] })
  vi.advanceTimersByTime(100)
  expect(state.sliders.map(({ weight }) => weight.value)).toEqual([0.5, 0.5])
  expect(model.saved).toEqual([])
})

test('a clip that Python pauses tells where it has come to', () => {
  const model = made({ _clip: CLIP })
  const state = new ViewState(model)
  state.play(true)
  vi.advanceTimersByTime(310)
  model.take({ playing: false })
  vi.advanceTimersByTime(100)
  expect(model.saved.at(-1)).toMatchObject({ time: state.time.value, pose: [...state.weights.value] })
})

test('a second face follows by the names of its sliders until it has a pose of its own', () => {
  const model = made({ _faces: [faceOf(['jaw', 'lip']), faceOf(['brow', 'jaw'])], pose: [0.5, 1] })
  const state = new ViewState(model)
  expect(state.compares.value).toBe(true)
  expect([...state.values(1)]).toEqual([0, 0.5])
  model.take({ other_pose: [0.125, 0.25] })
  expect([...state.values(1)]).toEqual([0.125, 0.25])
})

test('a clip plays by the clock, tells Python of it, and stops at its end', () => {
  const model = made({ _clip: CLIP })
  const state = new ViewState(model)
  state.play(true)
  vi.advanceTimersByTime(500)
  expect(state.time.value).toBeGreaterThan(0.4)
  expect(state.sliders[0].weight.value).toBeCloseTo(state.time.value, 5)
  expect(model.saved.filter(({ time }) => time !== undefined).length).toBeLessThan(5)
  vi.advanceTimersByTime(1000)
  expect(state.playing.value).toBe(false)
  expect(model.saved.at(-1)).toEqual({ playing: false, time: 1, pose: [1, 0.5] })
})

test('a slider that is moved, or a pose of Python, ends a clip that plays', () => {
  for (const act of [
    (state: ViewState) => state.put({ jaw: 0.3 }),
    (_: ViewState, model: TestModel) => model.take({ pose: [0.3, 0] }),
  ]) {
    const model = made({ _clip: CLIP, loop: true })
    const state = new ViewState(model)
    state.play(true)
    vi.advanceTimersByTime(300)
    act(state, model)
    vi.advanceTimersByTime(300)
    expect(state.playing.value).toBe(false)
    expect(state.sliders[0].weight.value).toBeCloseTo(0.3)
    state.dispose()
  }
})

test('going to a moment while it plays goes on from there', () => {
  const model = made({ _clip: CLIP })
  const state = new ViewState(model)
  state.play(true)
  vi.advanceTimersByTime(100)
  state.goTo(0.8)
  expect(state.sliders[0].weight.value).toBeCloseTo(0.8)
  vi.advanceTimersByTime(100)
  expect(state.time.value).toBeGreaterThan(0.85)
  expect(state.time.value).toBeLessThan(0.95)
})
