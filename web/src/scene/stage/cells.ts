/** How faces share the stage: beside each other, or one place with a divider across it. Pixels from the upper left. */
import { fitting, type Size } from '../aim'

export interface Cell {
  x: number
  width: number // of the picture in it
  from: number // the part of it that is seen
  to: number
}

export type Layout = 'beside' | 'split'

/** Places for so many faces. `divider` is a share of the width. */
export function cellsOf(count: number, { width }: Size, layout: Layout, divider: number): Cell[] {
  if (layout === 'split' && count === 2) {
    const at = Math.round(divider * width)
    return [
      { x: 0, width, from: 0, to: at },
      { x: 0, width, from: at, to: width },
    ]
  }
  const each = Math.floor(width / Math.max(count, 1))
  return Array.from({ length: count }, (_, i) => ({
    x: i * each,
    width: each,
    from: i * each,
    to: i === count - 1 ? width : (i + 1) * each,
  }))
}

/** Which of the cells a place is in. */
export const cellAt = (cells: readonly Cell[], x: number): number =>
  cells.findIndex((cell) => x >= cell.from && x < cell.to)

const HEAD = { x: 0.36, y: 0.5, z: 0 } // half sizes of a head, in sizes of a face

/** How much further away the camera must be for a cell than for a square viewport, so that a head fits. */
export function stepBack(cell: Cell, height: number): number {
  const square = fitting(HEAD, { width: height, height })
  return Math.max(fitting(HEAD, { width: cell.width, height }) / square, 1)
}
