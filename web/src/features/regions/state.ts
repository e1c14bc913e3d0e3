/** How regions are found and shown. */
import { signal } from '@preact/signals'

export const regionsShown = signal(true)
export const threshold = signal(0.75) // with which regions are found
