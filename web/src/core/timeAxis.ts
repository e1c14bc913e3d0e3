/** The stretch of time that the timeline shows, and where its moments lie in pixels. */
import { computed, signal } from '@preact/signals'
import { clip } from './document'
import { recordedEnd, soundEnd } from './time'

export interface Span {
  from: number
  to: number
}

/** A strip of pixels along which time runs, right of a gutter for names. */
export interface TimeAxis {
  width: number
  height: number
  gutter: number
  span: Span
}

export const xOf = ({ width, gutter, span }: TimeAxis, time: number) =>
  gutter + ((time - span.from) / (span.to - span.from)) * (width - gutter)

export const timeAt = ({ width, gutter, span }: TimeAxis, x: number) =>
  span.from + ((x - gutter) / (width - gutter)) * (span.to - span.from)

export const secondsPerPixel = ({ width, gutter, span }: TimeAxis) =>
  (span.to - span.from) / Math.max(width - gutter, 1)

/** What was zoomed to; null: all of the clip. */
export const zoomed = signal<Span | null>(null)

const held = signal<Span | null>(null)

/** While something is dragged along time, the stretch stays as it is, also if the clip grows or shrinks by that. */
export function holdSpan(on: boolean): void {
  held.value = on ? span.peek() : null
}

const all = computed<Span>(() => {
  const end = Math.max(clip.value?.end ?? 0, recordedEnd.value, soundEnd.value, 2)
  return around(Math.min(clip.value?.start ?? 0, 0), end)
})

export const span = computed<Span>(() => held.value ?? zoomed.value ?? all.value)

/** A stretch with a little room on both sides. */
export function around(from: number, to: number, least = 0.2): Span {
  const margin = Math.max(0.04 * (to - from), (least - (to - from)) / 2)
  return { from: from - margin, to: to + margin }
}

/** Nearer by a factor about a moment. */
export function zoom({ from, to }: Span, factor: number, about: number): Span {
  const length = Math.min(Math.max((to - from) * factor, 0.1), 3600)
  const share = (about - from) / (to - from)
  return { from: about - share * length, to: about + (1 - share) * length }
}

/** The same length, later by some seconds. */
export const pan = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by })

/** A stretch of the same length in which a moment is seen: the next page where it has left this one. */
export function keptInView(shown: Span, at: number): Span {
  const length = shown.to - shown.from
  if (at >= shown.from && at <= shown.to) return shown
  return at > shown.to ? pan(shown, at - shown.from - 0.05 * length) : pan(shown, at - shown.to + 0.05 * length)
}

/** Let the timeline show a moment: with all that it shows if that is near, else on a page of its own. */
export function follow(at: number): void {
  const shown = span.peek()
  if (at >= shown.from && at <= shown.to) return
  const [from, to] = [Math.min(shown.from, at), Math.max(shown.to, at)]
  const isNear = !zoomed.peek() && to - from < 2 * (shown.to - shown.from)
  const next = isNear ? around(from, to) : keptInView(shown, at)
  const before = Math.max(Math.min(all.peek().from, at) - next.from, 0) // there is nothing so early
  zoomed.value = pan(next, before)
}

/** Steps between marks so that about `count` of them are seen: whole frames, then whole seconds. */
export function markStep({ from, to }: Span, rate: number, count: number): number {
  const wanted = (to - from) / count
  const steps = [1, 2, 5, 10].map((frames) => frames / rate).concat([0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600])
  return (
    steps
      .filter((step) => step > 0)
      .sort((a, b) => a - b)
      .find((step) => step >= wanted) ?? 600
  )
}
