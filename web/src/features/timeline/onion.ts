/** The poses of the keys before and after, as ghosts. */
import { effect, signal } from '@preact/signals'
import { clip, clipCurves, layers } from '../../core/document'
import type { ClipTable } from '../../core/frames'
import { playing } from '../../core/time'
import { face, viewport } from '../../scene/current'
import { nextKey, previousKey } from './keytimes'
import { row } from '../../core/playing'
import { sampled } from './playback'
import { onion } from './state'

const neighbours = signal<ClipTable | null>(null)

export function showOnion(): void {
  effect(() => {
    void clipCurves.value // the keys changed
    void layers.value
    neighbours.value = null
    if (onion.value && clip.value && !playing.value)
      sampled().then(
        (table) => {
          neighbours.value = table
        },
        () => undefined,
      )
  })
  effect(() => {
    const [table, own] = [neighbours.value, face.value]
    const at = (time: number | null) =>
      table && time !== null && onion.value && !playing.value ? row(table.arrays, table.arrays.values, time) : null
    own?.show('before', at(previousKey.value))
    own?.show('after', at(nextKey.value))
    viewport.value?.ask()
  })
}
