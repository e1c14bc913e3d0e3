/** Which sliders move a vertex, and how far: made once for a rig, asked whenever the pointer moves. */
import type { RigInfo } from '../../core/protocol.gen'
import type { Shapes } from '../../scene/morph'

export interface Mover {
  slider: string
  reach: number // how far it moves the vertex from rest to its end, in scene units
}

const LEAST = 0.04 // of the furthest: sliders that move a point less are not offered

export class Movers {
  private readonly starts: Uint32Array // (v + 1,) where the entries of each vertex begin
  private readonly slider: Uint32Array
  private readonly reach: Float32Array

  /** Combinations are not counted: they move points only beside other sliders. */
  constructor(
    private readonly rig: Pick<RigInfo, 'sliders' | 'shapes'>,
    { starts, vertices, offsets }: Pick<Shapes, 'starts' | 'vertices' | 'offsets'>,
    vertexCount: number,
  ) {
    const alone = rig.shapes.flatMap((shape, j) => (shape.sliders.length === 1 && !shape.additive ? [j] : []))
    const counts = new Uint32Array(vertexCount + 1)
    for (const j of alone) for (let k = starts[j]; k < starts[j + 1]; k++) counts[vertices[k] + 1] += 1
    for (let v = 0; v < vertexCount; v++) counts[v + 1] += counts[v]
    this.starts = counts
    this.slider = new Uint32Array(counts[vertexCount])
    this.reach = new Float32Array(counts[vertexCount])
    const next = counts.slice()
    for (const j of alone) {
      const { sliders, at } = rig.shapes[j]
      const { low, high } = rig.sliders[sliders[0]]
      const end = at[0] > 0 ? Math.max(high, 0) : Math.max(-low, 0)
      for (let k = starts[j]; k < starts[j + 1]; k++) {
        const place = next[vertices[k]]++
        const by = Math.hypot(offsets[3 * k], offsets[3 * k + 1], offsets[3 * k + 2])
        this.slider[place] = sliders[0]
        this.reach[place] = (by * end) / Math.abs(at[0])
      }
    }
  }

  /** The sliders that move a vertex of the rig, those that move it furthest first. */
  at(vertex: number): Mover[] {
    const found = new Map<number, number>()
    for (let k = this.starts[vertex]; k < this.starts[vertex + 1]; k++)
      found.set(this.slider[k], Math.max(found.get(this.slider[k]) ?? 0, this.reach[k]))
    const all = [...found].map(([i, reach]) => ({ slider: this.rig.sliders[i].name, reach }))
    all.sort((a, b) => b.reach - a.reach)
    return all.filter(({ reach }) => reach > 0 && reach >= LEAST * all[0].reach)
  }
}
