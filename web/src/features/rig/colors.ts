/** The colours over the face of the part of the tab that is open. */
import { effect } from '@preact/signals'
import { tab } from '../../core/view'
import { vertexColors } from '../../scene/current'
import { PARTS } from './parts'
import { part } from './state'

export function showPartColors(): void {
  effect(() => {
    const open = tab.value === 'rig' ? PARTS.find(({ key }) => key === part.value) : undefined
    vertexColors.value = open?.colors?.() ?? null
  })
}
