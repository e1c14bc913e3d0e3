/** A canvas that fills its place at the screen's resolution and is drawn anew when a signal it reads changes. */
import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export function useCanvas(draw: (ctx: CanvasRenderingContext2D, size: { width: number; height: number }) => void) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(draw)
  latest.current = draw
  useEffect(() => {
    const element = canvas.current!
    const size = signal({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight }
    })
    observer.observe(element)
    const stop = effect(() => {
      const { width, height } = size.value
      if (!width || !height) return
      const ratio = window.devicePixelRatio
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      const ctx = element.getContext('2d')!
      ctx.scale(ratio, ratio)
      latest.current(ctx, { width, height })
    })
    return () => {
      observer.disconnect()
      stop()
    }
  }, [])
  return canvas
}
