/** The sound in the timeline: its waveform, dragged to where it begins. */
import { useMemo } from 'preact/hooks'
import { rate, sound } from '../../core/document'
import { edit, intend } from '../../core/server'
import { toFrame } from '../../core/time'
import { holdSpan, secondsPerPixel } from '../../core/timeAxis'
import { Button } from '../../widgets/controls'
import { useCanvas } from '../../widgets/useCanvas'
import type { LaneProps } from '../feature'
import { waveform } from './state'
import { drawWaveform } from './waveform'

export function SoundLane(props: LaneProps) {
  return sound.value ? <Lane {...props} /> : null
}

/** A drag of the sound: whole frames, one step to undo. */
function dragSound(secondsPer: () => number) {
  let from: { x: number; offset: number; begun: boolean } | null = null
  const end = (type: 'GestureEnded' | 'GestureCancelled') => {
    if (from?.begun) intend({ type })
    holdSpan(false)
    from = null
  }
  return {
    down(x: number) {
      from = { x, offset: sound.value!.offset, begun: false }
      holdSpan(true)
    },
    move(x: number) {
      if (!from) return
      const by = toFrame((x - from.x) * secondsPer())
      if (!by && !from.begun) return
      if (!from.begun) intend({ type: 'GestureBegan', label: 'Move sound' })
      from.begun = true
      intend({ type: 'GestureUpdated', edit: { type: 'PlaceSound', offset: from.offset + by } })
    },
    up: () => end('GestureEnded'),
    cancel: () => end('GestureCancelled'),
  }
}

function Lane({ axisOf, fontOf }: LaneProps) {
  const canvas = useCanvas((ctx, size) => {
    const [info, wave, axis] = [sound.value, waveform.value, axisOf(size)]
    if (!info) return
    const [ink, quiet] = info.muted ? ['#4a5360', '#2c333c'] : ['#5f8fb5', '#2f3a46']
    if (wave) drawWaveform(ctx, axis, wave, { offset: info.offset, ink, quiet })
    else if (info.missing) {
      ctx.font = fontOf(ctx.canvas)
      ctx.fillStyle = '#ffc46b'
      ctx.fillText(
        `${info.name} is missing: choose it again in the tab Reference`,
        axis.gutter + 8,
        size.height / 2 + 4,
      )
    }
  })
  const drag = useMemo(() => {
    const axis = () => axisOf({ width: canvas.current!.clientWidth, height: canvas.current!.clientHeight })
    return dragSound(() => secondsPerPixel(axis()))
  }, [])
  const info = sound.value!
  return (
    <div class="sound-lane">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="Frame at which the sound begins: arrow keys move it"
        aria-valuenow={Math.round(info.offset * rate.value)}
        aria-valuetext={`frame ${Math.round(info.offset * rate.value)}`}
        data-tip="The sound; drag it to where it begins"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          drag.down(event.clientX)
        }}
        onPointerMove={(event) => drag.move(event.clientX)}
        onPointerUp={drag.up}
        onPointerCancel={drag.cancel}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
          if (by) {
            event.preventDefault()
            void edit({ type: 'PlaceSound', offset: toFrame(info.offset) + by / rate.value })
          }
          if (event.key === 'Escape') drag.cancel()
        }}
      />
      <div class="sound-name">
        <Button
          icon={info.muted ? 'mute' : 'sound'}
          tip={info.muted ? 'Hear the sound again' : 'Mute the sound'}
          pressed={info.muted}
          onClick={() => edit({ type: 'PlaceSound', muted: !info.muted })}
        />
        <span>{info.name}</span>
      </div>
    </div>
  )
}
