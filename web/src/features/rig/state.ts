/** What the workbench shows of the rig. */
import { computed, signal } from '@preact/signals'
import { shapes } from '../../core/document'

/** The key of the part of the tab that is open. */
export const part = signal('shapes')

/** The name of the chosen shape; '': none. */
export const chosenShape = signal('')

export const shape = computed(() => shapes.value.find(({ name }) => name === chosenShape.value) ?? null)

/** Shapes that are listed: their name, group or a slider has this text. */
export const filter = signal('')

/** The shape that is to be deleted, while the user is asked about what depends on it; '': none. */
export const deleting = signal('')
