/** A pointer event, less everything that gestures do not need. Pixels count from the viewport's corner. */
export interface Pointer {
  x: number
  y: number
  button: number
  shift: boolean
  ctrl: boolean
  alt: boolean
}

/** An event as a pointer; `corner` is that of the viewport on the page. */
export function pointerOf(event: PointerEvent, { left, top }: { left: number; top: number }): Pointer {
  return {
    x: event.clientX - left,
    y: event.clientY - top,
    button: event.button,
    shift: event.shiftKey,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
  }
}

type Listeners = Partial<Record<keyof HTMLElementEventMap, (event: never) => void>>

/** Listen to events of an element, which may prevent what the browser does. Gives a function that stops it. */
export function listen(element: HTMLElement, listeners: Listeners): () => void {
  const all = Object.entries(listeners) as [string, EventListener][]
  for (const [name, listener] of all) element.addEventListener(name, listener, { passive: false })
  return () => {
    for (const [name, listener] of all) element.removeEventListener(name, listener)
  }
}

/** A gesture: `down` says whether it takes the pointer. */
export interface Gesture {
  down(pointer: Pointer): boolean
  move(pointer: Pointer): void
  up(pointer: Pointer): void
  cancel(): void
}

/** A point of the surface: a triangle of the rig and where in it. */
export interface Spot {
  triangle: number
  barycentric: [number, number, number]
}

/** A point of the surface, where joints of head, neck and eyes move a place as they move this point. */
export interface OnSurface {
  triangle: number | null // of the rig
  barycentric?: readonly number[] | null
  vertex?: number | null // of the rig, where there is no triangle
}

export type Axis = 'x' | 'y' | 'z'

/** Movement below this is a click, in pixels. */
export const SLOP = 3

export const distance = (a: Pointer, b: Pointer) => Math.hypot(a.x - b.x, a.y - b.y)
