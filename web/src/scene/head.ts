/** The head's rigid motion: x -> R x + o, the rows of R first. */
import { Matrix4 } from 'three'
import type { Rigid } from '../core/controls'

export type Head = Rigid

export function moved(h: Head, [x, y, z]: readonly number[]): [number, number, number] {
  return [
    h[0] * x + h[1] * y + h[2] * z + h[9],
    h[3] * x + h[4] * y + h[5] * z + h[10],
    h[6] * x + h[7] * y + h[8] * z + h[11],
  ]
}

/** A direction turned back, as if the head were held. */
export function turnedBack(h: Head, [x, y, z]: readonly number[]): [number, number, number] {
  return [h[0] * x + h[3] * y + h[6] * z, h[1] * x + h[4] * y + h[7] * z, h[2] * x + h[5] * y + h[8] * z]
}

/** A place as if the head were held. */
export const takenOut = (h: Head, [x, y, z]: readonly number[]) => turnedBack(h, [x - h[9], y - h[10], z - h[11]])

export function matrixOf(h: Head): Matrix4 {
  return new Matrix4().set(h[0], h[1], h[2], h[9], h[3], h[4], h[5], h[10], h[6], h[7], h[8], h[11], 0, 0, 0, 1)
}
