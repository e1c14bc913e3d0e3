/** The stage: an example beside the rig's own version of it, or template and face while points are paired. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nearer, orbit, wheelFactor } from '../../core/gestures/orbit'
import { distance, listen, pointerOf, SLOP, type Pointer } from '../../core/gestures/pointer'
import { camera, dropping, wireframe } from '../../core/view'
import { stage as current } from '../../scene/current'
import { Stage } from '../../scene/stage/stage'
import { clickPoint } from './actions'
import { PairMarks } from './PairMarks'
import { StageBar } from './StageBar'
import { shown } from './shown'
import { Captions, Divider, Legend } from './StageMarks'
import { build, chosenPose, compared, pairing } from './state'

export function BuildStage() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useSignal(0)

  useEffect(() => {
    const made = new Stage(canvas.current!, camera.value, () => {
      drawn.value += 1
    })
    current.value = made
    const resized = new ResizeObserver(() => made.resize())
    resized.observe(canvas.current!)
    made.resize()
    const stop = listenTo(canvas.current!, made)
    return () => {
      resized.disconnect()
      stop()
      current.value = null
      made.dispose()
    }
  }, [])

  useSignalEffect(() => current.value?.setCamera(camera.value))
  useSignalEffect(() => {
    const { layout, divider } = compared.value
    current.value?.arrange(pairing.value ? 'beside' : layout, divider)
  })
  useSignalEffect(() => {
    for (const { preview } of shown.value) preview?.wire(wireframe.value)
    current.value?.ask()
  })

  return (
    <main class={`stage${pairing.value ? ' pairing' : ''}`} aria-label="The build">
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label={
          pairing.value ? 'Template and face: click the same point on both' : 'The faces of the build: drag to turn'
        }
      />
      <PairMarks drawn={drawn} />
      <Captions drawn={drawn} />
      <Divider />
      <Legend />
      <StageBar />
      <Hint />
      {dropping.value && (
        <div class="drop">{build.value?.neutral ? 'Drop poses' : 'Drop a neutral face, and poses with it'}</div>
      )}
    </main>
  )
}

/** What to do next, where nothing is to be seen yet. */
function Hint() {
  const now = build.value
  if (!now || pairing.value) return null
  const words = !now.neutral
    ? 'Drop a neutral face here: OBJ, GLB, NPZ or .fwface'
    : !now.poses.length
      ? 'Drop poses of this face here, several at once'
      : chosenPose.value?.obstacle
        ? 'This pose cannot be shown beside the neutral'
        : ''
  return words ? <p class="stage-hint">{words}</p> : null
}

/** Drags turn the camera, clicks pair points; gives a function that stops it. */
function listenTo(element: HTMLCanvasElement, stage: Stage): () => void {
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
      if (down && !turning && down.button === 0) click(stage, placeOf(event))
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

function click(stage: Stage, at: Pointer): void {
  if (!pairing.value) return
  const hit = stage.touched(at)
  const side = hit ? shown.value[hit.cell]?.side : undefined
  if (hit && side) clickPoint(side, hit.vertex)
}
