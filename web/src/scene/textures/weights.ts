/** From the shapes' values to the weights of the textures. */

/** Weights of textures, each the mean of its shapes' values (indices), never below 0.
 *
 * What regions add to the whole face's values comes after them, and brings in no texture: that is of the whole face. */
export function mapWeights(maps: readonly { indices: readonly number[] }[], values: ArrayLike<number>): number[] {
  return maps.map(({ indices }) => {
    const sum = indices.reduce((sum, index) => sum + (values[index] ?? 0), 0)
    return Math.max(sum / Math.max(indices.length, 1), 0)
  })
}

/** Shares of a plain mix: the neutral's first; weights that sum to more than 1 are scaled down. */
export function plainShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total < 1 ? [1 - total, ...weights] : [0, ...weights.map((weight) => weight / total)]
}

/** Shares of the smooth parts: the neutral has the rest of 1, which may be below 0. */
export function smoothShares(weights: readonly number[]): number[] {
  return [1 - weights.reduce((sum, weight) => sum + weight, 0), ...weights]
}
