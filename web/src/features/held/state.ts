/** How points are chosen to be held. */
import { signal } from '@preact/signals'

export const holdAxes = signal('xyz')
