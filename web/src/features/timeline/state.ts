/** How the timeline is shown and played. */
import { signal } from '@preact/signals'
import type { CurveEntry } from '../../core/protocol.gen'

export const lane = signal<'keys' | 'curves'>('keys')
export const looping = signal(true)
export const onion = signal(false) // the poses of neighbouring keys are shown
export const snapping = signal(true) // dragged keys go to whole frames
export const laneSearch = signal('')
export const foldedLanes = signal<string[]>([]) // groups
export const timelineHeight = signal(0) // pixels; 0: by the size of the window
export const loopRange = signal<number[]>([]) // seconds: where playing begins and ends; empty: all of the clip

/** Keys that were copied, whose times count from the first of them. */
export const clipboard = signal<CurveEntry[]>([])
