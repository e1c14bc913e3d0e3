/** Faces that are compared: a canvas that shows them side by side or split, and what lies over it. */
import { useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nearer, orbit, wheelFactor } from '../core/gestures/orbit'
import { distance, listen, pointerOf, SLOP, type Pointer } from '../core/gestures/pointer'
import { length } from '../core/length'
import { camera, wireframe } from '../core/view'
import { stage as current } from '../scene/current'
import type { Layout } from '../scene/stage/cells'
import { heatGradient } from '../scene/stage/heat'
import type { PreviewFace } from '../scene/stage/preview'
import { Stage } from '../scene/stage/stage'

interface CanvasProps {
  label: string
  drawn: Signal<number> // counts the frames
  arranged(): { layout: Layout; divider: number }
  faces(): readonly (PreviewFace | null)[]
  clicked?(stage: Stage, at: Pointer): void
}

/** The canvas. Drags turn the camera; what it shows is put on `stage` of the scene. */
export function StageCanvas({ label, drawn, arranged, faces, clicked }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const made = new Stage(canvas.current!, camera.value, () => {
      drawn.value += 1
    })
    current.value = made
    const resized = new ResizeObserver(() => made.resize())
    resized.observe(canvas.current!)
    made.resize()
    const stop = listenTo(canvas.current!, made, clicked)
    return () => {
      resized.disconnect()
      stop()
      current.value = null
      made.dispose()
    }
  }, [])
  useSignalEffect(() => current.value?.setCamera(camera.value))
  useSignalEffect(() => {
    const { layout, divider } = arranged()
    current.value?.arrange(layout, divider)
  })
  useSignalEffect(() => {
    for (const face of faces()) face?.wire(wireframe.value)
    current.value?.ask()
  })
  return <canvas ref={canvas} tabIndex={0} aria-label={label} />
}

/** Drags turn the camera; gives a function that stops it. */
function listenTo(element: HTMLCanvasElement, stage: Stage, clicked: CanvasProps['clicked']): () => void {
  const turn = orbit({
    get: () => camera.value,
    set: (next) => {
      camera.value = next
    },
    height: () => stage.size.height,
  })
  let down: Pointer | null = null
  let turning = false
  const placeOf = (event: PointerEvent) => pointerOf(event, element.getBoundingClientRect())
  return listen(element, {
    pointerdown: (event: PointerEvent) => {
      element.focus({ preventScroll: true })
      element.setPointerCapture(event.pointerId)
      down = placeOf(event)
      turning = false
      turn.down(down)
      if (event.button === 1) event.preventDefault()
    },
    pointermove: (event: PointerEvent) => {
      if (!down) return
      const pointer = placeOf(event)
      turning = turning || distance(pointer, down) >= SLOP
      if (turning) turn.move(pointer)
    },
    pointerup: (event: PointerEvent) => {
      if (down && !turning && down.button === 0) clicked?.(stage, placeOf(event))
      down = null
      turn.cancel()
    },
    pointercancel: () => {
      down = null
      turn.cancel()
    },
    contextmenu: (event: Event) => event.preventDefault(),
    wheel: (event: WheelEvent) => {
      event.preventDefault()
      const { left, top, height } = element.getBoundingClientRect()
      const at = { x: event.clientX - left, y: event.clientY - top }
      const cell = stage.cells.find((each) => at.x >= each.from && at.x < each.to)
      const middle = cell ? cell.x + cell.width / 2 : element.clientWidth / 2
      camera.value = nearer(camera.value, wheelFactor(event), { x: at.x - middle, y: at.y - height / 2 }, height)
    },
  })
}

interface CaptionsProps {
  drawn: ReadonlySignal<number>
  titles: readonly { title: string; note: string }[]
}

/** What each face on the stage is. */
export function Captions({ drawn, titles }: CaptionsProps) {
  void drawn.value // cells move with the divider and the size
  const cells = current.value?.cells ?? []
  return (
    <>
      {titles.map(
        ({ title, note }, i) =>
          cells[i] && (
            <p
              key={`${i} ${title}`}
              class="stage-caption"
              style={{ left: `${cells[i].from}px`, width: `${cells[i].to - cells[i].from}px` }}
            >
              <b>{title}</b>
              {note && <span>{note}</span>}
            </p>
          ),
      )}
    </>
  )
}

interface DividerProps {
  at: number // share of the width
  left: string // what is on its left
  right: string
  onChange(at: number): void
}

/** A line that is dragged across the face. */
export function Divider({ at, left, right, onChange }: DividerProps) {
  const root = useRef<HTMLDivElement>(null)
  const put = (share: number) => onChange(Math.min(Math.max(share, 0.02), 0.98))
  return (
    <div
      ref={root}
      class="compare-divider"
      role="slider"
      tabIndex={0}
      aria-label={`Divider between ${left} and ${right}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * at)}
      data-tip={`Drag it across: ${left} is on its left, ${right} on its right`}
      style={{ left: `${100 * at}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { left: from, width } = root.current!.parentElement!.getBoundingClientRect()
        put((event.clientX - from) / width)
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key]
        if (!step) return
        put(at + step)
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <i />
    </div>
  )
}

/** The scale of the heat map: its end in scene units, and the size of the face. */
export function HeatLegend({ high, size }: { high: number; size: number }) {
  return (
    <figure class="heat-legend" aria-label="Colours of the distance">
      <figcaption>
        apart{size > 0 && <span>, the end is {Number(((100 * high) / size).toPrecision(2))} % of the face</span>}
      </figcaption>
      <i style={{ backgroundImage: heatGradient() }} />
      <p>
        <span>0</span>
        <span>{length(high / 2)}</span>
        <span>{length(high)}</span>
      </p>
    </figure>
  )
}
