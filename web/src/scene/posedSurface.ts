/** The surface of a face in its pose, with the head held: what is picked, and where joints have its points. */
import { Matrix4, Vector3 } from 'three'
import type { OnSurface } from '../core/gestures/pointer'
import type { Vec } from '../core/vec'
import { sumOf, type Face } from './face'
import { posedPositions } from './geometry'
import { firstHit, within, type Ray, type Soup } from './pick'

export interface Surface {
  triangle: number // of the rig
  barycentric: [number, number, number]
  vertex: number // of the rig, the nearest corner
  part: number
  place: Vec
  normal: Vec
}

/** A point of the surface that a pin sits on. */
type Pinned = Pick<OnSurface, 'triangle' | 'vertex'>

export class PosedSurface {
  private posed: Float32Array | null = null // made when it is asked for
  private joined: Float32Array | null = null // the same where joints have them

  constructor(private readonly face: Face) {}

  /** The pose is another. */
  poseChanged(): void {
    this.posed = null
  }

  /** The joints are turned otherwise. */
  jointsChanged(): void {
    this.joined = null
  }

  soup(): Soup {
    const { data } = this.face
    if (!this.posed) {
      this.posed = posedPositions(data, this.face.wanted, this.face.shares)
      data.stiff.apply(this.posed, data.positions, data.kinds)
      this.joined = null
    }
    return { positions: this.posed, triangles: data.triangles, ranges: this.face.visibleRanges() }
  }

  /** Where the vertices (v, 3) of the rig are. */
  positions(): Float32Array {
    const { vertex, vertexCount } = this.face.data
    const posed = this.soup().positions
    const found = new Float32Array(3 * vertexCount)
    vertex.forEach((v, r) => found.set(posed.subarray(3 * r, 3 * r + 3), 3 * v))
    return found
  }

  /** What a ray meets first, where joints have the vertices. */
  hit(ray: Ray): Surface | null {
    const soup = this.soup()
    const hit = firstHit({ ...soup, positions: this.joinedPositions() }, ray)
    if (!hit) return null
    const { triangles, triangle, vertex, ranges } = this.face.data
    const corners = [0, 1, 2].map((k) => triangles[3 * hit.index + k])
    const nearest = hit.barycentric.indexOf(Math.max(...hit.barycentric))
    const place = [0, 1, 2].map((k) =>
      corners.reduce((sum, r, i) => sum + hit.barycentric[i] * soup.positions[3 * r + k], 0),
    ) as unknown as Vec
    const part = ranges.find((range) => hit.index >= range.start && hit.index < range.start + range.count)?.part ?? -1
    return {
      triangle: triangle[hit.index],
      barycentric: hit.barycentric,
      vertex: vertex[corners[nearest]],
      part,
      place,
      normal: this.normal(corners),
    }
  }

  /** Rig vertices of one part within a radius (in sizes of the face). */
  near(surface: Surface, radius: number): number[] {
    const { face } = this
    const ranges = face.visibleRanges().filter((range) => range.part === surface.part)
    return within({ ...this.soup(), ranges }, face.data.vertex, surface.place, radius * face.data.space.size)
  }

  /** Outwards at a point; null: it is not on the surface. */
  normalAt(pin: Pinned): Vec | null {
    const { triangles, triangle, vertex } = this.face.data
    const of =
      pin.triangle !== null
        ? triangle.indexOf(pin.triangle)
        : Math.floor(triangles.findIndex((r) => vertex[r] === pin.vertex) / 3)
    return of < 0 ? null : this.normal([0, 1, 2].map((k) => triangles[3 * of + k]))
  }

  /** How joints move a point; null: they do not. */
  jointsAt(of: OnSurface): Matrix4 | null {
    const { face } = this
    if (!face.isJoined) return null
    const { triangle, triangles, vertex } = face.data
    if (of.triangle === null) return face.byJoints(vertex.indexOf(of.vertex ?? -1))
    const first = 3 * triangle.indexOf(of.triangle)
    const corners = [0, 1, 2].map((k) => face.byJoints(triangles[first + k]) ?? new Matrix4())
    const shares = of.barycentric ?? [1 / 3, 1 / 3, 1 / 3]
    return sumOf(...corners.map((by, k) => [shares[k], by] as [number, Matrix4]))
  }

  /** Where the vertices are once joints have moved them, as they are drawn. */
  private joinedPositions(): Float32Array {
    const { positions } = this.soup()
    if (!this.face.isJoined) return positions
    if (!this.joined) {
      this.joined = positions.slice()
      const at = new Vector3()
      for (let r = 0; r < positions.length / 3; r++) {
        const by = this.face.byJoints(r)
        if (by)
          at.fromArray(positions, 3 * r)
            .applyMatrix4(by)
            .toArray(this.joined, 3 * r)
      }
    }
    return this.joined
  }

  private normal([a, b, c]: number[]): Vec {
    const p = this.soup().positions
    const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
    const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k])
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    const length = Math.hypot(...n) || 1
    return [n[0] / length, n[1] / length, n[2] / length]
  }
}
