/** How textures are mixed. */
import { signal } from '@preact/signals'
import type { DetailBy } from '../../scene/textures/detail'
import type { Mixing } from '../../scene/textures/textureSet'

export const mixing = signal<Mixing>('bands')
export const splitAt = signal(0.5) // of the viewport's width
export const detailBy = signal<DetailBy>('dominant')

/** Pictures of which it is not known yet where they belong. */
export const offered = signal<File[]>([])
