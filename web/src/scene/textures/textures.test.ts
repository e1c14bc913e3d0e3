/** Which textures take part and whose detail is shown: as the library has it. */
import { describe, expect, it } from 'vitest'
import { after, choiceBy, detailAt, isFading, NEUTRAL, shares, shown, type Detail } from './detail'
import { Store } from './store'
import { slopesOf } from './pictures'
import { mapWeights, plainShares, smoothShares, weightsWithin } from './weights'
import vectors from './detail_vectors.json'

describe('the detail over time', () => {
  it.each(vectors.runs.map((run, i) => [i, run] as const))('is the one that Python shows, run %i', (_, run) => {
    const choice = { by: run.by as 'dominant' | 'neutral', margin: run.margin, fade: run.fade }
    let detail: Detail | null = null
    run.weights.forEach((weights, frame) => {
      const { relevance } = run as { relevance?: number[] }
      detail = detail ? after(detail, run.step, weights, choice, relevance) : detailAt(weights, choice, relevance)
      const wanted = run.details[frame]
      expect(detail.map).toBe(wanted[0])
      expect(detail.former).toBe(wanted[1])
      expect(detail.share).toBeCloseTo(wanted[2], 9)
    })
  })

  it('is shown with the shares that Python finds', () => {
    for (const { detail, gram, wanted } of vectors.fades) {
      const [map, former, share] = detail
      const found = new Map(shown({ map, former, share }, (a, b) => gram[a][b]))
      expect([...found.keys()].sort()).toEqual(wanted.map(([index]) => index).sort())
      for (const [index, part] of wanted) expect(found.get(index)).toBeCloseTo(part, 6)
    }
  })

  it('never shows two details once a change is over', () => {
    expect(isFading(NEUTRAL)).toBe(false)
    expect(isFading({ map: 2, former: 1, share: 0.4 })).toBe(true)
    expect(shown({ map: 2, former: 1, share: 1 }, () => 1)).toEqual([[2, 1]])
  })
})

describe('weights', () => {
  it("are means of the shapes' values, never below 0", () => {
    const maps = [{ indices: [0, 2] }, { indices: [1] }, { indices: [] }]
    expect(mapWeights(maps, [0.5, -1, 1])).toEqual([0.75, 0, 0])
  })

  it('are those of the whole face where regions are posed for themselves', () => {
    expect(mapWeights([{ indices: [1] }], [0, 0.2, 0, 0.9])).toEqual([0.2])
  })

  it('sum to 1 with the neutral, in every mix', () => {
    for (const weights of [
      [0.2, 0.3],
      [0.9, 0.8],
      [0, 0],
    ]) {
      const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
      expect(sum(plainShares(weights))).toBeCloseTo(1)
      expect(sum(smoothShares(weights))).toBeCloseTo(1)
      expect(Math.min(...plainShares(weights))).toBeGreaterThanOrEqual(0)
    }
    expect(shares([0.9, 0.8])).toEqual([0, 0.9, 0.8])
  })

  it('leave one texture alone as it is', () => {
    expect(plainShares([1, 0])).toEqual([0, 1, 0])
    expect(smoothShares([1, 0])).toEqual([0, 1, 0])
    expect(choiceBy('neutral').by).toBe('neutral')
  })
})

describe('textures on the card', () => {
  const made = () => {
    const gone: string[] = []
    let arrived = 0
    const load = (key: string) => Promise.resolve({ bytes: 10, dispose: () => void gone.push(key) })
    const store = new Store(
      25,
      load,
      () => {
        arrived += 1
      },
      () => {},
    )
    return { store, gone, count: () => arrived }
  }

  it('never take more than they may, and the longest unused goes first', async () => {
    const { store, gone, count } = made()
    for (const key of ['a', 'b', 'c']) {
      store.begin()
      store.get(key)
      await Promise.resolve()
      await Promise.resolve()
    }
    expect(count()).toBe(3)
    expect(gone).toEqual(['a'])
    expect(store.bytes).toBe(20)
  })

  it('stay as long as the frame wants them', async () => {
    const { store, gone } = made()
    store.begin()
    for (const key of ['a', 'b', 'c']) store.get(key)
    await Promise.resolve()
    await Promise.resolve()
    expect(gone).toEqual([])
    expect(store.count).toBe(3)
  })

  it('are given back when the textures are taken off, also those that still come', async () => {
    const { store, gone } = made()
    store.get('a')
    store.clear()
    await Promise.resolve()
    await Promise.resolve()
    expect(gone).toEqual(['a'])
    expect(store.bytes).toBe(0)
  })
})

it('regions of textures have the mean of the weights of the finest regions in them', () => {
  const maps = [{ indices: [0] }, { indices: [0, 1] }]
  const values = Float32Array.of(0, 0, 1, 0, 0.5, 0.5, 0, 1) // two shapes: the whole face, then three regions
  const means = [
    [0.25, 0.75, 0],
    [0, 0, 1],
  ]
  expect(weightsWithin(maps, values, 2, means)).toEqual([
    [0.625, 0.5],
    [0, 0.5],
  ])
  expect(weightsWithin(maps, values.subarray(0, 2), 2, means)).toBeNull()
})

it('slopes of normals in bytes are those of the surface, and no steeper than a wrinkle', () => {
  const [right, up, none] = slopesOf(127.5 * (1 + 0.6), 127.5 * (1 - 0.3), 127.5 * (1 + 0.74))
  expect(right).toBeCloseTo(0.6 / 0.74)
  expect(up).toBeCloseTo(-0.3 / 0.74)
  expect(none).toBe(0)
  expect(slopesOf(255, 127.5, 0)[0]).toBeCloseTo(20)
})
