/** From the shapes' values to the weights of the textures. */

/** Weights of textures, each the mean of its shapes' values (indices), never below 0.
 *
 * `values` holds those of s shapes, once, or for each region that is posed for itself: then the strongest counts. */
export function mapWeights(maps: readonly { indices: readonly number[] }[], values: ArrayLike<number>, s: number): number[] {
  const rows = Math.max(Math.floor(values.length / Math.max(s, 1)), 1)
  return maps.map(({ indices }) => {
    let strongest = 0
    for (let row = 0; row < rows && indices.length; row++) {
      let sum = 0
      for (const index of indices) sum += values[row * s + index] ?? 0
      strongest = Math.max(strongest, sum / indices.length)
    }
    return strongest
  })
}

/** Shares of a plain mix: the neutral's first; weights beyond 1 are thinned out. */
export function plainShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total < 1 ? [1 - total, ...weights] : [0, ...weights.map((weight) => weight / total)]
}

/** Shares of the smooth parts: the neutral has the rest of 1, which may be below 0. */
export function smoothShares(weights: readonly number[]): number[] {
  return [1 - weights.reduce((sum, weight) => sum + weight, 0), ...weights]
}
