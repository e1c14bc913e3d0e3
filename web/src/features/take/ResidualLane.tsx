/** How far off the markers are in every frame of the take; a click goes there, a mark on top to one of the worst. */
import { useSignal } from '@preact/signals'
import { take } from '../../core/document'
import { scrubTo, stopPlaying, takeFrame } from '../../core/time'
import { timeAt, xOf } from '../../core/timeAxis'
import { useCanvas } from '../../widgets/useCanvas'
import type { LaneProps } from '../feature'
import { goToWorst } from './actions'
import { drawResidual } from './drawResidual'
import { liveFit } from './state'

const NEAR = 6 // pixels round the mark of a worst frame

export function ResidualLane(props: LaneProps) {
  return liveFit.value?.worstFrames.length ? <Lane {...props} /> : null
}

function Lane({ axisOf, fontOf }: LaneProps) {
  const pointed = useSignal(-1)
  const canvas = useCanvas((ctx, size) => {
    const found = liveFit.value
    if (found && take.value)
      drawResidual(ctx, axisOf(size), found, {
        rate: take.value.rate,
        font: fontOf(ctx.canvas),
        pointed: pointed.value,
      })
  })
  const frameUnder = (event: PointerEvent): number => {
    const element = canvas.current!
    const axis = axisOf({ width: element.clientWidth, height: element.clientHeight })
    const x = event.clientX - element.getBoundingClientRect().left
    const { rate, frames } = take.value!
    if (x < axis.gutter) return -1
    const worst = liveFit.value!.worstFrames.find((frame) => Math.abs(xOf(axis, frame / rate) - x) < NEAR)
    return worst ?? Math.min(Math.max(Math.round(timeAt(axis, x) * rate), 0), frames - 1)
  }
  const go = (event: PointerEvent) => {
    const frame = frameUnder(event)
    if (frame >= 0) scrubTo(frame / take.value!.rate)
  }
  return (
    <canvas
      ref={canvas}
      class="residuals"
      tabIndex={0}
      role="slider"
      aria-label="Residual over time: arrow keys go from one of the worst frames to the next"
      aria-valuenow={takeFrame.value}
      aria-valuemin={0}
      data-tip="How far off the markers are, frame by frame; the marks on top are the worst. Below, yellow: half of the markers were not seen; red: none was"
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
          goToWorst(by)
        }
      }}
    />
  )
}
