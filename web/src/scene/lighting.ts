/** Light on the face, and surfaces that show its form instead of its skin. All are made here, none comes from a file. */
import { DataTexture, LinearFilter, RGBAFormat, UnsignedByteType, Vector3, type IUniform } from 'three'

type Triple = readonly [number, number, number]

/** Lamps hang on the camera: x to the right, y up, z towards it. Colours are linear light. */
interface Lamps {
  key: Triple
  keyColor: Triple
  fill: Triple
  fillColor: Triple
  rim: Triple
  rimColor: Triple
  sky: Triple
  floor: Triple
}

// As the renderer of the library has it.
const STUDIO: Lamps = {
  key: [-0.62, 0.62, 0.78],
  keyColor: [1.44, 1.3, 1.16],
  fill: [0.9, 0.1, 0.6],
  fillColor: [0.15, 0.18, 0.225],
  rim: [0.66, 0.42, -0.72],
  rimColor: [0.95, 1.05, 1.2],
  sky: [0.26, 0.28, 0.31],
  floor: [0.11, 0.09, 0.08],
}

const DARK: Triple = [0, 0, 0]

export const LIGHTS = {
  studio: STUDIO,
  soft: {
    ...STUDIO,
    key: [0.1, 0.35, 1],
    keyColor: [0.62, 0.6, 0.58],
    fillColor: [0.3, 0.31, 0.33],
    rimColor: [0.2, 0.2, 0.22],
    sky: [0.5, 0.51, 0.53],
    floor: [0.34, 0.33, 0.32],
  },
  side: {
    ...STUDIO,
    key: [-1, 0.12, 0.12],
    keyColor: [2.1, 2, 1.9],
    fillColor: [0.05, 0.05, 0.06],
    rimColor: [0.25, 0.28, 0.32],
    sky: [0.06, 0.065, 0.07],
    floor: [0.03, 0.03, 0.03],
  },
  top: {
    ...STUDIO,
    key: [0, 1, 0.3],
    keyColor: [2, 1.95, 1.85],
    fillColor: [0.06, 0.07, 0.08],
    sky: [0.16, 0.17, 0.19],
    floor: [0.05, 0.045, 0.04],
  },
  rim: {
    ...STUDIO,
    key: [-0.8, 0.3, -0.5],
    keyColor: [2.2, 2.1, 2],
    fillColor: [0.06, 0.06, 0.07],
    rimColor: [1.8, 1.9, 2.1],
    sky: [0.09, 0.095, 0.1],
    floor: [0.04, 0.035, 0.03],
  },
  flat: {
    ...STUDIO,
    keyColor: DARK,
    fillColor: DARK,
    rimColor: DARK,
    sky: [0.85, 0.85, 0.85],
    floor: [0.85, 0.85, 0.85],
  },
} as const satisfies Record<string, Lamps>

export type LightName = keyof typeof LIGHTS

/** The colour, from 0 to 1 as a screen shows it, of a surface with a normal (x right, y up, z towards the camera). */
type Matcap = (n: Triple) => Triple

const unit = ([x, y, z]: Triple): Triple => {
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const scaled = (a: Triple, by: number): Triple => [a[0] * by, a[1] * by, a[2] * by]
const plus = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const grey = (value: number): Triple => [value, value, value]

/** One lamp from above on the left, a weak one from the right, a highlight, and a bright edge. */
function modelled(color: Triple, { shine, sharp, edge }: { shine: number; sharp: number; edge: number }): Matcap {
  const [key, fill] = [unit([-0.5, 0.7, 0.6]), unit([0.9, -0.1, 0.4])]
  const half = unit(plus(key, [0, 0, 1]))
  return (n) => {
    const light = 0.2 + 0.75 * Math.max(dot(n, key), 0) + 0.2 * Math.max(dot(n, fill), 0)
    const glint = shine * Math.max(dot(n, half), 0) ** sharp
    return plus(scaled(color, light), grey(glint + edge * (1 - n[2]) ** 3))
  }
}

export const SURFACES = {
  skin: null,
  clay: modelled([0.66, 0.6, 0.55], { shine: 0.06, sharp: 12, edge: 0.12 }),
  wax: modelled([0.66, 0.25, 0.19], { shine: 0.35, sharp: 28, edge: 0.1 }),
  chrome: ((n) => grey(0.12 + 0.8 * (0.5 + 0.5 * Math.sin(9 * n[1] + 3 * n[0])) * (0.35 + 0.65 * n[2]))) as Matcap,
  stripes: ((n) => {
    // Stripes of a light tent: where they bend sharply, the surface has a crease.
    const wave = Math.sin(22 * Math.asin(Math.max(Math.min(n[1], 1), -1)))
    return scaled([0.92, 0.94, 0.97], 0.12 + 0.88 * Math.min(Math.max(0.5 + 2.5 * wave, 0), 1))
  }) as Matcap,
  normals: ((n) => [0.5 + 0.5 * n[0], 0.5 + 0.5 * n[1], 0.5 + 0.5 * n[2]]) as Matcap,
} as const satisfies Record<string, Matcap | null>

export type SurfaceName = keyof typeof SURFACES

const SIDE = 128 // texels

/** The picture (SIDE, SIDE, 4) of a ball with a surface, the bottom row first. */
export function ball(of: Matcap): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(4 * SIDE * SIDE)
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      const [x, y] = [(2 * (column + 0.5)) / SIDE - 1, (2 * (row + 0.5)) / SIDE - 1].map((at) => at / 0.98)
      const n = unit([x, y, Math.sqrt(Math.max(1 - x * x - y * y, 0))])
      const color = of(n).map((value) => Math.round(255 * Math.min(Math.max(value, 0), 1)))
      made.set([...color, 255], 4 * (SIDE * row + column))
    }
  return made
}

const vector = (of: Triple, normalised = false): IUniform<Vector3> => ({
  value: normalised ? new Vector3(...of).normalize() : new Vector3(...of),
})

export type LightingUniforms = Lighting['uniforms']

export class Lighting {
  readonly uniforms = {
    KEY: vector(STUDIO.key, true),
    FILL: vector(STUDIO.fill, true),
    RIM: vector(STUDIO.rim, true),
    SKY: vector(STUDIO.sky),
    FLOOR: vector(STUDIO.floor),
    KEY_COLOR: vector(STUDIO.keyColor),
    FILL_COLOR: vector(STUDIO.fillColor),
    RIM_COLOR: vector(STUDIO.rimColor),
    hasMatcap: { value: false },
    matcap: { value: null as DataTexture | null },
  }
  private readonly balls = new Map<SurfaceName, DataTexture>()

  /** Where the key light comes from, as the camera sees it. */
  get key(): Vector3 {
    return this.uniforms.KEY.value
  }

  use(light: LightName, surface: SurfaceName): void {
    const lamps: Lamps = LIGHTS[light]
    const of = this.uniforms
    of.KEY.value.set(...lamps.key).normalize()
    of.FILL.value.set(...lamps.fill).normalize()
    of.RIM.value.set(...lamps.rim).normalize()
    of.SKY.value.set(...lamps.sky)
    of.FLOOR.value.set(...lamps.floor)
    of.KEY_COLOR.value.set(...lamps.keyColor)
    of.FILL_COLOR.value.set(...lamps.fillColor)
    of.RIM_COLOR.value.set(...lamps.rimColor)
    of.hasMatcap.value = SURFACES[surface] !== null
    of.matcap.value = SURFACES[surface] && this.ball(surface, SURFACES[surface])
  }

  private ball(name: SurfaceName, of: Matcap): DataTexture {
    const known = this.balls.get(name)
    if (known) return known
    const made = new DataTexture(ball(of), SIDE, SIDE, RGBAFormat, UnsignedByteType)
    made.minFilter = made.magFilter = LinearFilter
    made.needsUpdate = true
    this.balls.set(name, made)
    return made
  }
}
