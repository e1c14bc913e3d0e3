import { describe, expect, it } from 'vitest'
import { extremes, waveformOf } from './waveform'

const RATE = 200

function noise(count: number): Float32Array {
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  return Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? random() : -random()))
}

describe('a waveform', () => {
  const peaks = noise(1001)
  const wave = waveformOf(peaks, RATE)

  it('shows at every zoom at least all that is in a stretch, and no more than a stretch beside it', () => {
    for (const length of [0.001, 0.013, 0.1, 0.77, 3, 20])
      for (let from = 0.0017; from < 4.9; from += 0.31) {
        const found = extremes(wave, from, from + length)!
        const inside = bounds(from, from + length)
        const around = bounds(from - 1.01 * length - 1 / RATE, from + 2.01 * length + 1 / RATE)
        expect(found[0]).toBeLessThanOrEqual(inside[0])
        expect(found[1]).toBeGreaterThanOrEqual(inside[1])
        expect(found[0]).toBeGreaterThanOrEqual(around[0])
        expect(found[1]).toBeLessThanOrEqual(around[1])
      }
  })

  it('has nothing before and after the sound', () => {
    expect(extremes(wave, -2, -1)).toBeNull()
    expect(extremes(wave, 6, 7)).toBeNull()
    expect(extremes(wave, -1, 0.01)).not.toBeNull()
  })

  it('looks at few stretches, however long the time is', () => {
    const long = waveformOf(noise(200_000), RATE)
    let looked = 0
    const counting = {
      rate: RATE,
      levels: long.levels.map(
        (level) =>
          new Proxy(level, {
            get: (of, key) => {
              if (typeof key === 'string' && /^\d+$/.test(key)) looked += 1
              const value = Reflect.get(of, key) as unknown
              return value
            },
          }),
      ),
    }
    extremes(counting, 10, 500)
    expect(looked).toBeLessThanOrEqual(8)
  })

  /** The extremes from one time to another, stretch by stretch. */
  function bounds(from: number, to: number): [number, number] {
    let [low, high] = [Infinity, -Infinity]
    for (let k = 0; k < peaks.length / 2; k++) {
      if ((k + 1) / RATE <= from || k / RATE >= to) continue
      low = Math.min(low, peaks[2 * k])
      high = Math.max(high, peaks[2 * k + 1])
    }
    return [low, high]
  }
})
