/** What is drawn on, and how a finished picture comes onto the page. */
import { drawsInSoftware } from './card'

export interface BackBuffer {
  readonly canvas: HTMLCanvasElement | OffscreenCanvas // that is drawn on
  show(): void // puts what was drawn onto the canvas of the page
}

/**
 * A graphics card draws on the page's canvas itself. The processor draws beside it: while it draws on a canvas of the
 * page, the browser lets the page's script wait for the end of the picture, and with it whatever arrives meanwhile.
 */
export function backBufferOf(canvas: HTMLCanvasElement): BackBuffer {
  if (!drawsInSoftware()) return { canvas, show: () => undefined }
  const hidden = new OffscreenCanvas(1, 1)
  const page = canvas.getContext('bitmaprenderer')!
  return {
    canvas: hidden,
    show() {
      if (canvas.width !== hidden.width) canvas.width = hidden.width
      if (canvas.height !== hidden.height) canvas.height = hidden.height
      page.transferFromImageBitmap(hidden.transferToImageBitmap())
    },
  }
}
