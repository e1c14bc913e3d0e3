/** Edges of the polygons that triangles were made from, each once, as pairs of vertices.
 *
 * `number` (t,) counts triangles in the rig, where those of one polygon follow each other as a fan: (a, b, c), (a, c, d).
 * The edge a c between two such is no edge of the polygon. */
export function edges(triangles: Uint32Array, number: Uint32Array): Uint32Array {
  const inner = new Set<number>()
  const key = (a: number, b: number) => Math.min(a, b) * 2 ** 26 + Math.max(a, b)
  for (let t = 0; t + 1 < number.length; t++) {
    const [a, c, a2, c2] = [triangles[3 * t], triangles[3 * t + 2], triangles[3 * t + 3], triangles[3 * t + 4]]
    if (number[t + 1] === number[t] + 1 && a === a2 && c === c2) inner.add(key(a, c))
  }
  const seen = new Set(inner)
  const pairs: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]]
      if (!seen.has(key(a, b))) pairs.push(a, b)
      seen.add(key(a, b))
    }
  }
  return new Uint32Array(pairs)
}
