/** With how many pixels the processor draws: fewer while things move, so that motion stays fluent, and all at rest. */
const COARSEST = 0.6 // pixels of the canvas for one of the page, each way
const STEP = 0.1 // a new size for every frame would shimmer
const FLUENT = 90 // milliseconds of a frame while things move
const BEARABLE = 500 // of one that is sharp
const SMOOTH = 1.5 // outlines without steps, as the page's pixels are means of several
const FEW = 3 // frames: a single slow one compiled a shader, or something else was busy

export type Kind = 'moving' | 'sharp'

export class Pace {
  /** Pixel ratio while things move. */
  moving = 0.8
  private smooth = true
  private readonly late: Record<Kind, number[]> = { moving: [], sharp: [] } // milliseconds

  /** `alike`: draw all sharp pictures at the screen's own ratio, so that tests can compare them. */
  constructor(private readonly alike = false) {}

  /** Pixel ratio of a picture that stays, on a screen with so many pixels for one of the page. */
  sharp(screen: number): number {
    if (this.alike) return screen
    return this.smooth ? Math.max(SMOOTH, screen) : 1
  }

  took(kind: Kind, milliseconds: number): void {
    this.late[kind] = [milliseconds, ...this.late[kind]].slice(0, FEW)
    if (this.late[kind].length < FEW) return
    const usual = Math.min(...this.late[kind])
    if (kind === 'moving') this.adapt(usual)
    else if (usual > BEARABLE) this.smooth = false // for good: a picture whose sharpness changes by itself distracts
  }

  private adapt(usual: number): void {
    const fitting = this.moving * Math.sqrt(FLUENT / Math.max(usual, 1))
    if (fitting >= this.moving && fitting < this.moving + 1.5 * STEP) return
    const next = Math.min(Math.max(Math.floor(fitting / STEP) * STEP, COARSEST), 1)
    if (next !== this.moving) this.late.moving = []
    this.moving = next
  }
}
