/** Every edge of some triangles once, as pairs of vertices. */
export function edges(triangles: Uint32Array): Uint32Array {
  const seen = new Set<number>()
  const pairs: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]]
      const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b)
      if (!seen.has(key)) pairs.push(a, b)
      seen.add(key)
    }
  }
  return new Uint32Array(pairs)
}
