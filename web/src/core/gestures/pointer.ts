/** A pointer event, less everything that gestures do not need. Pixels count from the viewport's corner. */
export interface Pointer {
  x: number
  y: number
  button: number
  shift: boolean
  ctrl: boolean
  alt: boolean
}

/** A gesture: `down` says whether it takes the pointer. */
export interface Gesture {
  down(pointer: Pointer): boolean
  move(pointer: Pointer): void
  up(pointer: Pointer): void
  cancel(): void
}

/** Movement below this is a click, in pixels. */
export const SLOP = 3

export const distance = (a: Pointer, b: Pointer) => Math.hypot(a.x - b.x, a.y - b.y)
