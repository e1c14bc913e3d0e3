/** Colours for residuals, from small to large. */
const STOPS: readonly (readonly [number, readonly [number, number, number]])[] = [
  [0, [88, 201, 180]],
  [0.35, [200, 214, 106]],
  [0.65, [240, 169, 79]],
  [1, [255, 107, 94]],
]
const TOPS = [2, 3, 5, 8, 10, 15, 20, 30, 50, 100]

/** The colour at a share of the scale; shares beyond 1 have the last colour. */
export function rampColor(share: number, alpha = 1): string {
  const [r, g, b] = rampRgb(share).map((each) => Math.round(255 * each))
  return `rgb(${r} ${g} ${b} / ${alpha})`
}

/** The same as numbers from 0 to 1. */
export function rampRgb(share: number): number[] {
  const at = Math.min(Math.max(share, 0), 1)
  const upper = STOPS.findIndex(([stop]) => stop >= at)
  const [a, b] = [STOPS[Math.max(upper - 1, 0)], STOPS[upper]]
  const mix = b[0] > a[0] ? (at - a[0]) / (b[0] - a[0]) : 0
  return a[1].map((low, i) => (low + mix * (b[1][i] - low)) / 255)
}

/** The end of the scale, in millimetres: a plain number that most residuals are below. */
export const rampTop = (most: number) => TOPS.find((top) => top >= most) ?? TOPS[TOPS.length - 1]

/** The ramp as a background. */
export const rampGradient = () =>
  `linear-gradient(90deg, ${STOPS.map(([stop]) => `${rampColor(stop)} ${100 * stop}%`).join(', ')})`
