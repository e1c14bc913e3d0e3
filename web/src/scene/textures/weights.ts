/** From the shapes' values to the weights of the textures. */

/** Weights of textures, each the mean of its shapes' values (indices), never below 0.
 *
 * Values of regions come after those of the whole face. */
export function mapWeights(maps: readonly { indices: readonly number[] }[], values: ArrayLike<number>): number[] {
  return maps.map(({ indices }) => {
    const sum = indices.reduce((sum, index) => sum + (values[index] ?? 0), 0)
    return Math.max(sum / Math.max(indices.length, 1), 0)
  })
}

/** Weights of the textures in each of their regions, from the values of the finest regions of the face, which come after
 * those of the whole face; null where all regions are as the whole face is.
 *
 * means: the share of each of the finest regions in each region of the textures. */
export function weightsWithin(
  maps: readonly { indices: readonly number[] }[],
  values: Float32Array,
  shapes: number,
  means: readonly (readonly number[])[],
): number[][] | null {
  const finest = means[0]?.length ?? 0
  if (!finest || values.length !== shapes * (1 + finest)) return null
  const rows = Array.from({ length: finest }, (_, i) =>
    mapWeights(maps, values.subarray((1 + i) * shapes, (2 + i) * shapes)),
  )
  return means.map((parts) => maps.map((_, map) => parts.reduce((sum, part, i) => sum + part * rows[i][map], 0)))
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
