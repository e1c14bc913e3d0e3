/** The face, and the pointers on it. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { bindMarker } from '../gestures/bindMarker'
import { brush as brushGesture } from '../gestures/brush'
import { dragPin } from '../gestures/dragPin'
import { nearer, orbit } from '../gestures/orbit'
import type { Gesture, Pointer } from '../gestures/pointer'
import { markerUnder } from '../markerView'
import { Viewport } from '../scene/viewport'
import { before, dragging, posed, values } from '../state/pose'
import { held } from '../state/document'
import { selectedPins, selectPin } from '../state/selection'
import { chosenMarker } from '../state/take'
import { camera, ghost, hiddenParts, holdAxes, tool, wireframe } from '../state/view'
import { send } from '../studio'
import { face, viewport as current } from '../view'
import { Drop } from './Drop'
import { MarkerLayer } from './MarkerLayer'
import { Overlay } from './Overlay'
import { pinWorld, spotAt, verticesUnder } from './viewportWorld'
import { ViewBar } from './ViewBar'

function pointerOf(event: PointerEvent, { left, top }: DOMRect): Pointer {
  return { x: event.clientX - left, y: event.clientY - top, button: event.button, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey }
}

/** Which gesture a pointer begins: the tool's own on the face, the camera's elsewhere. */
function gestures(viewport: Viewport) {
  const turn = orbit({ get: () => camera.value, set: (next) => { camera.value = next }, height: () => viewport.size.height })
  const pin = dragPin({
    world: pinWorld(viewport),
    send,
    selected: selectPin,
    dragging(on) {
      if (on) before.value = values.slice()
      dragging.value = on
    },
  })
  const paint = brushGesture({ under: (pointer, single) => verticesUnder(viewport, pointer, single), axes: () => holdAxes.value, send })
  const bind = bindMarker({
    markerAt: (pointer) => markerUnder(viewport, pointer),
    surfaceAt: (pointer) => spotAt(viewport, pointer),
    chosen: () => chosenMarker.value,
    choose: (marker) => { chosenMarker.value = marker },
    send,
  })
  return (pointer: Pointer): Gesture => {
    const own = tool.value === 'pose' ? pin : tool.value === 'bind' ? bind : paint
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
    const viewport = new Viewport(element, camera.value, () => { drawn.value += 1 })
    current.value = viewport
    const resized = new ResizeObserver(() => viewport.resize())
    resized.observe(element)
    viewport.resize()
    const stop = listen(element, viewport, hover)
    return () => { resized.disconnect(); stop() }
  }, [])

  useSignalEffect(() => current.value?.look(camera.value))
  useSignalEffect(() => { void posed.value; current.value?.pose(values) })
  useSignalEffect(() => { face.value?.hide(hiddenParts.value); face.value?.wire(wireframe.value); current.value?.ask() })
  useSignalEffect(() => { face.value?.show('ghost', ghost.value && dragging.value ? before.value : null); current.value?.ask() })
  useSignalEffect(() => {
    face.value?.hold(held.value.vertices, (held.value.on ? 7 : 5) * Math.min(devicePixelRatio, 2))
    current.value?.ask()
  })

  return (
    <main class={`viewport ${tool.value}`} aria-label="The face">
      <canvas ref={canvas} tabIndex={0} aria-label="The face: click it to set a pin, drag to pose, drag the background to turn" />
      <MarkerLayer drawn={drawn} />
      <Overlay drawn={drawn} hover={hover} />
      <ViewBar />
      <Drop />
    </main>
  )
}

/** Pointers to gestures; gives a function that stops it. */
function listen(element: HTMLCanvasElement, viewport: Viewport, hover: { value: { x: number; y: number } | null }): () => void {
  const choose = gestures(viewport)
  let gesture: Gesture | null = null
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
      if (tool.value === 'hold') hover.value = { x: pointer.x, y: pointer.y }
    },
    pointerup: (event: PointerEvent) => { gesture?.up(pointerOf(event, corner)); gesture = null },
    pointercancel: () => { gesture?.cancel(); gesture = null },
    pointerleave: () => { hover.value = null },
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
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener as EventListener, { passive: false })
  return () => { for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener as EventListener) }
}
