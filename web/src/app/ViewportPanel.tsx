/** The face, the pointers on it, and what features draw over it. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nearer, wheelFactor } from '../core/gestures/orbit'
import { listen, pointerOf, type Gesture, type Pointer } from '../core/gestures/pointer'
import { flip } from '../core/shortcuts'
import { complain } from '../core/toasts'
import { camera, ghost, tool, viewOptions } from '../core/view'
import { covered, viewport as current } from '../scene/current'
import { Viewport } from '../scene/viewport'
import { Button } from '../widgets/controls'
import { ViewButtons } from '../widgets/ViewButtons'
import { Drop } from './Drop'
import { FEATURES } from './features'
import { ServerPicture } from './ServerPicture'
import { stageShown } from './tabs'
import { activeTool, beginning, hoverTools, TOOLS } from './tools'

const LAYERS = FEATURES.flatMap((feature) => feature.layers ?? []).reverse()

export function ViewportPanel() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useSignal(0)
  const flat = useSignal(false) // the browser cannot draw in 3D
  const hover = useSignal<{ x: number; y: number } | null>(null)

  useEffect(() => {
    const element = canvas.current!
    const countFrame = () => {
      drawn.value += 1
    }
    const viewport = made(element, countFrame)
    if (!viewport) return void (flat.value = true)
    current.value = viewport
    const resized = new ResizeObserver(() => viewport.resize())
    resized.observe(element)
    viewport.resize()
    const stop = listenTo(element, viewport, hover)
    return () => {
      resized.disconnect()
      stop()
    }
  }, [])

  useSignalEffect(() => current.value?.redraw.cover(stageShown.value !== null || covered.value))

  return (
    <main class={`viewport ${tool.value}`} aria-label="The face" inert={stageShown.value !== null}>
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label="The face: click it to set a pin, drag to pose, drag the background to turn"
      />
      {flat.value && <ServerPicture />}
      {!flat.value && LAYERS.map((Layer, i) => <Layer key={i} drawn={drawn} hover={hover} />)}
      {!flat.value && <ToolButtons />}
      <ViewButtons>
        <Button
          icon="ghost"
          pressed={ghost.value}
          tip="Show the pose before the drag while dragging"
          keys="G"
          onClick={flip(ghost)}
        />
        <Button
          icon="strength"
          pressed={viewOptions.value}
          tip="Camera, light and surface"
          keys="Shift+N"
          onClick={flip(viewOptions)}
        />
      </ViewButtons>
      <Drop />
    </main>
  )
}

/** The viewport; null where the browser has no WebGL. */
function made(element: HTMLCanvasElement, countFrame: () => void): Viewport | null {
  if (!document.createElement('canvas').getContext('webgl2')) return null
  return new Viewport(element, camera.value, countFrame, complain)
}

function ToolButtons() {
  return (
    <div class="float tools" role="toolbar" aria-label="Tools">
      {TOOLS.map(({ name, button }) => {
        if (!button || button.shown?.() === false) return null
        const choose = () => {
          tool.value = name
        }
        const { icon, label, tip, keys, tone, pressed, onClick = choose } = button
        return (
          <Button
            key={name}
            icon={icon}
            label={label}
            tone={tone}
            pressed={pressed ? pressed() : tool.value === name}
            tip={tip}
            keys={keys}
            onClick={onClick}
          />
        )
      })}
    </div>
  )
}

/** Turn events on the canvas into gestures. Gives a function that stops it. */
function listenTo(
  element: HTMLCanvasElement,
  viewport: Viewport,
  hover: { value: { x: number; y: number } | null },
): () => void {
  const begin = beginning(viewport)
  let gesture: Gesture | null = null
  // Once a frame: a ray through a large face takes a while.
  let waiting: Pointer | null = null
  const hoverSoon = (pointer: Pointer) => {
    if (!waiting)
      requestAnimationFrame(() => {
        hoverTools(viewport, waiting)
        waiting = null
      })
    waiting = pointer
  }
  // Reading it makes the browser lay out the page, so it is read only before a gesture.
  let corner = element.getBoundingClientRect()
  return listen(element, {
    pointerdown: (event: PointerEvent) => {
      element.focus({ preventScroll: true })
      gesture?.cancel()
      element.setPointerCapture(event.pointerId)
      corner = element.getBoundingClientRect()
      gesture = begin(pointerOf(event, corner))
      if (event.button === 1) event.preventDefault()
    },
    pointermove: (event: PointerEvent) => {
      if (!gesture) corner = element.getBoundingClientRect()
      const pointer = pointerOf(event, corner)
      gesture?.move(pointer)
      if (activeTool().follows) hover.value = { x: pointer.x, y: pointer.y }
      if (!gesture) hoverSoon(pointer)
    },
    pointerup: (event: PointerEvent) => {
      gesture?.up(pointerOf(event, corner))
      gesture = null
    },
    pointercancel: () => {
      gesture?.cancel()
      gesture = null
    },
    pointerleave: () => {
      waiting = null
      hover.value = null
      hoverTools(viewport, null)
    },
    contextmenu: (event: Event) => event.preventDefault(),
    keydown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !gesture) return
      gesture.cancel()
      gesture = null
      event.stopPropagation()
    },
    wheel: (event: WheelEvent) => {
      event.preventDefault()
      const { left, top, width, height } = element.getBoundingClientRect()
      const at = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 }
      camera.value = nearer(camera.value, wheelFactor(event), at, height)
    },
  })
}
