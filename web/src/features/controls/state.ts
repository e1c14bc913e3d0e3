import { signal } from '@preact/signals'

/** Joints of the file that is open. */
export const joints = signal<string[]>([])

export const open = signal(false) // the limits of the eyes are shown
