/** What the page holds of sound and picture besides the document. */
import { signal } from '@preact/signals'
import { SoundPlayer } from './soundPlayer'
import type { Waveform } from './waveform'

export const TAB = 'reference'
export const waveform = signal<Waveform | null>(null)
export const scrubbed = signal(true) // the sound is heard while one goes through time
export const player = new SoundPlayer()
