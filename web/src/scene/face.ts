/** The face in the scene: one mesh for each part and material, its shadow, wires, ghosts and held points. */
import {
  Group,
  LineSegments,
  Matrix4,
  Mesh,
  Points,
  type BufferAttribute,
  type BufferGeometry,
  type Object3D,
  type ShaderMaterial,
} from 'three'
import { edges } from './edges'
import type { EyeInfo, ShapeChange } from '../core/frames'
import type { Shares } from '../core/regions'
import { drawsInSoftware } from './card'
import { changeShape, indexed, posedNormals, posedPositions, spans, type FaceData } from './geometry'
import {
  depthMaterial,
  dotMaterial,
  faceMaterial,
  ghostMaterial,
  lineMaterial,
  type Own,
  type Picking,
  type Shared,
} from './material'
import type { TextureUniforms } from './textures/shader'
import type { LightingUniforms } from './lighting'
import { sharesTexture, Values } from './morph'
import { SKIN, surfaceNamed } from './palette'
import type { Aim } from '../core/controls'
import type { Shadow } from './shadow'
import { unmoved } from './stiff'
import { matrixOf, type Head } from './head'
import { applyFileMaterial } from './fileMaterial'

const NO_SHARES: Shares = { starts: new Uint32Array(1), region: new Uint32Array(0), share: new Float32Array(0) }

export const COLORS = { ghost: '#7fb4ff', before: '#e2a45c', after: '#6fce9f', held: '#ffc46b', wire: '#0a0c10' }
export type Layer = 'ghost' | 'before' | 'after'

export class Face {
  readonly root = new Group()
  readonly casting = new Group() // the same face as the shadow's lamp sees it
  readonly values: Values
  shares: Shares | null = null // of regions
  private readonly skins: { mesh: Mesh; material: number; part: number }[] = []
  private readonly layers = new Map<Layer, { meshes: Mesh[]; values: Values }>()
  private readonly dots: Points
  private readonly dotMaterial: ShaderMaterial
  private dotSize = 1 // pixels of the page
  private readonly wires: LineSegments[] = []
  readonly own: Own // what moves its vertices
  wanted = new Float32Array(0) // values of the pose, with those of the gaze
  private hasShares = false // of head and neck
  private followed: Float32Array = new Float32Array(0) // (r, 4) the shares of head, neck and eyes
  private isStale = false // the page has not yet posed the vertices by them
  private readonly picking: Picking = { painted: { value: 0 }, chosen: { value: 0 } }

  constructor(
    readonly data: FaceData,
    shadow: Shadow,
    textures: TextureUniforms,
    lighting: LightingUniforms,
  ) {
    const count = data.shapes.starts.length - 1
    this.values = new Values(count)
    this.own = {
      moves: { value: data.moves },
      shares: { value: sharesTexture(NO_SHARES) },
      ...this.values.uniforms,
      ...data.stiff.uniforms,
      followed: { value: false },
      fromHead: { value: new Matrix4() },
      toNeck: { value: new Matrix4() },
      toEyes: data.stiff.toEyes,
    }
    const shared: Shared = {
      ...this.own,
      ...this.picking,
      shadow: { value: shadow.texture },
      toShadow: { value: shadow.toShadow },
      textures,
      lighting,
    }
    for (const root of [this.root, this.casting]) {
      root.matrixAutoUpdate = false
      root.matrix.copy(data.space.matrix)
    }
    this.addParts(shared)
    this.dotMaterial = dotMaterial(this.own, COLORS.held)
    this.dots = this.add(new Points(indexed(data, new Uint32Array(0)), this.dotMaterial))
    this.dots.renderOrder = 3
    this.dots.visible = false // a shader that nothing needs is not compiled
    for (const layer of ['ghost', 'before', 'after'] as const) this.addLayer(layer, count)
  }

  /** In a pose, with eyes that follow an aim, or (null) as the pose has them. */
  pose(values: Float32Array, aim: Aim | null = null): void {
    const { stiff } = this.data
    const wanted = stiff.looking(values, aim)
    this.values.fill(wanted)
    stiff.pose(wanted, aim, values)
    ;[this.wanted, this.isStale] = [wanted as Float32Array<ArrayBuffer>, true]
  }

  /** Put another version of one shape in place of it; the pose stays. */
  change(change: ShapeChange): void {
    if (changeShape(this.data, change)) this.own.moves.value = this.data.moves
    this.isStale = true
  }

  /** Before a frame. Without a graphics card: bring the vertices where the pose has them. */
  prepare(): void {
    if (!this.isStale || !drawsInSoftware()) return
    const { data, shares, wanted } = this
    const places = posedPositions(data, wanted, shares)
    data.stiff.apply(places, data.positions, data.kinds)
    const normals = posedNormals(data, wanted, shares)
    data.stiff.applyTurns(normals, data.normals, data.kinds)
    this.refill('posed', places)
    this.refill('posedNormal', normals)
    this.isStale = false
  }

  /** Shares (v, 4) of head, neck and eyes in the vertices (none: all belong to the head), and eyes that joints turn. */
  follow(shares: Float32Array, joints: readonly EyeInfo[]): void {
    const { data } = this
    this.hasShares = shares.length === 4 * data.vertexCount && shares.length > 0
    this.followed = this.hasShares ? spread(shares, 4, data.vertex) : new Float32Array(4 * data.vertex.length)
    this.refill('follow', this.followed)
    data.stiff.turnByJoints(joints)
    this.isStale = true
  }

  /** Whether joints move vertices besides what the head does to all. */
  get isJoined(): boolean {
    const { followed, toEyes } = this.own
    return this.hasShares && (followed.value || toEyes.value.some((one) => !one.equals(UNMOVED)))
  }

  /** How joints move render vertex r, as the shaders do, besides what the head does to all; null: not at all. */
  byJoints(r: number): Matrix4 | null {
    const { fromHead, toNeck, toEyes, followed } = this.own
    const [head, neck, left, right] = this.followed.subarray(4 * r, 4 * r + 4)
    const turned = followed.value && head < 1
    if (!left && !right && !turned) return null
    const eyes = sumOf([left, toEyes.value[0]], [right, toEyes.value[1]], [1, AT_REST])
    if (!turned) return eyes
    return sumOf([head, AT_REST], [1 - head - neck, fromHead.value], [neck, toNeck.value]).multiply(eyes)
  }

  /** Where head and neck are; null: held. */
  turn(head: Head | null, neck: Head | null = null): void {
    const { followed, fromHead, toNeck } = this.own
    followed.value = this.hasShares && head !== null
    if (head) {
      fromHead.value = matrixOf(head).invert()
      toNeck.value = neck ? fromHead.value.clone().multiply(matrixOf(neck)) : fromHead.value
    }
    for (const root of [this.root, this.casting]) {
      root.matrix.copy(this.data.space.matrix)
      if (head) root.matrix.multiply(matrixOf(head))
      root.matrixWorldNeedsUpdate = true
    }
  }

  /** Show the face in another pose beside it, or (null) no longer. */
  show(layer: Layer, values: Float32Array | null): void {
    const { meshes, values: own } = this.layers.get(layer)!
    meshes.forEach((mesh, i) => {
      mesh.visible = values !== null && this.skins[i].mesh.visible
    })
    if (values) own.fill(values)
  }

  hide(parts: readonly string[]): void {
    this.skins.forEach(({ mesh, part }, i) => {
      mesh.visible = !parts.includes(this.data.parts[part]?.name ?? '')
      this.casting.children[i].visible = mesh.visible
      if (this.wires[i]) this.wires[i].visible = mesh.visible
    })
  }

  wire(on: boolean): void {
    if (!on) for (const wire of this.wires.splice(0)) this.root.remove(wire)
    if (!on || this.wires.length) return
    const { ranges, triangle } = this.data
    for (const [i, { mesh }] of this.skins.entries()) {
      const { start, count } = ranges[i]
      const pairs = edges(mesh.geometry.index!.array as Uint32Array, triangle.subarray(start, start + count))
      const lines = new LineSegments(indexed(this.data, pairs), lineMaterial(this.own, COLORS.wire, 0.45))
      lines.visible = mesh.visible
      lines.renderOrder = 2
      this.wires.push(this.add(lines))
    }
  }

  hold(vertices: readonly number[], dotSize: number): void {
    const wanted = new Set(vertices)
    const first = new Map<number, number>()
    this.data.vertex.forEach((v, r) => {
      if (wanted.has(v) && !first.has(v)) first.set(v, r)
    })
    letGo(this.dots.geometry)
    this.dots.geometry = indexed(this.data, new Uint32Array(first.values()))
    this.dots.visible = first.size > 0
    this.dotSize = dotSize
  }

  /** For a canvas with so many pixels for one of the page. */
  sizeDots(ratio: number): void {
    this.dotMaterial.uniforms.dot_size.value = this.dotSize * ratio
  }

  /** How open each vertex lies, once it is known. */
  open(share: Float32Array): void {
    this.refill('open', share)
  }

  /** Which regions each vertex belongs to, of a face with as many vertices; null: none. */
  divide(shares: Shares | null): void {
    this.shares = shares && shares.starts.length === this.data.vertexCount + 1 ? shares : null
    this.own.shares.value.dispose()
    this.own.shares.value = sharesTexture(this.shares ?? NO_SHARES)
    this.isStale = true
    this.refill('within', spans(this.shares?.starts ?? new Uint32Array(this.data.vertexCount + 1), this.data.vertex))
  }

  /** Colours of the regions over the skin: linear, with how much they hide it (v, 4); null: none. */
  paint(colors: Float32Array | null): void {
    this.picking.painted.value = colors ? 1 : 0
    if (colors) this.refill('paint', spread(colors, 4, this.data.vertex))
  }

  /** How much of each vertex (v,) belongs to the region that is chosen, and to the one under the pointer. */
  pick(chosen: Float32Array | null, hovered: Float32Array | null): void {
    this.picking.chosen.value = chosen ? 1 : 0
    const both = new Float32Array(2 * this.data.vertexCount)
    chosen?.forEach((share, v) => {
      both[2 * v] = share
    })
    hovered?.forEach((share, v) => {
      both[2 * v + 1] = share
    })
    this.refill('picked', spread(both, 2, this.data.vertex))
  }

  private refill(name: string, values: Float32Array | Uint32Array): void {
    const attribute = this.data.attributes.getAttribute(name) as BufferAttribute
    ;(attribute.array as Float32Array | Uint32Array).set(values)
    attribute.needsUpdate = true
  }

  /** Apply the materials of the file; `loaded` is called when an image, which is at an address, has come. */
  applyMaterials(loaded: () => void, address?: (image: number) => string): void {
    for (const { mesh, material, part } of this.skins) {
      const info = this.data.materials[material]
      const named = surfaceNamed(this.data.parts[part]?.name ?? '') !== SKIN
      if (info) applyFileMaterial(mesh.material as ShaderMaterial, info, { rig: this.data.rig, named, loaded, address })
    }
  }

  /** Parts that show the textures of expressions: all where none is named; null: none does. */
  showTextures(parts: readonly string[] | null): void {
    for (const { mesh, part } of this.skins) {
      const shows = parts !== null && (!parts.length || parts.includes(this.data.parts[part]?.name ?? ''))
      ;(mesh.material as ShaderMaterial).uniforms.hasTextures.value = shows
    }
  }

  dispose(): void {
    this.data.moves.dispose()
    this.own.shares.value.dispose()
    for (const values of [this.values, ...[...this.layers.values()].map((layer) => layer.values)]) values.dispose()
    this.root.traverse((object: Object3D) => {
      if (object instanceof Mesh) object.geometry.dispose()
    })
    this.data.attributes.dispose()
  }

  visibleRanges() {
    return this.data.ranges.filter((_, i) => this.skins[i].mesh.visible)
  }

  private addParts(shared: Shared): void {
    const depth = depthMaterial(this.own)
    for (const range of this.data.ranges) {
      const index = this.data.triangles.subarray(3 * range.start, 3 * (range.start + range.count))
      const geometry = indexed(this.data, index)
      const surface = surfaceNamed(this.data.parts[range.part]?.name ?? '')
      const mesh = this.add(new Mesh(geometry, faceMaterial(surface, shared)))
      this.skins.push({ mesh, material: range.material, part: range.part })
      this.casting.add(still(new Mesh(geometry, depth)))
    }
  }

  private addLayer(layer: Layer, count: number): void {
    const values = new Values(count)
    const material = ghostMaterial({ ...this.own, ...values.uniforms }, COLORS[layer])
    const meshes = this.skins.map(({ mesh }) => {
      const made = this.add(new Mesh(mesh.geometry, material))
      made.visible = false
      made.renderOrder = 1
      return made
    })
    this.layers.set(layer, { meshes, values })
  }

  private add<T extends Object3D>(object: T): T {
    this.root.add(still(object))
    return object
  }
}

const AT_REST = new Matrix4()
const UNMOVED = unmoved()

/** The sum of shares of motions. */
export function sumOf(...terms: [number, Matrix4][]): Matrix4 {
  const made = new Matrix4()
  const rows = made.elements.map((_, k) => terms.reduce((sum, [share, { elements }]) => sum + share * elements[k], 0))
  made.fromArray(rows)
  made.elements[15] = 1
  return made
}

/** Dispose of a geometry, but not of the attributes that it shares: they would be uploaded anew, unseen by the others. */
function letGo(geometry: BufferGeometry): void {
  for (const name of Object.keys(geometry.attributes)) geometry.deleteAttribute(name)
  geometry.dispose()
}

/** Values of rig vertices (v, size) for their copies (r, size). */
function spread(values: Float32Array, size: number, vertex: Uint32Array): Float32Array {
  const made = new Float32Array(size * vertex.length)
  vertex.forEach((v, r) => made.set(values.subarray(size * v, size * (v + 1)), size * r))
  return made
}

/** Shapes move it further than its box at rest says. */
function still<T extends Object3D>(object: T): T {
  object.frustumCulled = false
  object.matrixAutoUpdate = false
  return object
}
