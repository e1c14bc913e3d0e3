/** One face on the stage: a mesh for each part, whose vertices can be put elsewhere and coloured. */
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
import { floats, indices, type Arrays } from '../../core/frames'
import type { Geometry, RangeInfo } from '../../core/protocol.gen'
import { gaze } from '../gaze'
import { linear, surfaceNamed, type Surface } from '../palette'
import { spaceOf, type Space } from '../space'
import { edges } from '../edges'
import { BUST_FRAGMENT, BUST_VERTEX } from './shader'

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

export function meshData(frame: { header: Geometry; arrays: Arrays }, parts: string[]): MeshData {
  const [positions, vertex] = [floats(frame, 'positions'), indices(frame, 'vertex')]
  return {
    id: frame.header.rig,
    positions,
    normals: floats(frame, 'normals'),
    vertex,
    triangles: indices(frame, 'triangles'),
    triangle: indices(frame, 'triangle'),
    ranges: frame.header.ranges,
    parts,
    space: spaceOf(positions),
    open: new Float32Array(vertex.length).fill(1),
  }
}

/** Where the vertices are, over rig vertices, and how far off they are. */
export interface Stance {
  positions: Float32Array // (v, 3)
  normals: Float32Array // (v, 3)
}

export class Bust {
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
    this.set('tone', new Float32Array(data.positions.length), 3)
    this.root.matrixAutoUpdate = false
    this.root.matrix.copy(space.matrix)
    for (const range of data.ranges) this.addPart(range)
  }

  /** Put the face into another pose. */
  stand({ positions, normals }: Stance): void {
    const { vertex } = this.data
    spread(positions, vertex, this.places)
    spread(normals, vertex, this.attributes.getAttribute('normal').array as Float32Array)
    this.changed('position')
    this.changed('normal')
  }

  /** Colours (r, 3) on it, or (null) its own. */
  tone(colors: Float32Array | null): void {
    if (colors) (this.attributes.getAttribute('tone').array as Float32Array).set(colors)
    this.changed('tone')
    for (const material of this.materials) material.uniforms.toned.value = colors !== null
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
    const material = bustMaterial(surfaceNamed(this.data.parts[range.part] ?? ''))
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

function bustMaterial(surface: Surface): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: BUST_VERTEX,
    fragmentShader: BUST_FRAGMENT,
    side: DoubleSide,
    defines: surface.iris ? { IRIS: 1 } : {},
    uniforms: {
      color: { value: new Vector3(...linear(surface.color)) },
      creep: { value: new Vector3(...surface.creep) },
      shine: { value: surface.shine },
      roughness: { value: surface.roughness },
      toned: { value: false },
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
