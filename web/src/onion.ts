/** The poses of the keys before and after, as ghosts. */
import { effect, signal } from '@preact/signals'
import { clip, clipCurves } from './state/document'
import { nextKey, previousKey } from './state/keytimes'
import { playing, row, type Table } from './state/playback'
import { onion } from './state/view'
import { sampled } from './studio'
import { face, viewport } from './view'

const neighbours = signal<Table | null>(null)

export function showOnion(): void {
  effect(() => {
    void clipCurves.value // the keys changed
    neighbours.value = null
    if (onion.value && clip.value && !playing.value) sampled().then((table) => { neighbours.value = table }, () => undefined)
  })
  effect(() => {
    const [table, own] = [neighbours.value, face.value]
    const at = (time: number | null) => (table && time !== null && onion.value && !playing.value ? row(table, table.values, time) : null)
    own?.show('before', at(previousKey.value))
    own?.show('after', at(nextKey.value))
    viewport.value?.ask()
  })
}
