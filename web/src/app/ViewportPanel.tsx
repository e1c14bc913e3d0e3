/** The face, and the pointers on it. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { bindMarker } from '../features/take/bindMarker'
import { brush as brushGesture } from '../core/gestures/brush'
import { dragPin } from '../features/pose/dragPin'
import { inRegion } from '../features/regions/inRegion'
import { nearer, orbit } from '../core/gestures/orbit'
import type { Gesture, Pointer } from '../core/gestures/pointer'
import { markerUnder } from '../features/take/seenMarkers'
import { complain } from '../core/toasts'
import { Viewport } from '../scene/viewport'
import { building } from '../features/build/state'
import { before, dragging, posed, values } from '../core/pose'
import { held, look } from '../core/document'
import { choose, chosenName, hovered } from '../core/regions'
import { selectedPins, selectPin } from '../core/selection'
import { chosenMarker } from '../features/take/state'
import {
  camera,
  detailBy,
  gazePoint,
  gazing,
  ghost,
  hiddenParts,
  holdAxes,
  mixing,
  splitAt,
  tool,
  wireframe,
} from '../core/view'
import { send } from '../core/server'
import { face, viewport as current } from '../scene/current'
import { Drop } from './Drop'
import { MarkerLayer } from '../features/take/MarkerLayer'
import { Overlay } from '../features/pose/PinLayer'
import { RegionLayer } from '../features/regions/RegionLayer'
import { pinWorld, regionWorld, spotAt, verticesUnder } from './viewportWorld'
import { SplitHandle } from '../features/textures/SplitHandle'
import { ViewBar } from '../features/view/ViewBar'

function pointerOf(event: PointerEvent, { left, top }: DOMRect): Pointer {
  return {
    x: event.clientX - left,
    y: event.clientY - top,
    button: event.button,
    shift: event.shiftKey,
    ctrl: event.ctrlKey || event.metaKey,
    alt: event.altKey,
  }
}

/** Which gesture a pointer begins: the tool's own on the face, the camera's elsewhere. */
function gestures(viewport: Viewport) {
  const turn = orbit({
    get: () => camera.value,
    set: (next) => {
      camera.value = next
    },
    height: () => viewport.size.height,
  })
  const pin = dragPin({
    world: pinWorld(viewport),
    send,
    selected: selectPin,
    dragging(on) {
      if (on) before.value = values.slice()
      dragging.value = on
    },
  })
  const paint = brushGesture({
    under: (pointer, single) => verticesUnder(viewport, pointer, single),
    edit: (vertices, wiping) => ({
      type: 'HoldVertices',
      vertices,
      axes: holdAxes.value,
      mode: wiping ? 'remove' : 'add',
    }),
    label: (wiping) => (wiping ? 'let points go' : 'choose points to hold'),
    send,
  })
  const bind = bindMarker({
    markerAt: (pointer) => markerUnder(viewport, pointer),
    surfaceAt: (pointer) => spotAt(viewport, pointer),
    chosen: () => chosenMarker.value,
    choose: (marker) => {
      chosenMarker.value = marker
    },
    send,
  })
  const divide = brushGesture({
    under: (pointer, single) => verticesUnder(viewport, pointer, single),
    edit: (vertices, wiping) => ({
      type: 'PaintRegion',
      region: chosenName.value,
      vertices,
      mode: wiping ? 'remove' : 'add',
    }),
    label: (wiping) => `${wiping ? 'erase' : 'paint'} ${chosenName.value}`,
    send,
  })
  const inside = inRegion({ ...regionWorld(viewport), choose, pose: pin })
  const chosen = (): Gesture => {
    if (tool.value === 'region' || (tool.value === 'pose' && chosenName.value)) return inside
    return { pose: pin, bind, hold: paint, paint: divide }[tool.value]
  }
  return (pointer: Pointer): Gesture => {
    const own = chosen()
    if (pointer.button === 0 && !pointer.alt && own.down(pointer)) return own
    if (pointer.button === 0 && !pointer.ctrl) selectedPins.value = []
    turn.down(pointer)
    return turn
  }
}

export function ViewportPanel() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useSignal(0)
  const hover = useSignal<{ x: number; y: number } | null>(null)

  useEffect(() => {
    const element = canvas.current!
    const viewport = new Viewport(
      element,
      camera.value,
      () => {
        drawn.value += 1
      },
      complain,
    )
    current.value = viewport
    const resized = new ResizeObserver(() => viewport.resize())
    resized.observe(element)
    viewport.resize()
    const stop = listen(element, viewport, hover)
    return () => {
      resized.disconnect()
      stop()
    }
  }, [])

  useSignalEffect(() => current.value?.frames.cover(building.value))
  useSignalEffect(() => current.value?.look(camera.value))
  useSignalEffect(() => {
    void posed.value
    current.value?.pose(values)
  })
  useSignalEffect(() => current.value?.dress(look.value))
  useSignalEffect(() => current.value?.gaze(gazing.value, gazePoint.value))
  useSignalEffect(() => current.value?.mix(mixing.value, splitAt.value, detailBy.value))
  useSignalEffect(() => {
    face.value?.hide(hiddenParts.value)
    face.value?.wire(wireframe.value)
    current.value?.ask()
  })
  useSignalEffect(() => {
    face.value?.show('ghost', ghost.value && dragging.value ? before.value : null)
    current.value?.ask()
  })
  useSignalEffect(() => {
    face.value?.hold(held.value.vertices, held.value.on ? 7 : 5)
    current.value?.ask()
  })

  return (
    <main class={`viewport ${tool.value}`} aria-label="The face">
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label="The face: click it to set a pin, drag to pose, drag the background to turn"
      />
      <MarkerLayer drawn={drawn} />
      <RegionLayer hover={hover} />
      <Overlay drawn={drawn} hover={hover} />
      <SplitHandle />
      <ViewBar />
      <Drop />
    </main>
  )
}

/** Pointers to gestures; gives a function that stops it. */
function listen(
  element: HTMLCanvasElement,
  viewport: Viewport,
  hover: { value: { x: number; y: number } | null },
): () => void {
  const choose = gestures(viewport)
  let gesture: Gesture | null = null
  // Once a frame: a ray through a large face takes a while.
  let waiting: Pointer | null = null
  const lookUnder = (pointer: Pointer) => {
    if (tool.value !== 'region') {
      hovered.value = null
      return
    }
    if (!waiting)
      requestAnimationFrame(() => {
        hovered.value = waiting && regionWorld(viewport).regionAt(waiting)
        waiting = null
      })
    waiting = pointer
  }
  // Asking for it makes the browser lay out the page; during a gesture it does not move.
  let corner = element.getBoundingClientRect()
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      element.focus({ preventScroll: true })
      gesture?.cancel()
      element.setPointerCapture(event.pointerId)
      corner = element.getBoundingClientRect()
      gesture = choose(pointerOf(event, corner))
      if (event.button === 1) event.preventDefault()
    },
    pointermove: (event: PointerEvent) => {
      if (!gesture) corner = element.getBoundingClientRect()
      const pointer = pointerOf(event, corner)
      gesture?.move(pointer)
      if (tool.value !== 'pose' || chosenName.value) hover.value = { x: pointer.x, y: pointer.y }
      if (!gesture) lookUnder(pointer)
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
      hover.value = null
      hovered.value = null
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
      const step = event.deltaMode === 1 ? 30 * event.deltaY : event.deltaY
      camera.value = nearer(camera.value, Math.exp(0.0012 * step), at, height)
    },
  }
  for (const [name, listener] of Object.entries(listeners))
    element.addEventListener(name, listener as EventListener, { passive: false })
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      element.removeEventListener(name, listener as EventListener)
  }
}
