/** From slider values to shape values, as facewright.rig.combine has them. */
import type { FrameOf } from '../core/frames'

export type Drivers = FrameOf<'ShapeDrivers'>['arrays']

export function shapeValues(drivers: Drivers, weights: ArrayLike<number>): Float32Array {
  const { starts, slider, base, at, rise, fall, low, high } = drivers
  const factor = (k: number) => {
    const x = weights[slider[k]] ?? 0
    if (!(x >= low[k] && x < high[k])) return 0
    return base[k] + (x < at[k] ? rise[k] : fall[k]) * (x - at[k])
  }
  const values = new Float32Array(starts.length - 1)
  for (let shape = 0; shape < values.length; shape++) {
    let product = starts[shape] < starts[shape + 1] ? 1 : 0
    for (let k = starts[shape]; k < starts[shape + 1]; k++) product *= factor(k)
    values[shape] = product
  }
  return values
}
