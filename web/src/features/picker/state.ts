/** What is under the pointer, and what was picked. */
import { computed, signal } from '@preact/signals'
import { rig } from '../../core/document'
import { face } from '../../scene/current'
import { Movers, type Mover } from './movers'

export const MOST = 8 // sliders that are offered

/** The sliders under the pointer, those that move the point furthest first. */
export const under = signal<Mover[]>([])

export interface Picked {
  x: number // pixels in the view
  y: number
  sliders: readonly string[]
}

export const picked = signal<Picked | null>(null)

/** Of the rig that is shown; null where it is still on its way. */
export const movers = computed(() => {
  const [of, info] = [face.value?.data, rig.value]
  return of && info && of.rig === info.id ? new Movers(info, of.shapes, of.vertexCount) : null
})
