/** How regions are found and shown. */
import { signal } from '@preact/signals'
import type { FindRegions } from '../../core/protocol.gen'

export type RegionCue = NonNullable<FindRegions['by']>

export const regionsShown = signal(true)
export const threshold = signal(0.75) // with which regions are found
export const cue = signal<RegionCue>('motion') // by which they are found
