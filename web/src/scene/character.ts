/** What the file has besides the face (hair, body, clothes): drawn with it, turned by its head and neck, never picked. */
import { BufferAttribute, BufferGeometry, Group, Matrix4, Mesh, Vector3, type ShaderMaterial } from 'three'
import type { FrameOf } from '../core/frames'
import { carriedTextureAddress } from '../core/routes'
import type { Face } from './face'
import { applyFileMaterial } from './fileMaterial'
import { moved, type Head } from './head'
import type { LightingUniforms } from './lighting'
import { faceMaterial } from './material'
import { surfaceNamed } from './palette'
import type { Shadow } from './shadow'
import { unmoved } from './stiff'
import type { TextureUniforms } from './textures/shader'

export type CharacterFrame = FrameOf<'CharacterMeshes'>

export class Character {
  readonly root = new Group()
  private readonly attributes = new Map<string, BufferAttribute>()
  private places: readonly [Head | null, Head | null] = [null, null] // of head and neck
  private toEyes: readonly Matrix4[] = [unmoved(), unmoved()]
  private isStale = false

  constructor(
    readonly frame: CharacterFrame,
    face: Face,
    shadow: Shadow,
    textures: TextureUniforms,
    lighting: LightingUniforms,
    loaded: () => void,
    address: (image: number) => string = (image) => carriedTextureAddress(frame.rig, image),
  ) {
    const count = frame.arrays.positions.length / 3
    const add = (name: string, values: Float32Array, size: number) =>
      this.attributes.set(name, new BufferAttribute(values, size))
    add('position', frame.arrays.positions, 3)
    add('normal', frame.arrays.normals, 3)
    add('posed', frame.arrays.positions.slice(), 3)
    add('posedNormal', frame.arrays.normals.slice(), 3)
    add('uv', frame.arrays.uvs, 2)
    add('open', new Float32Array(count).fill(1), 1)
    for (const [name, size] of [['follow', 4], ['ball', 3], ['paint', 4], ['picked', 2]] as const) add(name, new Float32Array(size * count), size) // prettier-ignore
    this.root.matrixAutoUpdate = false
    this.root.matrix.copy(face.data.space.matrix)
    const shared = {
      ...face.own,
      followed: { value: false }, // the page does it, and turns the eyes
      toEyes: { value: [new Matrix4(), new Matrix4()] },
      painted: { value: 0 },
      chosen: { value: 0 },
      shadow: { value: shadow.texture },
      toShadow: { value: shadow.toShadow },
      textures,
      lighting,
    }
    for (const { name, material, start, count: size } of frame.ranges) {
      const geometry = new BufferGeometry()
      for (const [key, attribute] of this.attributes) geometry.setAttribute(key, attribute)
      geometry.setIndex(new BufferAttribute(frame.arrays.triangles.subarray(3 * start, 3 * (start + size)), 1))
      const info = frame.materials[material]
      const surface = surfaceNamed(`${name} ${info?.name ?? ''}`)
      const made: ShaderMaterial = faceMaterial({ ...surface, iris: false }, shared)
      made.defines.POSED = 1 // the page turns these vertices
      if (info) applyFileMaterial(made, info, { rig: frame.rig, named: false, loaded, address })
      const mesh = new Mesh(geometry, made)
      mesh.frustumCulled = false
      mesh.matrixAutoUpdate = false
      this.root.add(mesh)
    }
  }

  /** Where head and neck are; null: at rest. A vertex is at the mean of the places, by its shares. */
  turn(head: Head | null, neck: Head | null): void {
    this.places = [head, neck]
    this.isStale = true
  }

  /** Let joints of the eyes, left and right, move by these matrices, which are added to places. */
  look(toEyes: readonly Matrix4[]): void {
    if (toEyes.every((one, i) => one.equals(this.toEyes[i]))) return
    this.toEyes = toEyes
    this.isStale = true
  }

  /** Before a frame: bring the vertices where all this has them. */
  prepare(): void {
    if (!this.isStale) return
    const { positions, normals } = this.frame.arrays
    const straight = (by: Head | null) => by && [...by.slice(0, 9), 0, 0, 0]
    const [head, neck] = this.places
    this.blend('posed', positions, head, neck, this.toEyes)
    const turns = this.toEyes.map((one) => one.clone().setPosition(0, 0, 0))
    this.blend('posedNormal', normals, straight(head), straight(neck), turns)
    this.isStale = false
  }

  /** Where its vertices (r, 3) are drawn, in rig space. */
  positions(): Float32Array {
    this.prepare()
    return this.attributes.get('posed')!.array as Float32Array
  }

  dispose(): void {
    this.root.traverse((object) => {
      if (!(object instanceof Mesh)) return
      ;(object.geometry as BufferGeometry).dispose()
      ;(object.material as ShaderMaterial).dispose()
    })
  }

  private blend(
    name: string,
    rest: Float32Array,
    head: Head | null,
    neck: Head | null,
    toEyes: readonly Matrix4[],
  ): void {
    const attribute = this.attributes.get(name)!
    const { shares } = this.frame.arrays
    const to = attribute.array as Float32Array
    const by = new Vector3()
    for (let r = 0; r < shares.length / 4; r++) {
      const at = [rest[3 * r], rest[3 * r + 1], rest[3 * r + 2]]
      for (const [i, matrix] of toEyes.entries()) {
        const share = shares[4 * r + 2 + i]
        if (!share) continue
        by.fromArray(rest, 3 * r).applyMatrix4(matrix)
        for (let k = 0; k < 3; k++) at[k] += share * by.getComponent(k)
      }
      const places = [head ? moved(head, at) : at, neck ? moved(neck, at) : at]
      for (let k = 0; k < 3; k++)
        to[3 * r + k] = at[k] + shares[4 * r] * (places[0][k] - at[k]) + shares[4 * r + 1] * (places[1][k] - at[k])
    }
    attribute.needsUpdate = true
  }
}
