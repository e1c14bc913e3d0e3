/** Numbers as colours: the same map as facewright.render.heat's, so that page and report agree. */

// Lightness, chroma and hue in degrees (Oklab, Ottosson 2020).
const STOPS: readonly (readonly [number, number, number])[] = [
  [0.42, 0.025, 265],
  [0.54, 0.13, 300],
  [0.66, 0.18, 352],
  [0.79, 0.128, 52],
  [0.92, 0.14, 98],
]

type Color = [number, number, number]

const LABS: Color[] = STOPS.map(([lightness, chroma, degrees]) => {
  const hue = (degrees * Math.PI) / 180
  return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]
})

function linearOf([l, a, b]: Color): Color {
  const cones = [
    l + 0.3963377774 * a + 0.2158037573 * b,
    l - 0.1055613458 * a - 0.0638541728 * b,
    l - 0.0894841775 * a - 1.291485548 * b,
  ].map((c) => c ** 3)
  return [
    4.0767416621 * cones[0] - 3.3077115913 * cones[1] + 0.2309699292 * cones[2],
    -1.2684380046 * cones[0] + 2.6097574011 * cones[1] - 0.3413193965 * cones[2],
    -0.0041960863 * cones[0] - 0.7034186147 * cones[1] + 1.707614701 * cones[2],
  ].map((c) => Math.min(Math.max(c, 0), 1)) as Color
}

/** Linear light at a place from 0 to 1 along the map. */
export function heatColor(share: number): Color {
  const at = Math.min(Math.max(share, 0), 1) * (LABS.length - 1)
  const i = Math.min(Math.floor(at), LABS.length - 2)
  return linearOf(LABS[i].map((low, k) => low + (at - i) * (LABS[i + 1][k] - low)) as Color)
}

const toScreen = (c: number) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)

/** A CSS gradient of the whole map, from left to right. */
export function heatGradient(steps = 12): string {
  const colors = Array.from({ length: steps + 1 }, (_, k) =>
    heatColor(k / steps).map((c) => Math.round(255 * toScreen(c))),
  )
  return `linear-gradient(to right, ${colors.map((c) => `rgb(${c.join(' ')})`).join(', ')})`
}

/** A colour (r, 3) for each render vertex; its rig vertex says how far it is off. */
export function heatColors(distances: Float32Array, high: number, vertex: Uint32Array): Float32Array {
  const colors = new Float32Array(3 * vertex.length)
  vertex.forEach((v, r) => colors.set(heatColor(high > 0 ? distances[v] / high : 0), 3 * r))
  return colors
}

/** The least round number (1, 2 or 5 times a power of ten) that is not below a value. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value * (1 - 1e-9))!
}
