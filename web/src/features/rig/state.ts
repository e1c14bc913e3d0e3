/** What the parts of the workbench share. */
import { computed, signal } from '@preact/signals'
import { shapes } from '../../core/document'

/** The key of the part of the tab that is open. */
export const part = signal('shapes')

/** The name of the chosen shape; '': none. */
export const chosenShape = signal('')

export const shape = computed(() => shapes.value.find(({ name }) => name === chosenShape.value) ?? null)
