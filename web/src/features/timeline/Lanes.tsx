/** Keys of the current clip, as rows or as curves, with the ruler over them. */
import { computed, signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { pointerOf, type Pointer } from '../../core/gestures/pointer'
import { clip, clipCurves, rate, take, time } from '../../core/document'
import { chosen, liveKeys, selectedKeys } from '../../core/selection'
import { intend } from '../../core/server'
import { byName, sliderOf } from '../../core/sliders'
import { scrubTo, stopPlaying, toFrame } from '../../core/time'
import { span, timeAt, xOf, zoom, zoomed } from '../../core/timeAxis'
import { useCanvas } from '../../widgets/useCanvas'
import type { BottomProps } from '../feature'
import { moveKeys } from './actions'
import { dragKeys } from './dragKeys'
import { drawLanes, drawRuler } from './drawLanes'
import { keysAt, keysIn, type Layout } from './laneLayout'
import { lane } from './state'

const MOST_CURVES = 12 // in the curve view, where nothing is selected

const box = signal<[Pointer, Pointer] | null>(null)

/** Curves of the selected sliders; of all where none of them has one. */
const rows = computed(() => {
  const picked = clipCurves.value.filter((curve) => chosen.value.includes(sliderOf(curve.slider)))
  if (picked.length) return picked
  return lane.value === 'keys' ? clipCurves.value : lively(clipCurves.value)
})

/** Curves that move, those with the largest range first. */
function lively<T extends { slider: string; values: number[] }>(all: T[]): T[] {
  const travel = (curve: T) =>
    curve.values.reduce((a, b) => Math.max(a, b)) - curve.values.reduce((a, b) => Math.min(a, b))
  const moving = all.filter((curve) => travel(curve) > 1e-3 && byName.value.has(sliderOf(curve.slider)))
  return (moving.length ? moving : all).sort((a, b) => travel(b) - travel(a)).slice(0, MOST_CURVES)
}

const bounds = computed(() => {
  const infos = rows.value.flatMap((curve) => byName.value.get(sliderOf(curve.slider))?.info ?? [])
  const values = rows.value.flatMap((curve) => curve.values)
  const least = (all: number[], from: number) => all.reduce((a, b) => Math.min(a, b), from)
  const most = (all: number[], from: number) => all.reduce((a, b) => Math.max(a, b), from)
  return {
    low: least([...infos.map((info) => info.low), ...values], 0),
    high: most([...infos.map((info) => info.high), ...values], 1),
  }
})

function layoutOf(size: { width: number; height: number }): Layout {
  const text = textSize()
  return {
    ...size,
    gutter: 14 * text,
    row: 1.8 * text,
    span: span.value,
    curves: rows.value,
    values: lane.value === 'curves' ? bounds.value : null,
  }
}

/** Of small text, in pixels; it grows with the screen. */
const textSize = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--small')) || 11

const fontOf = (element: HTMLElement) => `${getComputedStyle(element).fontSize} ${getComputedStyle(element).fontFamily}`

const placeOf = (event: PointerEvent) => pointerOf(event, (event.currentTarget as HTMLElement).getBoundingClientRect())

export function Lanes({ lanes: others }: BottomProps) {
  const ruler = useCanvas((ctx, size) =>
    drawRuler(ctx, layoutOf(size), { rate: rate.value, clip: clip.value, font: fontOf(ctx.canvas) }),
  )
  const lanes = useCanvas((ctx, size) =>
    drawLanes(ctx, layoutOf(size), {
      rate: rate.value,
      selected: liveKeys.value,
      box: box.value,
      font: fontOf(ctx.canvas),
    }),
  )
  const scrubbing = useRef(false)
  const head = useRef<HTMLElement>(null)
  const resized = useSignal(0)
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      resized.value += 1
    })
    observer.observe(lanes.current!)
    return () => observer.disconnect()
  }, [])
  const layout = () => layoutOf({ width: lanes.current!.clientWidth, height: lanes.current!.clientHeight })
  const perPixel = () => (span.value.to - span.value.from) / (layout().width - layout().gutter)
  const gesture = useMemo(
    () =>
      dragKeys({
        send: intend,
        world: {
          keysAt: (pointer) => keysAt(layout(), pointer),
          keysIn: (from, to) => keysIn(layout(), from, to),
          selected: () => liveKeys.value,
          select: (keys) => {
            selectedKeys.value = keys
          },
          frame: (from, to) => {
            box.value = from && to ? [from, to] : null
          },
          secondsPer: (pixels) => toFrame(pixels * perPixel()),
          valuePer: (pixels) =>
            lane.value === 'curves' ? (pixels / (layout().height - 20)) * (bounds.value.high - bounds.value.low) : 0,
        },
      }),
    [],
  )
  // The moment is a line of its own, so that going through time draws no key anew.
  useSignalEffect(() => {
    void resized.value
    const x = xOf(layout(), time.value)
    head.current!.style.transform = `translateX(${Math.round(x)}px)`
    head.current!.style.opacity = x < layout().gutter ? '0' : '1'
  })
  const scrub = (event: PointerEvent) => scrubTo(toFrame(timeAt(layout(), placeOf(event).x)))
  const tall = lane.value === 'keys' ? `${(rows.value.length + 1) * 1.8 * textSize()}px` : '100%'
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { left } = lanes.current!.getBoundingClientRect()
    zoomed.value = zoom(span.value, Math.exp(0.002 * event.deltaY), timeAt(layout(), event.clientX - left))
  }
  return (
    <div
      class="lanes"
      onWheel={onWheel}
      onDblClick={() => {
        zoomed.value = null
      }}
    >
      <canvas
        ref={ruler}
        class="ruler"
        tabIndex={0}
        role="slider"
        aria-label="Time"
        aria-valuenow={Math.round(time.value * rate.value)}
        aria-valuemin={0}
        data-tip="Drag to go through time; Ctrl and the wheel zoom, double-click shows all"
        onPointerDown={(event) => {
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
          const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
          if (by) {
            event.preventDefault()
            scrubTo(toFrame(time.value) + by / rate.value)
          }
        }}
      />
      {others.map((Lane, i) => (
        <Lane key={i} axisOf={layoutOf} fontOf={fontOf} />
      ))}
      <i ref={head} class="head" />
      <div class="scroll">
        <canvas
          ref={lanes}
          class="keys"
          style={{ height: tall }}
          tabIndex={0}
          role="application"
          aria-label="Keys: arrow keys move the selected ones by a frame, Delete takes them away"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            gesture.down(placeOf(event))
          }}
          onPointerMove={(event) => gesture.move(placeOf(event))}
          onPointerUp={(event) => gesture.up(placeOf(event))}
          onPointerCancel={() => gesture.cancel()}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
            if (by && liveKeys.value.length) {
              event.preventDefault()
              moveKeys(by)
            }
            if (event.key === 'Escape') gesture.cancel()
          }}
        />
        {!clip.value && !take.value && (
          <p class="empty">
            No keys yet. <kbd>K</kbd> keys the pose at this frame; move in time, pose again, <kbd>K</kbd>, and{' '}
            <kbd>Space</kbd> plays. “Load a take” brings recorded markers or weights.
          </p>
        )}
        {!clip.value && take.value && (
          <p class="empty">
            {take.value.bound ? (
              <>
                The take is bound: <kbd>Shift</kbd> <kbd>B</kbd> solves it to a clip. <kbd>Space</kbd> plays its
                markers.
              </>
            ) : (
              <>
                The take is not bound yet: “By clicks” in its tab, <kbd>B</kbd>, and three pairs bring it onto the face.{' '}
                <kbd>Space</kbd> plays its markers.
              </>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
