/** Parts that move as one: teeth and tongue with the jaw, eyes that look somewhere. As in facewright.rig.gaze. */
import { Matrix3, Matrix4, Vector3, type IUniform } from 'three'
import type { EyeInfo } from '../core/frames'
import type { Aim } from '../core/controls'
import type { Vec } from '../core/vec'
import { rigid } from './rigidFit'
import type { Shapes } from './morph'

export const STIFF = 3 // the jaw's, and two eyes

export interface StiffUniforms {
  stiff: IUniform<Matrix4[]>
  stiffOn: IUniform<boolean[]>
}

export interface StiffInfo {
  riders: Uint32Array // vertices of the rig
  carriers: Uint32Array
  eyes: { info: EyeInfo; vertices: Uint32Array }[]
}

interface Eye {
  info: EyeInfo
  followed: Followed | null // null: a joint turns it
  part: number // of the stiff parts, from 0; -1: none
}

type Moved = Pick<Shapes, 'vertices' | 'offsets'>

/** Vertices of the rig whose places are wanted in many poses. */
class Followed {
  readonly rest: Float32Array
  private entries: { shape: number; at: number; offset: [number, number, number] }[] = []
  private readonly place: ReadonlyMap<number, number>

  constructor(vertices: Uint32Array, neutral: (vertex: number) => ArrayLike<number>, shapes: Shapes) {
    this.rest = new Float32Array([...vertices].flatMap((vertex) => Array.from(neutral(vertex))))
    this.place = new Map([...vertices].map((vertex, i) => [vertex, i]))
    for (let shape = 0; shape + 1 < shapes.starts.length; shape++)
      this.add(shape, shapes, shapes.starts[shape], shapes.starts[shape + 1])
  }

  /** Another version of one shape. */
  replace(shape: number, by: Moved): void {
    this.entries = this.entries.filter((entry) => entry.shape !== shape)
    this.add(shape, by, 0, by.vertices.length)
  }

  private add(shape: number, { vertices, offsets }: Moved, start: number, stop: number): void {
    for (let k = start; k < stop; k++) {
      const at = this.place.get(vertices[k])
      if (at !== undefined)
        this.entries.push({ shape, at: 3 * at, offset: [offsets[3 * k], offsets[3 * k + 1], offsets[3 * k + 2]] })
    }
  }

  posed(values: ArrayLike<number>): Float32Array {
    const places = this.rest.slice()
    for (const { shape, at, offset } of this.entries) {
      const value = values[shape] ?? 0
      if (value) for (let axis = 0; axis < 3; axis++) places[at + axis] += value * offset[axis]
    }
    return places
  }
}

export class Stiff {
  readonly uniforms: StiffUniforms = {
    stiff: { value: Array.from({ length: STIFF }, () => new Matrix4()) },
    stiffOn: { value: new Array<boolean>(STIFF).fill(false) },
  }
  private readonly jaw: Followed | null
  readonly toEyes: IUniform<Matrix4[]> = { value: [unmoved(), unmoved()] } // of joints, left and right
  private readonly balls: Eye[]
  private eyes: Eye[]

  constructor(
    private readonly info: StiffInfo,
    neutral: (vertex: number) => ArrayLike<number>,
    shapes: Shapes,
  ) {
    this.jaw = info.riders.length ? new Followed(info.carriers, neutral, shapes) : null
    this.balls = info.eyes
      .slice(0, STIFF - 1)
      .map(({ info, vertices }, i) => ({ info, followed: new Followed(vertices, neutral, shapes), part: i + 1 }))
    this.eyes = this.balls
  }

  /** Let joints turn these eyes, in the place of eyeballs on their side. */
  turnByJoints(joints: readonly EyeInfo[]): void {
    const held = joints.map(({ middle }) => sideOf(middle))
    const others = this.balls.filter(({ info }) => !held.includes(sideOf(info.middle)))
    this.eyes = [...joints.map((info) => ({ info, followed: null, part: -1 })), ...others]
  }

  /** The middles of the eyes at rest, in rig space. */
  get middles(): Vec[] {
    return this.eyes.map(({ info }) => info.middle)
  }

  get hasEyes(): boolean {
    return this.eyes.length > 0
  }

  /** Another version of one shape. */
  follow(shape: number, by: Moved): void {
    for (const followed of [this.jaw, ...this.balls.map((eye) => eye.followed)]) followed?.replace(shape, by)
  }

  /** Which of the stiff parts each vertex is of, from 1; 0: none. */
  kinds(vertex: Uint32Array): Uint32Array {
    const kind = new Map<number, number>()
    for (const one of this.info.riders) kind.set(one, 1)
    this.info.eyes.slice(0, STIFF - 1).forEach(({ vertices }, i) => vertices.forEach((one) => kind.set(one, i + 2)))
    return vertex.map((one) => kind.get(one) ?? 0)
  }

  /** The shapes' values with lids and eyes that follow an aim, whose target is in rig space. */
  looking(values: Float32Array, aim: Aim | null): Float32Array {
    if (!aim || !this.eyes.length) return values
    const wanted = values.slice()
    for (const { info } of this.eyes) {
      const angles = anglesOf(info, info.middle, aim, values)
      if (!angles) continue
      for (const { shape, axis, sense, reach } of info.looks)
        wanted[shape] = Math.min(Math.max((sense * angles[axis]) / reach, 0), 1)
    }
    return wanted
  }

  /** Bring the parts where they belong in a pose; `given`: before the eyes were to look anywhere. */
  pose(values: ArrayLike<number>, aim: Aim | null, given = values): void {
    const { stiff, stiffOn } = this.uniforms
    if (this.jaw) {
      stiff.value[0].copy(rigid(this.jaw.rest, this.jaw.posed(values)))
      stiffOn.value[0] = true
    }
    this.balls.forEach(({ part }) => (stiffOn.value[part] = false))
    this.toEyes.value = [unmoved(), unmoved()]
    for (const { info, followed, part } of this.eyes) {
      if (!aim) continue
      if (!followed) {
        const by = turnedAbout(info.middle, anglesOf(info, info.middle, aim, given) ?? posedAngles(info, given))
        this.toEyes.value[sideOf(info.middle)] = differenceOf(by)
        continue
      }
      if (!followed.rest.length) continue
      const rest = new Vector3(...info.middle)
      const middle = rest.clone().applyMatrix4(rigid(followed.rest, followed.posed(values)))
      const angles = anglesOf(info, [middle.x, middle.y, middle.z], aim, given)
      if (!angles) continue
      stiffOn.value[part] = true
      stiff.value[part]
        .makeTranslation(middle)
        .multiply(turn(...angles))
        .multiply(new Matrix4().makeTranslation(rest.negate()))
    }
  }

  /** Move places (r, 3) of render vertices as the card does. */
  apply(places: Float32Array, positions: Float32Array, kinds: Uint32Array): void {
    const { stiff, stiffOn } = this.uniforms
    const point = new Vector3()
    kinds.forEach((kind, r) => {
      if (!kind || !stiffOn.value[kind - 1]) return
      point
        .fromArray(positions, 3 * r)
        .applyMatrix4(stiff.value[kind - 1])
        .toArray(places, 3 * r)
    })
  }

  /** Turn normals (r, 3) of render vertices as the card does. */
  applyTurns(turned: Float32Array, normals: Float32Array, kinds: Uint32Array): void {
    const { stiff, stiffOn } = this.uniforms
    const turns = stiff.value.map((matrix) => new Matrix3().setFromMatrix4(matrix))
    const normal = new Vector3()
    kinds.forEach((kind, r) => {
      if (!kind || !stiffOn.value[kind - 1]) return
      normal
        .fromArray(normals, 3 * r)
        .applyMatrix3(turns[kind - 1])
        .toArray(turned, 3 * r)
    })
  }
}

type Angles = readonly [number, number]

/** 0 for the face's left, 1 for its right. */
const sideOf = ([x]: ArrayLike<number> & Iterable<number>) => (x > 0 ? 0 : 1)

/** Moves no place, added to it. */
export const unmoved = () => differenceOf(new Matrix4())

/** The matrix that gives by how much another moves a place. */
function differenceOf(by: Matrix4): Matrix4 {
  const made = by.clone()
  for (const k of [0, 5, 10]) made.elements[k] -= 1
  return made
}

function turnedAbout(middle: Vec, angles: Angles): Matrix4 {
  const at = new Vector3(...middle)
  return new Matrix4()
    .makeTranslation(at)
    .multiply(turn(...angles))
    .multiply(new Matrix4().makeTranslation(at.negate()))
}

/** Angles of an eye to the side and up, within its limits; null where the pose decides. */
export function anglesOf(
  info: Pick<EyeInfo, 'middle' | 'looks'>,
  middle: ArrayLike<number>,
  aim: Aim,
  values: ArrayLike<number>,
): Angles | null {
  const own = info.middle[0] > 0 ? aim.left : aim.right
  if (!aim.target || aim.weight === 0) return own && limited(own, aim)
  const towards = limited(anglesTo(middle, aim.target), aim)
  if (aim.weight === 1) return towards
  const before = own ?? posedAngles(info, values)
  return limited([0, 1].map((k) => (1 - aim.weight) * before[k] + aim.weight * towards[k]) as unknown as Angles, aim)
}

/** By how much the shapes of the gaze turn an eye in a pose. */
function posedAngles({ looks }: Pick<EyeInfo, 'looks'>, values: ArrayLike<number>): Angles {
  const found: [number, number] = [0, 0]
  for (const { shape, axis, sense, reach } of looks) found[axis] += sense * reach * (values[shape] ?? 0)
  return found
}

function limited([side, up]: Angles, { limits }: Pick<Aim, 'limits'>): Angles {
  const within = (angle: number, low: number, high: number) => Math.min(Math.max(angle, low), high)
  return [within(side, -limits[0], limits[0]), within(up, -limits[2], limits[1])]
}

/** How far to the side and up an eye must turn to look at a place. */
function anglesTo(middle: ArrayLike<number>, target: Vec): Angles {
  const [x, y, z] = [target[0] - middle[0], target[1] - middle[1], target[2] - middle[2]]
  return [Math.atan2(x, z), Math.atan2(y, Math.hypot(x, z))]
}

/** An eye that looks ahead, along z, to the side (towards x) and up, without a roll. */
function turn(side: number, up: number): Matrix4 {
  return new Matrix4().makeRotationY(side).multiply(new Matrix4().makeRotationX(-up))
}
