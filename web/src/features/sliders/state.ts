/** How the list of sliders is shown. */
import { signal } from '@preact/signals'

export const search = signal('')
export const linked = signal(false) // mirror pairs of sliders move together
export const folded = signal<string[]>([]) // groups
