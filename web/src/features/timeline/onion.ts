/** The poses of the keys before and after, as ghosts. */
import { effect, signal } from '@preact/signals'
import { clip, clipCurves } from '../../core/document'
import { nextKey, previousKey } from '../../core/keytimes'
import { playing, row, type Table } from './playback'
import { onion } from '../../core/view'
import { sampled } from '../../core/server'
import { face, viewport } from '../../scene/current'

const neighbours = signal<Table | null>(null)

export function showOnion(): void {
  effect(() => {
    void clipCurves.value // the keys changed
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
      table && time !== null && onion.value && !playing.value ? row(table, table.values, time) : null
    own?.show('before', at(previousKey.value))
    own?.show('after', at(nextKey.value))
    viewport.value?.ask()
  })
}
