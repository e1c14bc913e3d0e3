/** What the eyes look at, drawn over the face: a handle to drag, with lines from the eyes. */
import { useRef } from 'preact/hooks'
import { target } from '../../core/controls'
import { rig } from '../../core/document'
import { intend } from '../../core/server'
import type { Vec } from '../../core/vec'
import { face, viewport } from '../../scene/current'
import type { LayerProps } from '../feature'
import { dropTarget, targetValues } from './actions'

const EDGE = 14 // pixels within the view at which a handle outside of it is drawn

export function GazeLayer({ drawn }: Pick<LayerProps, 'drawn'>) {
  void drawn.value // the camera or the face moved
  const from = useRef<{ place: Vec; dx: number; dy: number } | null>(null)
  const [where, place] = [viewport.value, target.value]
  if (!where || !face.value || !place) return null
  const seen = where.seenInScene(place)
  const { width, height } = where.size
  const x = Math.min(Math.max(seen.x, EDGE), width - EDGE)
  const y = Math.min(Math.max(seen.y, EDGE), height - EDGE)
  const send = (to: Vec) => intend({ type: 'GestureUpdated', edit: { type: 'SetControls', values: targetValues(to) } })
  const end = (type: 'GestureEnded' | 'GestureCancelled') => {
    if (from.current) intend({ type })
    from.current = null
  }
  const local = (event: PointerEvent & { currentTarget: Element }) => {
    const { left, top } = event.currentTarget.closest('svg')!.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const nudge = (dx: number, dy: number) => {
    const step = 0.02 * (rig.value?.size ?? 1)
    const edit = { type: 'SetControls', values: targetValues([place[0] + dx * step, place[1] + dy * step, place[2]]) }
    intend({ type: 'Edited', edit: edit as { type: 'SetControls'; values: Record<string, number> } })
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => nudge(-1, 0),
    ArrowRight: () => nudge(1, 0),
    ArrowUp: () => nudge(0, 1),
    ArrowDown: () => nudge(0, -1),
    Delete: dropTarget,
    Backspace: dropTarget,
  }
  return (
    <svg class="overlay gaze" role="group" aria-label="What the eyes look at">
      {face.value.data.stiff.middles.map((middle, i) => {
        const eye = where.seen(middle)
        return <line key={i} x1={eye.x} y1={eye.y} x2={x} y2={y} />
      })}
      <g
        class="target"
        transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
        tabIndex={0}
        role="button"
        aria-label="What the eyes look at. Drag it, arrow keys move it, Delete clears it."
        data-tip="The eyes look here: drag it; turn the view to move it nearer and further"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.stopPropagation()
          event.currentTarget.setPointerCapture(event.pointerId)
          const at = local(event)
          from.current = { place, dx: x - at.x, dy: y - at.y }
          intend({ type: 'GestureBegan', label: 'Move what the eyes look at' })
        }}
        onPointerMove={(event) => {
          const began = from.current
          if (!began) return
          const at = local(event)
          send(where.inScene({ x: at.x + began.dx, y: at.y + began.dy }, began.place))
        }}
        onPointerUp={() => end('GestureEnded')}
        onPointerCancel={() => end('GestureCancelled')}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && from.current) {
            end('GestureCancelled')
            event.stopPropagation()
          }
          if (!keys[event.key]) return
          event.preventDefault()
          event.stopPropagation()
          keys[event.key]()
        }}
      >
        <circle r={9} />
        <path d="M-14 0H-5M5 0H14M0-14V-5M0 5V14" />
        <circle class="core" r={2} />
      </g>
    </svg>
  )
}
