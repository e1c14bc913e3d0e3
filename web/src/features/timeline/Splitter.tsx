/** The upper edge of the timeline: dragged, it makes the timeline taller. */
import { useRef } from 'preact/hooks'
import { timelineHeight } from './state'

export const LEAST = 180 // pixels
const STEP = 24 // of an arrow key

/** A height within what the window has room for. */
export const within = (height: number, window: number) =>
  Math.round(Math.min(Math.max(height, LEAST), Math.max(window - 200, LEAST)))

export function Splitter({ heightOf }: { heightOf(): number }) {
  const from = useRef<{ y: number; height: number } | null>(null)
  const set = (height: number) => {
    timelineHeight.value = within(height, window.innerHeight)
  }
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the timeline"
      aria-valuenow={timelineHeight.value}
      aria-valuemin={LEAST}
      tabIndex={0}
      data-tip="Drag to make the timeline taller; double-click for its usual height"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { y: event.clientY, height: heightOf() }
      }}
      onPointerMove={(event) => {
        if (from.current) set(from.current.height + from.current.y - event.clientY)
      }}
      onPointerUp={() => {
        from.current = null
      }}
      onPointerCancel={() => {
        from.current = null
      }}
      onDblClick={() => {
        timelineHeight.value = 0
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key]
        if (!by) return
        event.preventDefault()
        event.stopPropagation()
        set(heightOf() + by)
      }}
    />
  )
}
