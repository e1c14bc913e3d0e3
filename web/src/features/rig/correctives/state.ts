/** In-betweens and combinations as the server last sent them, which are listed, and what the next one will be. */
import { computed, signal } from '@preact/signals'
import type { CorrectiveInfo, MakeCorrective } from '../../../core/protocol.gen'
import { posed, values } from '../../../core/pose'
import { isActive, sliders } from '../../../core/sliders'
import { chosenShape } from '../state'
import { defaultName, tidy } from './graph'

/** All shapes that do not follow one slider in proportion; those of kind `end` are drawn, and not listed. */
export const correctives = signal<CorrectiveInfo[]>([])

/** Correctives are listed whose name or a slider has this text, and that this slider drives; '': all. */
export const text = signal('')
export const ofSlider = signal('')

/** Whether only those are listed that the pose has. */
export const onlyOn = signal(false)

export const corrective = computed(
  () => correctives.value.find(({ name, kind }) => name === chosenShape.value && kind !== 'end') ?? null,
)

/** Sliders that drive correctives, in the order of the rig, and how many each drives. */
export const driving = computed(() => {
  const counts = new Map<string, number>()
  for (const { kind, factors } of correctives.value) {
    if (kind === 'end') continue
    for (const { slider } of factors) counts.set(slider, (counts.get(slider) ?? 0) + 1)
  }
  return sliders.value.flatMap(({ info: { name } }) => (counts.has(name) ? [{ name, count: counts.get(name)! }] : []))
})

const SEEN = 0.005 // half of the last digit that is shown

export const listed = computed(() => {
  const wanted = text.value.trim().toLowerCase()
  if (onlyOn.value) void posed.value // `values` is read anew with every pose
  return correctives.value.filter(
    ({ name, kind, index, factors }) =>
      kind !== 'end' &&
      (!onlyOn.value || Math.abs(values[index] ?? 0) >= SEEN) &&
      (!ofSlider.value || factors.some(({ slider }) => slider === ofSlider.value)) &&
      [name, ...factors.map(({ slider }) => slider)].some((each) => each.toLowerCase().includes(wanted)),
  )
})

/** What the next corrective will be. Sliders that are on are proposed, at their values. */
export interface Draft {
  name: string // '': made from the sliders
  ticks: Readonly<Record<string, boolean>> // sliders that are on and were ticked or not by hand
  values: Readonly<Record<string, number>> // values that were changed
  start: NonNullable<MakeCorrective['start']>
  additive: boolean
}

const NOTHING: Draft = { name: '', ticks: {}, values: {}, start: 'empty', additive: true }
export const draft = signal(NOTHING)
export const change = (part: Partial<Draft>) => {
  draft.value = { ...draft.value, ...part }
}
export const clearDraft = () => {
  draft.value = { ...NOTHING, start: draft.value.start, additive: draft.value.additive }
}

export interface Proposed {
  slider: string
  at: number
  low: number
  high: number
  taken: boolean
}

const USUAL = 4 // sliders of a combination; more that are on at once are a face, not a corner of one

/** The sliders that are on, each with the value where the corrective will be full; of many the furthest are ticked. */
export const proposed = computed<Proposed[]>(() => {
  const on = sliders.value.filter(isActive)
  const shares = on.map(({ info: { name, low, high }, weight }) => ({
    name,
    share: Math.abs(weight.value) / Math.max(Math.abs(low), Math.abs(high)),
  }))
  const furthest = new Set(furthestOn(shares).map(({ name }) => name))
  return on.map(({ info: { name, low, high }, weight }) => ({
    slider: name,
    at: draft.value.values[name] ?? tidy(weight.value),
    low,
    high,
    taken: draft.value.ticks[name] ?? furthest.has(name),
  }))
})

/** The few that are furthest on, in shares of their full values. */
export function furthestOn<T extends { share: number }>(on: readonly T[]): T[] {
  return on.length > USUAL ? [...on].sort((one, other) => other.share - one.share).slice(0, USUAL) : [...on]
}

export const taken = computed(() => proposed.value.filter((each) => each.taken))
export const draftName = computed(() => draft.value.name.trim() || defaultName(taken.value))

/** The corner of a corrective that is being checked, and the history entry which that left. */
export interface Walk {
  shape: string
  corner: number
  step: number
}

export const walk = signal<Walk | null>(null)
