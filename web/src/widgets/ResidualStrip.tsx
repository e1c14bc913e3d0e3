/** How far a recording is off in every frame; a click goes there, a mark on top to one of the worst. */
import { useSignal } from '@preact/signals'
import { scrubTo, stopPlaying } from '../core/time'
import { timeAt, xOf, type TimeAxis } from '../core/timeAxis'
import { drawResidual, type Residuals, type ResidualStyle } from './drawResidual'
import { useCanvas } from './useCanvas'

const NEAR = 6 // pixels round the mark of a worst frame

interface Props extends Pick<ResidualStyle, 'timeOf' | 'frameAt'> {
  residuals: Residuals
  frames: number // of the recording
  frame: number // that is shown
  label: string
  tip: string
  axisOf(size: { width: number; height: number }): TimeAxis
  fontOf(element: HTMLElement): string
  onWorst(direction: 1 | -1): void
}

export function ResidualStrip(props: Props) {
  const { residuals, frames, frame, label, tip, axisOf, fontOf, timeOf, frameAt, onWorst } = props
  const pointed = useSignal(-1)
  const canvas = useCanvas((ctx, size) =>
    drawResidual(ctx, axisOf(size), residuals, { timeOf, frameAt, font: fontOf(ctx.canvas), pointed: pointed.value }),
  )
  const frameUnder = (event: PointerEvent): number => {
    const element = canvas.current!
    const axis = axisOf({ width: element.clientWidth, height: element.clientHeight })
    const x = event.clientX - element.getBoundingClientRect().left
    if (x < axis.gutter) return -1
    const worst = residuals.worstFrames.find((each) => Math.abs(xOf(axis, timeOf(each)) - x) < NEAR)
    return worst ?? Math.min(Math.max(Math.round(frameAt(timeAt(axis, x))), 0), frames - 1)
  }
  const go = (event: PointerEvent) => {
    const found = frameUnder(event)
    if (found >= 0) scrubTo(timeOf(found))
  }
  return (
    <canvas
      ref={canvas}
      class="residuals"
      tabIndex={0}
      role="slider"
      aria-label={label}
      aria-valuenow={frame}
      aria-valuemin={0}
      data-tip={tip}
      onPointerDown={(event) => {
        stopPlaying()
        event.currentTarget.setPointerCapture(event.pointerId)
        go(event)
      }}
      onPointerMove={(event) => {
        pointed.value = frameUnder(event)
        if (event.buttons & 1) go(event)
      }}
      onPointerLeave={() => {
        pointed.value = -1
      }}
      onKeyDown={(event) => {
        const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key as 'ArrowLeft']
        if (by) {
          event.preventDefault()
          onWorst(by)
        }
      }}
    />
  )
}
