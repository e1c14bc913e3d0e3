/** Which poses are listed, which one is chosen, and how it is applied. */
import { computed, signal } from '@preact/signals'
import { folderPoses, keyPoses, poses } from '../../core/document'
import { matches } from '../../core/groups'
import type { PoseInfo } from '../../core/protocol.gen'

export type Source = 'document' | 'folder' | 'keys'

export const source = signal<Source>('document')
export const search = signal('')
export const chosenPose = signal('') // the key of one, see `keyOf`
export const mirrored = signal(false)
export const additive = signal(false)
export const onlyChosen = signal(false) // of the sliders

export const keyOf = ({ name, file, time }: PoseInfo) => `${file}\n${time ?? ''}\n${name}`

export const listed = computed<PoseInfo[]>(
  () => ({ document: poses.value, folder: folderPoses.value, keys: keyPoses.value })[source.value],
)

/** Those whose name or tags have all words of the search. */
export const found = computed(() =>
  listed.value.filter((pose) => matches([pose.name, ...pose.tags].join(' '), search.value)),
)

export const chosen = computed(() => found.value.find((pose) => keyOf(pose) === chosenPose.value) ?? null)
