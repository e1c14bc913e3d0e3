/** How textures are mixed, and what the eyes look at. */
import { signal } from '@preact/signals'
import type { DetailBy } from '../../scene/textures/detail'
import type { Mixing } from '../../scene/textures/textureSet'
import type { Gazing } from '../../scene/viewport'

export const mixing = signal<Mixing>('bands')
export const splitAt = signal(0.5) // of the viewport's width
export const detailBy = signal<DetailBy>('dominant')
export const gazing = signal<Gazing>('off')
export const gazePoint = signal<[number, number, number]>([0, 0, 0]) // in rig space

/** Pictures of which it is not known yet where they belong. */
export const offered = signal<File[]>([])
