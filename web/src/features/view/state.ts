/** Which parts of the face are shown. */
import { signal } from '@preact/signals'

export const hiddenParts = signal<string[]>([])
