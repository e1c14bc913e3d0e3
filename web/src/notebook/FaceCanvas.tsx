/** One face of a view, drawn by the studio's viewport. Drags turn the camera, which both faces of a view share. */
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { decodeAs } from '../core/frames'
import { nearer, orbit, wheelFactor, type Camera } from '../core/gestures/orbit'
import { listen, pointerOf } from '../core/gestures/pointer'
import { faceData } from '../scene/geometry'
import { Viewport } from '../scene/viewport'
import { heatPaint } from './heat'
import { bufferOf, type PackedImage } from './model'
import type { ViewState } from './state'

// The buttons lie over the upper edge.
const ROOM = 1.1
const BELOW_TOOLS = { target: [0, 0.035, 0] as [number, number, number] }

export function FaceCanvas({ state, which }: { state: ViewState; which: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current!
    if (!document.createElement('canvas').getContext('webgl2')) {
      state.problem.value = 'This browser cannot draw in 3D here: it has no WebGL 2.'
      return
    }
    const viewport = new Viewport(
      element,
      state.camera.peek(),
      () => undefined,
      (problem) => (state.problem.value = String(problem)),
    )
    Object.assign(element, { viewport }) // for the console, and for tests
    const letGo = show(viewport, state, which)
    if (which === 0) state.framed = (yaw, pitch) => framed(viewport, yaw, pitch)
    const stops = [...followed(viewport, state, which), listenTo(element, viewport, state)]
    const resized = new ResizeObserver(() => {
      viewport.resize()
      if (which === 0 && state.unframed && viewport.size.width > 1) {
        const { yaw, pitch } = state.camera.peek()
        state.camera.value = state.framed(yaw, pitch)
        state.unframed = false
      }
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      for (const stop of stops) stop()
      letGo()
      viewport.dispose()
    }
  }, [])
  const { name } = state.face(which).packed
  return (
    <canvas
      ref={canvas}
      tabIndex={0}
      aria-label={`The ${name || 'face'}: drag to turn it, with Shift to shift it; once clicked, the wheel brings it nearer`}
    />
  )
}

/** The camera that sees the whole face from an angle. */
function framed(viewport: Viewport, yaw: number, pitch: number): Camera {
  const camera = viewport.framed(yaw, pitch)
  return { ...camera, ...BELOW_TOOLS, distance: ROOM * camera.distance }
}

/** Load the face with its materials. Gives a function that lets go of its images. */
function show(viewport: Viewport, state: ViewState, which: number): () => void {
  const { packed, frame, space } = state.face(which)
  const [own, carried] = [addresses(packed.images), addresses(packed.carried)]
  viewport.load({ ...faceData(frame, packed.rig.parts, packed.rig.vertices), space }, own.of)
  if (packed.character.byteLength)
    viewport.accompany(decodeAs('CharacterMeshes', bufferOf(packed.character)), carried.of)
  return () => [own, carried].forEach(({ revoke }) => revoke())
}

/** Addresses of images that came with the face. */
function addresses(images: Readonly<Record<string, PackedImage>>) {
  const made = new Map(
    Object.entries(images).map(([number, { media, data }]) => [
      number,
      URL.createObjectURL(new Blob([bufferOf(data)], { type: media })),
    ]),
  )
  return {
    of: (image: number) => made.get(String(image)) ?? '',
    revoke: () => made.forEach((address) => URL.revokeObjectURL(address)),
  }
}

/** Let the face follow the state. */
function followed(viewport: Viewport, state: ViewState, which: number): (() => void)[] {
  return [
    effect(() => viewport.setCamera(state.camera.value)),
    effect(() => viewport.pose(state.values(which))),
    effect(() => viewport.turn(state.head(which))),
    effect(() => {
      viewport.face?.wire(state.wire.value)
      viewport.ask()
    }),
    effect(() => {
      const heat = state.heat.value
      const fits = heat?.length === viewport.face?.data.vertexCount
      viewport.face?.paint(heat && fits ? heatPaint(heat, state.heatRange.value) : null)
      viewport.ask()
    }),
  ]
}

function listenTo(element: HTMLCanvasElement, viewport: Viewport, state: ViewState): () => void {
  const turn = orbit({
    get: () => state.camera.peek(),
    set: (camera) => {
      state.camera.value = camera
    },
    height: () => viewport.size.height,
  })
  const placed = (event: PointerEvent) => pointerOf(event, element.getBoundingClientRect())
  const isFocused = () => (element.getRootNode() as ShadowRoot | Document).activeElement === element
  return listen(element, {
    pointerdown: (event: PointerEvent) => {
      element.focus({ preventScroll: true })
      element.setPointerCapture(event.pointerId)
      turn.down(placed(event))
      if (event.button === 1) event.preventDefault()
    },
    pointermove: (event: PointerEvent) => turn.move(placed(event)),
    pointerup: (event: PointerEvent) => turn.up(placed(event)),
    pointercancel: () => turn.cancel(),
    wheel: (event: WheelEvent) => {
      if (!isFocused() && !event.ctrlKey) return // the notebook scrolls
      event.preventDefault()
      const { left, top, width, height } = element.getBoundingClientRect()
      const at = { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 }
      state.camera.value = nearer(state.camera.peek(), wheelFactor(event), at, height)
    },
  })
}
