/** The stretch of time that the timeline shows, and where its moments lie in pixels. */
import { computed, signal } from '@preact/signals'
import { clip } from './document'
import { takeEnd } from './time'

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

/** What was zoomed to; null: all of the clip. */
export const zoomed = signal<Span | null>(null)

export const span = computed<Span>(() => {
  if (zoomed.value) return zoomed.value
  const end = Math.max(clip.value?.end ?? 0, takeEnd.value, 2)
  const from = Math.min(clip.value?.start ?? 0, 0)
  const margin = 0.04 * (end - from)
  return { from: from - margin, to: end + margin }
})

/** Nearer by a factor about a moment. */
export function zoom({ from, to }: Span, factor: number, about: number): Span {
  const length = Math.min(Math.max((to - from) * factor, 0.1), 3600)
  const share = (about - from) / (to - from)
  return { from: about - share * length, to: about + (1 - share) * length }
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
