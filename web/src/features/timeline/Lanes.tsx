/** Keys of the current clip, as rows (dope sheet) or as curves (graph), with the ruler over them. */
import { batch, signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { pointerOf, type Gesture, type Pointer } from '../../core/gestures/pointer'
import { clip, rate, take, time } from '../../core/document'
import { found, liveKeys, selectedKeys } from '../../core/selection'
import { intend } from '../../core/server'
import { heldAxis } from '../../core/shortcuts'
import { scrubTo, stopPlaying, toFrame } from '../../core/time'
import { holdSpan, secondsPerPixel, span, timeAt, xOf, zoomed } from '../../core/timeAxis'
import { useCanvas } from '../../widgets/useCanvas'
import type { BottomProps } from '../feature'
import { moveKeys, stepFrames } from './actions'
import { dragHandle } from './dragHandle'
import { dragKeys } from './dragKeys'
import { drawLanes, drawRuler } from './drawLanes'
import { handleAt, keysAt, keysIn, valueAtY, valuePerPixel, type Layout } from './laneLayout'
import { LaneNames } from './LaneNames'
import { NoKeys } from './NoKeys'
import { graphCurves, rows } from './rows'
import { lane, laneSearch, loopRange, snapping } from './state'
import { wheelAndPan } from './wheelAndPan'
import { shownValues } from './valueAxis'

const box = signal<[Pointer, Pointer] | null>(null)
const scroll = signal(0)
const held = signal<{ low: number; high: number } | null>(null) // the range of values while something is dragged

function layoutOf(size: { width: number; height: number }): Layout {
  const text = textSize()
  return {
    ...size,
    gutter: 14 * text,
    row: rowHeight(),
    rows: rows.value,
    scroll: lane.value === 'keys' ? scroll.value : 0,
    span: span.value,
    curves: lane.value === 'curves' ? graphCurves.value : [],
    values: lane.value === 'curves' ? (held.value ?? shownValues.value) : null,
  }
}

/** Of small text, in pixels; it grows with the screen. */
const textSize = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--small')) || 11
const rowHeight = () => Math.round(1.8 * textSize())

const fontOf = (element: HTMLElement) => `${getComputedStyle(element).fontSize} ${getComputedStyle(element).fontFamily}`

const placeOf = (event: PointerEvent) => pointerOf(event, (event.currentTarget as HTMLElement).getBoundingClientRect())

export function Lanes({ lanes: others }: BottomProps) {
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLElement>(null)
  const size = useSignal({ width: 0, height: 0 }) // of the lanes, in pixels
  const ruler = useCanvas((ctx, size) =>
    drawRuler(ctx, layoutOf(size), {
      rate: rate.value,
      clip: clip.value,
      font: fontOf(ctx.canvas),
      range: loopRange.value,
    }),
  )
  const lanes = useCanvas((ctx, size) =>
    drawLanes(ctx, layoutOf(size), {
      rate: rate.value,
      selected: liveKeys.value,
      box: box.value,
      font: fontOf(ctx.canvas),
      range: loopRange.value,
    }),
  )
  const scrubbing = useRef(false)
  useEffect(() => {
    const element = scroller.current! // the observer may be told once more when the lanes are gone
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const layout = () => layoutOf({ width: lanes.current!.clientWidth, height: lanes.current!.clientHeight })
  const gesture = useMemo(() => pointing(layout), [])
  useEffect(() => wheelAndPan(root.current!, layout), [])
  // The moment is a line of its own, so that going through time draws no key anew.
  useSignalEffect(() => {
    void size.value
    const x = xOf(layout(), time.value)
    head.current!.style.transform = `translateX(${Math.round(x)}px)`
    head.current!.style.opacity = x < layout().gutter || x > layout().width ? '0' : '1'
  })
  const scrub = (event: PointerEvent) => {
    const { from, to } = span.value // beyond the edge it stops, so that the moment stays seen
    const frame = Math.round(timeAt(layout(), placeOf(event).x) * rate.value)
    scrubTo(Math.min(Math.max(frame, Math.ceil(from * rate.value)), Math.floor(to * rate.value)) / rate.value)
  }
  return (
    <div ref={root} class="lanes">
      <div class="ruler-row">
        <input
          class="lane-search"
          type="search"
          placeholder="Find a lane"
          aria-label="Find a lane"
          data-tip="Show only lanes whose names have these words"
          value={laneSearch.value}
          onInput={(event) => {
            laneSearch.value = event.currentTarget.value
          }}
        />
        <canvas
          ref={ruler}
          class="ruler"
          tabIndex={0}
          role="slider"
          aria-label="Time"
          aria-valuenow={Math.round(time.value * rate.value)}
          aria-valuemin={0}
          data-tip="Drag to go through time; Ctrl and the wheel zoom, Shift and the wheel or the middle button move along, double-click shows all"
          onDblClick={() => {
            zoomed.value = null
          }}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            stopPlaying()
            scrubbing.current = true
            event.currentTarget.setPointerCapture(event.pointerId)
            scrub(event)
          }}
          onPointerMove={(event) => {
            if (scrubbing.current) scrub(event)
          }}
          onPointerUp={() => {
            scrubbing.current = false
          }}
          onKeyDown={(event) => {
            const by = stepOf(event)
            if (by) {
              event.preventDefault()
              stepFrames(by)
            }
          }}
        />
      </div>
      {others.map((Lane, i) => (
        <Lane key={i} axisOf={layoutOf} fontOf={fontOf} />
      ))}
      <i ref={head} class="head" />
      <div
        ref={scroller}
        class="scroll"
        onScroll={(event) => {
          scroll.value = event.currentTarget.scrollTop
        }}
      >
        <canvas
          ref={lanes}
          class={`keys of-${lane.value}`}
          style={{ height: `${size.value.height}px` }}
          tabIndex={0}
          role="application"
          aria-label="Keys: arrow keys move the selected ones by a frame, Delete takes them away"
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            gesture.down(placeOf(event))
          }}
          onPointerMove={(event) => batch(() => gesture.move(placeOf(event)))}
          onPointerUp={(event) => gesture.up(placeOf(event))}
          onPointerCancel={() => gesture.cancel()}
          onKeyDown={(event) => {
            const by = stepOf(event)
            if (by && liveKeys.value.length) {
              event.preventDefault()
              moveKeys(by)
            }
            if (event.key === 'Escape') gesture.cancel()
          }}
        />
        <LaneNames height={rowHeight()} />
        {!clip.value && <NoKeys take={take.value} />}
      </div>
    </div>
  )
}

/** Frames that an arrow key goes; with shift it goes to the beginning or the end, wherever it is pressed. */
const stepOf = (event: KeyboardEvent) => (event.shiftKey ? 0 : ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0))

/** What the pointer does on the lanes: turn a tangent, or select and drag keys. */
function pointing(layout: () => Layout): Gesture {
  const hold = (on: boolean) => {
    holdSpan(on)
    held.value = on && lane.value === 'curves' ? shownValues.peek() : null
  }
  const handle = dragHandle({
    send: intend,
    world: {
      handleAt: (pointer) => handleAt(layout(), liveKeys.value, pointer),
      place: ({ x, y }) => ({
        time: timeAt(layout(), x),
        value: valueAtY(layout(), y),
      }),
      leastSeconds: () => secondsPerPixel(layout()),
      hold,
    },
  })
  const keys = dragKeys({
    send: intend,
    world: {
      keysAt: (pointer) => keysAt(layout(), pointer),
      keysIn: (from, to) => found(keysIn(layout(), from, to)),
      selected: () => liveKeys.value,
      select: (next) => {
        selectedKeys.value = next
      },
      frame: (from, to) => {
        box.value = from && to ? [from, to] : null
      },
      hold,
      secondsPer: (pixels) => {
        const by = pixels * secondsPerPixel(layout())
        return snapping.value ? toFrame(by) : by
      },
      valuePer: (pixels) => pixels * valuePerPixel(layout()),
      axis: heldAxis,
    },
  })
  let active = keys
  return {
    down(pointer) {
      active = handle.down(pointer) ? handle : keys
      return active === handle || keys.down(pointer)
    },
    move: (pointer) => active.move(pointer),
    up: (pointer) => active.up(pointer),
    cancel: () => active.cancel(),
  }
}
