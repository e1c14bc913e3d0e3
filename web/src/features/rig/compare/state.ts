/** The rig beside a second one, as the server last sent it, and what of both is shown. */
import { computed, signal } from '@preact/signals'
import type { ComparedFaces } from '../../../core/frames'
import type { ComparedShape, ComparisonInfo } from '../../../core/protocol.gen'
import { tab } from '../../../core/view'
import { roundUp } from '../../../scene/stage/heat'
import { part } from '../state'

export const KEY = 'compare'
const SAME = 1e-6 // shapes that differ less are the same, but for rounding

export const comparison = signal<ComparisonInfo | null>(null)

/** The names of the shape that both faces have, in each rig; null: both are in the present pose. */
export const chosenShapes = signal<{ name: string; other: string } | null>(null)
export const faces = signal<ComparedFaces | null>(null)
export const looks = signal({ layout: 'beside' as 'beside' | 'split', divider: 0.5, colors: true, oneScale: false })
export const listing = signal({ by: 'distance' as 'distance' | 'order', differing: true })

/** Whether both faces are shown in place of the one. */
export const isShown = computed(
  () => tab.value === 'rig' && part.value === KEY && comparison.value !== null && !comparison.value.obstacle,
)

/** Shapes as they are listed: those that differ, or all; the furthest first, or in the rig's order. */
export function listed(shapes: readonly ComparedShape[], { by, differing }: typeof listing.value): ComparedShape[] {
  const some = shapes.filter(({ distance, driven_alike }) => !differing || distance > SAME || !driven_alike)
  return by === 'order' ? some : [...some].sort((a, b) => b.distance - a.distance)
}

/** How many shapes of both rigs are the same. */
export const sameCount = (shapes: readonly ComparedShape[]) => shapes.filter(({ distance }) => distance <= SAME).length

/** The end of the heat map's scale in scene units, a round number: of the shape that is shown, or of all. */
export const heatHigh = computed(() => {
  const own = faces.value?.arrays.distances ?? new Float32Array(0)
  const all = comparison.value?.shapes.map(({ furthest }) => furthest) ?? []
  const most = looks.value.oneScale ? Math.max(0, ...all) : own.reduce((a, b) => Math.max(a, b), 0)
  return roundUp(most)
})

export const isChosen = ({ name, other }: ComparedShape) =>
  chosenShapes.value?.name === name && chosenShapes.value.other === other
