/** What the workbench shows of sliders. */
import { computed, signal } from '@preact/signals'
import { rig } from '../../../core/document'
import { chosen } from '../../../core/selection'

/** Sliders that are listed: their name or group has this text. */
export const filter = signal('')

/** The selected sliders, in the rig's order. */
export const selected = computed(() => (rig.value?.sliders ?? []).filter(({ name }) => chosen.value.includes(name)))

/** A pair of sliders that is proposed to exclude each other, and why. */
export interface ProposedPair {
  first: string
  second: string
  reason: string
}

/** What the names and the motions of the rig's sliders propose. */
export interface Proposals {
  rig: string // its id
  exclusive: ProposedPair[]
  ties: [string, string][]
}

export const proposals = signal<Proposals>({ rig: '', exclusive: [], ties: [] })
