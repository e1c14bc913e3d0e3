/** A video that shows the moment of a clock that is not its own. */

const APART = 0.12 // seconds by which a playing video may differ from the clock
const NEAR = 0.004 // and one that stands

export class Video {
  private made: HTMLVideoElement | null = null // when it is first asked for, since tests load this without a page
  private wanted: number | null = null // seconds, while it is still on its way to another moment
  private address = ''

  /** `shown` is called whenever another frame can be drawn. */
  constructor(private readonly shown: () => void) {}

  get element(): HTMLVideoElement {
    return (this.made ??= this.make())
  }

  private make(): HTMLVideoElement {
    const element = Object.assign(document.createElement('video'), {
      muted: true,
      playsInline: true,
      preload: 'auto',
      loop: false,
    })
    element.addEventListener('seeked', () => {
      this.shown()
      const { wanted } = this
      this.wanted = null
      if (wanted !== null) this.goTo(wanted)
    })
    const next = () => {
      this.shown()
      element.requestVideoFrameCallback?.(next)
    }
    element.requestVideoFrameCallback?.(next)
    return element
  }

  /** Play a file. It is refused where the browser does not know its kind. */
  load(file: Blob): Promise<void> {
    this.close()
    this.address = URL.createObjectURL(file)
    return new Promise((done, failed) => {
      this.element.onloadeddata = () => {
        this.shown()
        done()
      }
      this.element.onerror = () => failed(new Error('the browser does not play this video'))
      this.element.src = this.address
    })
  }

  /** Seconds of the frame that is shown; -1: none is, or it is on its way to another. */
  get shownAt(): number {
    return this.element.readyState >= 2 && !this.element.seeking ? this.element.currentTime : -1
  }

  /** It is a moment of the video now; playing: time goes on. */
  follow(at: number, playing: boolean): void {
    const { element } = this
    if (!element.duration) return
    const inside = at >= 0 && at < element.duration
    if (playing && inside) {
      if (Math.abs(element.currentTime - at) > APART) this.goTo(at)
      if (element.paused) void element.play().catch(() => undefined) // it was paused again meanwhile
      return
    }
    if (!element.paused) element.pause()
    this.goTo(at)
  }

  close(): void {
    this.element.pause()
    this.element.removeAttribute('src')
    if (this.address) URL.revokeObjectURL(this.address)
    this.address = ''
    this.wanted = null
  }

  private goTo(at: number): void {
    const { element } = this
    const time = Math.min(Math.max(at, 0), Math.max(element.duration - 0.001, 0))
    if (element.seeking) this.wanted = time
    else if (Math.abs(element.currentTime - time) > NEAR) element.currentTime = time
  }
}
