/**
 * The wheel zooms in time with ctrl and moves along with shift or sideways; with alt, or over the numbers of the graph, it
 * zooms in value. The middle button moves along, in the graph in value as well.
 */
import { listen } from '../../core/gestures/pointer'
import { pan, secondsPerPixel, span, timeAt, zoom, zoomed, type Span } from '../../core/timeAxis'
import { AXIS, valueAtY, valuePerPixel, type Layout } from './laneLayout'
import { lane } from './state'
import { panValues, shownValues, zoomedValues, zoomValues, type Values } from './valueAxis'

const factorOf = (turned: number) => Math.exp(0.002 * turned)

export function wheelAndPan(element: HTMLElement, layout: () => Layout): () => void {
  let from: { x: number; y: number; span: Span; values: Values | null } | null = null

  /** Zoom or move in value, if that is what the wheel is for here. */
  function turnValues(event: WheelEvent): boolean {
    const canvas = event.target as HTMLElement
    if (lane.value !== 'curves' || !canvas.matches('.keys') || event.ctrlKey || event.metaKey) return false
    const { left, top } = canvas.getBoundingClientRect()
    const x = event.clientX - left - layout().gutter
    if (!event.altKey && !(x >= 0 && x < AXIS)) return false
    const turned = event.deltaY || event.deltaX // shift turns the wheel sideways in some browsers
    if (event.shiftKey) zoomedValues.value = panValues(shownValues.value, -turned * valuePerPixel(layout()))
    else zoomedValues.value = zoomValues(shownValues.value, factorOf(turned), valueAtY(layout(), event.clientY - top))
    return true
  }

  return listen(element, {
    wheel: (event: WheelEvent) => {
      if (turnValues(event)) return event.preventDefault()
      const { left } = element.getBoundingClientRect()
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        zoomed.value = zoom(span.value, factorOf(event.deltaY), timeAt(layout(), event.clientX - left))
        return
      }
      const onGraph = lane.value === 'curves' && (event.target as HTMLElement).matches('canvas')
      const sideways = event.deltaX || (event.shiftKey || onGraph ? event.deltaY : 0)
      if (!sideways) return
      event.preventDefault()
      zoomed.value = pan(span.value, sideways * secondsPerPixel(layout()))
    },
    pointerdown: (event: PointerEvent) => {
      if (event.button !== 1) return
      event.preventDefault()
      element.setPointerCapture(event.pointerId)
      const onGraph = lane.value === 'curves' && (event.target as HTMLElement).matches('.keys')
      from = { x: event.clientX, y: event.clientY, span: span.value, values: onGraph ? shownValues.value : null }
    },
    pointermove: (event: PointerEvent) => {
      if (!from) return
      zoomed.value = pan(from.span, (from.x - event.clientX) * secondsPerPixel(layout()))
      if (from.values && event.clientY !== from.y)
        zoomedValues.value = panValues(from.values, (event.clientY - from.y) * valuePerPixel(layout()))
    },
    pointerup: () => {
      from = null
    },
    pointercancel: () => {
      from = null
    },
  })
}
