/** How pins are dragged. */
import { signal } from '@preact/signals'

export const symmetric = signal(false) // mirrored points move alike
