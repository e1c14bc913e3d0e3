/** A face on the stage of a build: a mesh for each part, whose vertices can be moved and coloured. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  GLSL3,
  Group,
  LineSegments,
  Mesh,
  ShaderMaterial,
  Vector3,
} from 'three'
import type { Geometry, RangeInfo } from '../../core/frames'
import { gaze } from '../gaze'
import { linear, surfaceNamed, type Surface } from '../palette'
import { spaceOf, type Space } from '../space'
import { edges } from '../edges'
import { PREVIEW_FRAGMENT, PREVIEW_VERTEX } from './shader'

/** A mesh as it comes; r render vertices over v vertices of the rig. */
export interface MeshData {
  id: string
  positions: Float32Array // (r, 3)
  normals: Float32Array // (r, 3)
  vertex: Uint32Array // (r,) of the rig
  triangles: Uint32Array // (t, 3)
  triangle: Uint32Array // (t,) of the rig
  ranges: RangeInfo[]
  parts: string[]
  space: Space
  open: Float32Array // (r,) how open each vertex lies; all 1 until it is known
}

export function meshData(frame: Geometry, parts: string[]): MeshData {
  const { positions, normals, vertex, triangles, triangle } = frame.arrays
  return {
    id: frame.rig,
    positions,
    normals,
    vertex,
    triangles,
    triangle,
    ranges: frame.ranges,
    parts,
    space: spaceOf(positions),
    open: new Float32Array(vertex.length).fill(1),
  }
}

/** A pose of the mesh, over rig vertices. */
export interface PosedMesh {
  positions: Float32Array // (v, 3)
  normals: Float32Array // (v, 3)
}

export class PreviewFace {
  readonly root = new Group()
  /** Places (r, 3) of the render vertices, as they are shown. */
  readonly places: Float32Array
  private readonly attributes = new BufferGeometry()
  private readonly materials: ShaderMaterial[] = []
  private readonly wires: LineSegments[] = []

  /** `space` is shared by faces that are to be seen beside each other. */
  constructor(
    readonly data: MeshData,
    readonly space: Space = data.space,
  ) {
    this.places = data.positions.slice()
    this.set('position', this.places, 3)
    this.set('normal', data.normals.slice(), 3)
    this.set('open', data.open, 1)
    this.set('ball', balls(data), 3)
    this.set('heat', new Float32Array(data.positions.length), 3)
    this.root.matrixAutoUpdate = false
    this.root.matrix.copy(space.matrix)
    for (const range of data.ranges) this.addPart(range)
  }

  /** Put the face into another pose. */
  pose({ positions, normals }: PosedMesh): void {
    const { vertex } = this.data
    spread(positions, vertex, this.places)
    spread(normals, vertex, this.attributes.getAttribute('normal').array as Float32Array)
    this.changed('position')
    this.changed('normal')
  }

  /** Colour it (r, 3); null: as its material is. */
  color(colors: Float32Array | null): void {
    if (colors) (this.attributes.getAttribute('heat').array as Float32Array).set(colors)
    this.changed('heat')
    for (const material of this.materials) material.uniforms.colored.value = colors !== null
  }

  open(share: Float32Array): void {
    ;(this.attributes.getAttribute('open').array as Float32Array).set(share)
    this.changed('open')
  }

  wire(on: boolean): void {
    if (!on) for (const wire of this.wires.splice(0)) this.root.remove(wire)
    if (!on || this.wires.length) return
    for (const range of this.data.ranges) {
      const index = this.data.triangles.subarray(3 * range.start, 3 * (range.start + range.count))
      const pairs = edges(index, this.data.triangle.subarray(range.start, range.start + range.count))
      const lines = new LineSegments(this.indexed(pairs), wireMaterial())
      this.wires.push(lines)
      this.root.add(still(lines))
    }
  }

  dispose(): void {
    this.attributes.dispose()
    for (const child of this.root.children)
      if (child instanceof Mesh || child instanceof LineSegments) child.geometry.dispose()
    for (const material of this.materials) material.dispose()
  }

  private addPart(range: RangeInfo): void {
    const index = this.data.triangles.subarray(3 * range.start, 3 * (range.start + range.count))
    const material = previewMaterial(surfaceNamed(this.data.parts[range.part] ?? ''))
    this.materials.push(material)
    this.root.add(still(new Mesh(this.indexed(index), material)))
  }

  private indexed(index: Uint32Array): BufferGeometry {
    const made = new BufferGeometry()
    for (const [name, attribute] of Object.entries(this.attributes.attributes)) made.setAttribute(name, attribute)
    made.setIndex(new BufferAttribute(index as Uint32Array<ArrayBuffer>, 1))
    return made
  }

  private set(name: string, array: Float32Array, size: number): void {
    this.attributes.setAttribute(name, new BufferAttribute(array as Float32Array<ArrayBuffer>, size))
  }

  private changed(name: string): void {
    ;(this.attributes.getAttribute(name) as BufferAttribute).needsUpdate = true
  }
}

/** Values (v, 3) of rig vertices at each render vertex. */
function spread(from: Float32Array, vertex: Uint32Array, to: Float32Array): void {
  vertex.forEach((v, r) => {
    to[3 * r] = from[3 * v]
    to[3 * r + 1] = from[3 * v + 1]
    to[3 * r + 2] = from[3 * v + 2]
  })
}

function balls({ ranges, parts, positions, triangles }: MeshData): Float32Array {
  const made = new Float32Array(positions.length)
  for (const range of ranges) {
    if (!surfaceNamed(parts[range.part] ?? '').iris) continue
    const own = [...new Set(triangles.subarray(3 * range.start, 3 * (range.start + range.count)))]
    const placed = gaze(new Float32Array(own.flatMap((r) => [...positions.subarray(3 * r, 3 * r + 3)])))
    own.forEach((r, k) => made.set(placed.subarray(3 * k, 3 * k + 3), 3 * r))
  }
  return made
}

function previewMaterial(surface: Surface): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: PREVIEW_VERTEX,
    fragmentShader: PREVIEW_FRAGMENT,
    side: DoubleSide,
    defines: surface.iris ? { IRIS: 1 } : {},
    uniforms: {
      color: { value: new Vector3(...linear(surface.color)) },
      creep: { value: new Vector3(...surface.creep) },
      shine: { value: surface.shine },
      roughness: { value: surface.roughness },
      colored: { value: false },
    },
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  })
}

function wireMaterial(): ShaderMaterial {
  const vertexShader = 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }'
  const fragmentShader =
    'precision highp float; out vec4 result; void main() { result = vec4(0.04, 0.047, 0.063, 0.4); }'
  return new ShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, transparent: true, depthWrite: false })
}

/** A pose moves it further than its box at rest says. */
function still<T extends Mesh | LineSegments>(object: T): T {
  object.frustumCulled = false
  object.matrixAutoUpdate = false
  return object
}
