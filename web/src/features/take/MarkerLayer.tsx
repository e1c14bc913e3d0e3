/** The take's markers over the face, with the names of those that are pointed at, and what the colours mean. */
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { markers, markerUnder, seenMarkers } from './seenMarkers'
import { take } from '../../core/document'
import { rampGradient, rampTop } from '../../widgets/ramp'
import { chosenMarker, hoveredMarker, isCompared, liveFit, markersShown } from './state'
import { tool } from '../../core/view'
import { viewport } from '../../scene/current'
import type { LayerProps } from '../feature'
import { drawMarkers } from './drawMarkers'

export function MarkerLayer(props: LayerProps) {
  return take.value ? <Layer {...props} /> : null
}

function Layer({ drawn }: LayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current!
    const room = element.parentElement!
    let asked = false
    const stopDrawing = effect(() => {
      void [drawn.value, markers.value, chosenMarker.value, hoveredMarker.value, liveFit.value]
      if (asked) return
      asked = true
      requestAnimationFrame(() => {
        asked = false
        draw(element)
      })
    })
    const point = (event: PointerEvent) => {
      const where = viewport.value
      const { left, top } = room.getBoundingClientRect()
      const free = event.buttons === 0 && event.target instanceof HTMLCanvasElement
      hoveredMarker.value =
        where && free ? markerUnder(where, { x: event.clientX - left, y: event.clientY - top }, true) : ''
    }
    const leave = () => {
      hoveredMarker.value = ''
    }
    room.addEventListener('pointermove', point)
    room.addEventListener('pointerleave', leave)
    return () => {
      stopDrawing()
      room.removeEventListener('pointermove', point)
      room.removeEventListener('pointerleave', leave)
    }
  }, [])
  return (
    <>
      <canvas ref={canvas} class="markers" aria-hidden="true" />
      <Hint />
      <Legend />
    </>
  )
}

function draw(element: HTMLCanvasElement): void {
  const { clientWidth: width, clientHeight: height } = element
  const ratio = window.devicePixelRatio
  const ctx = element.getContext('2d')!
  if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  ctx.clearRect(0, 0, width, height)
  const where = viewport.value
  if (!where) return
  const { fontSize, fontFamily } = getComputedStyle(element)
  drawMarkers(ctx, seenMarkers(where), {
    top: rampTop(liveFit.value?.most ?? 0),
    chosen: chosenMarker.value,
    hovered: hoveredMarker.value,
    dot: parseFloat(fontSize) * 0.3,
    font: `${fontSize} ${fontFamily}`,
    width,
  })
}

/** What the next click does. */
function Hint() {
  const of = take.value
  if (!of || tool.value !== 'bind') return null
  const pairs = of.markers.filter((marker) => marker.paired).length
  const more = of.bound
    ? ''
    : pairs < 3
      ? ` ${3 - pairs} more ${pairs === 2 ? 'pair brings' : 'pairs bring'} the take onto the face.`
      : ''
  return (
    <p class="hint" role="status">
      {chosenMarker.value ? (
        <>
          Click where <b>{chosenMarker.value}</b> belongs on the face.{more}
        </>
      ) : (
        <>
          Click a marker{of.bound ? ' that sits wrongly' : ''}, then its place on the face.{more}
        </>
      )}
    </p>
  )
}

function Legend() {
  const found = liveFit.value
  if (!found || !isCompared.value || !markersShown.value) return null
  return (
    <div class="ramp-legend" data-tip="How far a marker is from where the face has it, in millimetres of the actor">
      <span>0</span>
      <i style={{ background: rampGradient() }} />
      <span>{rampTop(found.most)} mm</span>
    </div>
  )
}
