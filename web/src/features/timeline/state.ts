/** How the timeline is shown and played. */
import { signal } from '@preact/signals'

export const lane = signal<'keys' | 'curves'>('keys')
export const looping = signal(true)
export const onion = signal(false) // the poses of neighbouring keys are shown
