/** Curves of factors, and the product of several along the way. Curves are straight between their points. */
export type Curve = readonly (readonly [number, number])[]

/** The value of a curve; beyond its ends that of the end. */
export function valueAt(curve: Curve, x: number): number {
  const next = curve.findIndex(([at]) => at >= x)
  if (next === 0) return curve[0][1]
  if (next < 0) return curve.at(-1)![1]
  const [[a, from], [b, to]] = [curve[next - 1], curve[next]]
  return from + ((to - from) * (x - a)) / (b - a)
}

export interface Way {
  at: number
  curve: Curve
}

/** The end of a slider on the side on which a factor is full. */
export const endOf = ({ at, curve }: Way) => (at > 0 ? curve.at(-1)![0] : curve[0][0])

/** What a shape is worth while all its sliders go together from 0 to their ends: shares of the way, and values. */
export function alongTheWay(factors: readonly Way[], steps = 48): [number, number][] {
  const shares = new Set(Array.from({ length: steps + 1 }, (_, i) => i / steps))
  for (const factor of factors) {
    const end = endOf(factor)
    for (const [x] of factor.curve) if (end !== 0 && x / end > 0 && x / end < 1) shares.add(x / end)
  }
  return [...shares]
    .sort((a, b) => a - b)
    .map((share) => [share, factors.reduce((value, each) => value * valueAt(each.curve, share * endOf(each)), 1)])
}

/** Lowest and highest value of some curves, with 0 and 1 among them. */
export function heights(curves: readonly Curve[]): [number, number] {
  const all = curves.flatMap((curve) => curve.map(([, y]) => y))
  return [Math.min(0, ...all), Math.max(1, ...all)]
}

export interface Frame {
  low: number
  high: number
  bottom: number
  top: number
  width: number
  height: number
  inset: number
}

/** Where a point of a graph is drawn. */
export function placed(
  { low, high, bottom, top, width, height, inset }: Frame,
  x: number,
  y: number,
): [number, number] {
  const across = (x - low) / (high - low || 1)
  const up = (y - bottom) / (top - bottom || 1)
  return [inset + across * (width - 2 * inset), height - inset - up * (height - 2 * inset)]
}

/** A curve as the points of a polyline. */
export const points = (frame: Frame, curve: Curve) =>
  curve.map(([x, y]) => placed(frame, x, y).map((each) => each.toFixed(1)).join(',')).join(' ') // prettier-ignore

/** A slider value as a person would write it: single precision is not more. */
export const tidy = (value: number) => Number(value.toFixed(4))

/** A name for a corrective of some sliders. */
export function defaultName(sliders: readonly { slider: string; at: number }[]): string {
  if (sliders.length === 1) return `${sliders[0].slider} ${sliders[0].at}`
  return sliders.map(({ slider, at }) => (at === 1 ? slider : `${slider} ${at}`)).join(' x ')
}
