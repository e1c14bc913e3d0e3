/** What the list of shapes shows, and what the user is deciding about. */
import { computed, effect, signal } from '@preact/signals'
import { history, shapes } from '../../../core/document'
import type { OffsetField, SplitField } from '../../../core/frames'
import type { ShapeFileInfo } from '../../../core/protocol.gen'
import { query } from '../../../core/server'
import { sliders } from '../../../core/sliders'
import { complain } from '../../../core/toasts'
import { tab } from '../../../core/view'
import { chosenShape, part, shape } from '../state'

/** Shapes that are listed: their name, group or a slider has this text. */
export const filter = signal('')

/** The shape that is to be deleted, while the user is asked about what depends on it; '': none. */
export const deleting = signal('')

/** What the user is deciding about for the chosen shape. */
export type Deciding = '' | 'symmetry' | 'split' | 'merge' | 'strength' | 'prune' | 'replace'
export const deciding = signal<Deciding>('')

export const falloff = signal(0.1) // of a split, in sizes of the face
export const tolerance = signal(-4) // of pruning: a power of 10, in sizes of the face

/** The file that shapes are taken from. */
export const shapeFile = signal<ShapeFileInfo | null>(null)
export const fileFilter = signal('')
export const fileChosen = signal<string[]>([])

export const listed = computed(() => matching(shapes.value, filter.value))

export function matching<T extends { name: string; group?: string; sliders?: readonly string[] }>(
  all: readonly T[],
  text: string,
): T[] {
  const wanted = text.trim().toLowerCase()
  return all.filter(({ name, group = '', sliders = [] }) =>
    [name, group, ...sliders].some((each) => each.toLowerCase().includes(wanted)),
  )
}

export const groups = computed(() => [...new Set(shapes.value.map(({ group }) => group))].sort())

/** A gesture is under way: pictures wait for its end. */
export const changing = computed(() => history.value.gesture !== '')

/** The sliders that are on, with their values. */
export const posedSliders = computed(() =>
  sliders.value.flatMap(({ info, weight }) => (weight.value ? [{ name: info.name, value: weight.value }] : [])),
)

export const split = signal<SplitField | null>(null)
export const offsets = signal<OffsetField | null>(null)

/** Whether the list of shapes is what the user looks at. */
export const isOpen = computed(() => tab.value === 'rig' && part.value === 'shapes')

/** Number of offsets of the chosen shape that pruning would drop, of how many. */
export const pruned = computed(() => {
  const field = offsets.value
  if (!field || field.shape !== chosenShape.value) return null
  const limit = 10 ** tolerance.value
  let [small, all] = [0, 0]
  for (const length of field.arrays.lengths) {
    if (length > 0) all += 1
    if (length > 0 && length <= limit) small += 1
  }
  return { small, all }
})

/** Ask for what the face shows while the user decides, from now on. */
export function followDecisions(): void {
  effect(() => {
    const wide = falloff.value
    if (!shape.value || !isOpen.value || deciding.value !== 'split') split.value = null
    else query({ type: 'AskSplit', shape: shape.value.name, falloff: wide }).catch(complain)
  })
  effect(() => {
    if (!shape.value || !isOpen.value || deciding.value !== 'prune') offsets.value = null
    else query({ type: 'AskOffsets', shape: shape.value.name }).catch(complain)
  })
  effect(() => {
    void chosenShape.value
    deciding.value = ''
  })
}
