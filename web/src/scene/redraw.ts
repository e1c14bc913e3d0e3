/** When a canvas is drawn, and with how many pixels. Without a graphics card that depends on how long frames take. */
import type { WebGLRenderer } from 'three'
import type { Size } from './aim'
import { drawsInSoftware } from './card'
import { Pace, type Kind } from './pace'

const REST = 250 // milliseconds without a change, after which the picture is made sharp
const BREATH = 100 // milliseconds after a frame, in which the next change may come
const POLL = 4

export class Redraw {
  private asked = false
  private covered = false // something else lies over the canvas
  private missed = false // something changed meanwhile
  private askedAt = 0
  private last: Kind | null = null
  private turn = 0 // counts frames
  private underWay = 0 // the frame that is being drawn; 0: none
  private waiting: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly size: () => Size,
    private readonly draw: () => void,
    private readonly show: () => void, // what was drawn, once it is finished
    private readonly pace: Pace | null = drawsInSoftware() ? new Pace(navigator.webdriver) : null, // null: a graphics card
  ) {}

  /** All that was asked for has been drawn. */
  get drawn(): boolean {
    return !this.asked && !this.underWay
  }

  /** All that was asked for has been drawn, and sharp. */
  get still(): boolean {
    return this.drawn && this.last === 'sharp'
  }

  /** Draw when the browser paints next, but not before the last frame is finished. */
  ask(): void {
    this.askedAt = performance.now()
    this.missed = this.covered
    if (this.asked || this.covered) return
    this.asked = true
    clearTimeout(this.waiting)
    if (!this.underWay) this.schedule()
  }

  /** Draw nothing while something else lies over the whole canvas. */
  cover(covered: boolean): void {
    this.covered = covered
    if (this.missed && !covered) this.ask()
  }

  /** Draw at once, sharp. */
  now(): void {
    this.frame('sharp', true)
  }

  /** Cancel what is scheduled. */
  stop(): void {
    this.turn += 1
    clearTimeout(this.waiting)
  }

  private schedule(): void {
    requestAnimationFrame(() => {
      this.asked = false
      this.frame('moving')
    })
  }

  /** `atOnce`: show it without waiting, as a picture that is kept needs it. */
  private frame(kind: Kind, atOnce = false): void {
    const { pace } = this
    const began = performance.now()
    const turn = (this.turn += 1)
    if (pace) this.underWay = turn
    const sharp = pace?.sharp(screen()) ?? screen()
    const ratio = pace && kind === 'moving' ? Math.min(pace.moving, sharp) : sharp
    this.fit(ratio)
    this.draw()
    this.last = ratio === sharp ? 'sharp' : 'moving'
    const gl = this.renderer.getContext() as WebGL2RenderingContext
    if (atOnce) this.show()
    if (!pace) return
    whenDone(gl, () => {
      if (turn !== this.turn) return
      if (!atOnce && !gl.isContextLost()) this.show()
      pace.took(kind, performance.now() - began)
      this.underWay = 0
      if (this.asked) this.schedule()
      else if (this.last === 'moving') this.sharpen()
    })
  }

  private sharpen(): void {
    const rest = Math.max(REST - (performance.now() - this.askedAt), BREATH)
    clearTimeout(this.waiting)
    this.waiting = setTimeout(
      () =>
        requestAnimationFrame(() => {
          if (this.drawn) this.frame('sharp')
        }),
      rest,
    )
  }

  /** Set the size of the canvas. This empties it, so it is done only here, directly before drawing. */
  private fit(ratio: number): void {
    const { width, height } = this.size()
    const { domElement } = this.renderer
    if (domElement.width === Math.floor(width * ratio) && domElement.height === Math.floor(height * ratio)) return
    this.renderer.setDrawingBufferSize(width, height, ratio)
  }
}

const screen = () => Math.min(window.devicePixelRatio, 2)

/** Call `then` when the picture is drawn, which is long after the script of the frame has ended. */
function whenDone(gl: WebGL2RenderingContext, then: () => void): void {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  gl.flush()
  const look = () => {
    if (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      setTimeout(look, POLL)
      return
    }
    gl.deleteSync(fence)
    then()
  }
  setTimeout(look)
}
