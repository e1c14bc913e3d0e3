import { Texture, type WebGLRenderer } from 'three'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSoftware } from './card'
import { Redraw } from './redraw'
import { summed } from './textures/mix'
import { Pace } from './pace'

describe('what draws', () => {
  it.each([
    'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
    'ANGLE (Mesa, llvmpipe (LLVM 15.0.6 256 bits), OpenGL 4.5)',
    'llvmpipe, or similar',
    'softpipe',
    'ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'Apple Software Renderer',
  ])('is the processor: %s', (name) => expect(isSoftware(name)).toBe(true))

  it.each([
    'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002504) Direct3D11 vs_5_0 ps_5_0, D3D11)',
    'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)',
    'ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)',
    'AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.6)',
    'Mozilla',
    '',
  ])('is a card, or not told: %s', (name) => expect(isSoftware(name)).toBe(false))
})

describe('the pace', () => {
  const frames = (pace: Pace, count: number, cost: (ratio: number) => number) => {
    for (let i = 0; i < count; i++) pace.took('moving', cost(pace.moving))
  }

  it('is coarser where frames are slow, finer where they are quick, and stays inside its limits', () => {
    const pace = new Pace()
    frames(pace, 30, (ratio) => 900 * ratio ** 2)
    expect(pace.moving).toBeCloseTo(0.6)
    frames(pace, 30, (ratio) => 20 * ratio ** 2)
    expect(pace.moving).toBe(1)
  })

  it('finds a size and stays with it', () => {
    const pace = new Pace()
    const cost = (ratio: number) => 20 + 110 * ratio ** 2
    frames(pace, 30, cost)
    const found = pace.moving
    expect(cost(found)).toBeLessThan(91)
    frames(pace, 30, cost)
    expect(pace.moving).toBe(found)
  })

  it('is not led by a single slow frame', () => {
    const pace = new Pace()
    const before = pace.moving
    for (const time of [80, 2000, 82, 85, 1500, 84]) pace.took('moving', time)
    expect(pace.moving).toBe(before)
  })

  it('is smooth at rest as long as that can be borne, and as fine as the screen', () => {
    const pace = new Pace()
    expect([pace.sharp(1), pace.sharp(2)]).toEqual([1.5, 2])
    for (const time of [900, 300, 900, 900]) pace.took('sharp', time)
    expect(pace.sharp(1)).toBe(1.5)
    pace.took('sharp', 900)
    expect(pace.sharp(2)).toBe(1)
  })

  it('is the same at rest, however slow, where pictures are compared', () => {
    const pace = new Pace(true)
    for (let i = 0; i < 9; i++) pace.took('sharp', 900)
    expect([pace.sharp(1), pace.sharp(1.5)]).toEqual([1, 1.5])
  })
})

describe('frames', () => {
  let painted: (() => void)[] = []
  let signaled = false
  const canvas = { width: 0, height: 0 }
  const gl = {
    SIGNALED: 1,
    fenceSync: () => ({}),
    flush: () => {},
    deleteSync: () => {},
    isContextLost: () => false,
    getSyncParameter: () => (signaled ? 1 : 0),
  }
  const renderer = {
    domElement: canvas,
    getContext: () => gl,
    setDrawingBufferSize(width: number, height: number, ratio: number) {
      canvas.width = Math.floor(width * ratio)
      canvas.height = Math.floor(height * ratio)
    },
  } as unknown as WebGLRenderer
  let widths: number[] = [] // of the canvas, as it was drawn
  let shown: number[] = [] // how many were drawn, each time that a picture was shown
  const made = (pace: Pace | null) =>
    new Redraw(
      renderer,
      () => ({ width: 100, height: 50 }),
      () => widths.push(canvas.width),
      () => shown.push(widths.length),
      pace,
    )
  const paint = () => {
    for (const each of painted.splice(0)) each()
  }
  const finish = () => {
    signaled = true
    vi.advanceTimersByTime(10)
    signaled = false
  }

  beforeEach(() => {
    vi.useFakeTimers()
    ;[painted, widths, signaled, shown] = [[], [], false, []]
    vi.stubGlobal('window', { devicePixelRatio: 1 })
    vi.stubGlobal('requestAnimationFrame', (then: () => void) => painted.push(then))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('of a card are all alike, and one for all that was asked before it', () => {
    const frames = made(null)
    frames.ask()
    frames.ask()
    expect(frames.drawn).toBe(false)
    paint()
    expect([widths, frames.still]).toEqual([[100], true])
    vi.advanceTimersByTime(1000)
    paint()
    expect(widths).toEqual([100])
  })

  it('of the processor wait for each other, and the last is a sharp one', () => {
    const frames = made(new Pace())
    frames.ask()
    paint()
    frames.ask()
    paint()
    expect([widths, shown]).toEqual([[80], []]) // the first is still under way
    finish()
    expect(shown).toEqual([1])
    paint()
    finish()
    expect([widths, frames.drawn, frames.still]).toEqual([[80, 80], true, false])
    vi.advanceTimersByTime(300)
    paint()
    expect(frames.still).toBe(false)
    finish()
    expect([widths, frames.still]).toEqual([[80, 80, 150], true])
  })

  it('have no more pixels than a coarse screen, and are then sharp at once', () => {
    vi.stubGlobal('window', { devicePixelRatio: 0.5 })
    const frames = made(new Pace(true))
    frames.ask()
    paint()
    expect(frames.still).toBe(false)
    finish()
    expect([widths, frames.still]).toEqual([[50], true])
    vi.advanceTimersByTime(1000)
    paint()
    expect(widths).toEqual([50])
  })

  it('are not sharp as long as changes come', () => {
    const frames = made(new Pace())
    for (let i = 0; i < 10; i++) {
      frames.ask()
      paint()
      finish()
      vi.advanceTimersByTime(80)
    }
    expect(widths.length).toBe(10)
    expect(Math.max(...widths)).toBeLessThanOrEqual(100)
  })

  it('that are kept as a picture are sharp, at once', () => {
    const frames = made(new Pace())
    frames.now()
    expect([widths, shown]).toEqual([[150], [1]])
    finish()
    expect(shown).toEqual([1]) // not again: nothing new was drawn
  })

  it('of a covered canvas are drawn when it is seen again', () => {
    const frames = made(null)
    frames.cover(true)
    frames.ask()
    paint()
    expect(widths).toEqual([])
    frames.cover(false)
    paint()
    expect(widths).toEqual([100])
  })
})

it('a sum has each texture once, and none that cancels out', () => {
  const [a, b, c] = [new Texture(), new Texture(), new Texture()]
  expect(
    summed([
      [a, 0.75],
      [b, 0.25],
      [c, 0.5],
      [b, -1],
      [c, -0.5],
    ]),
  ).toEqual([
    [a, 0.75],
    [b, -0.75],
  ])
})
