/** How the face is shown, and which parts of it. */
import { signal } from '@preact/signals'
import type { SymmetryMap } from '../../core/frames'
import type { LightName, SurfaceName } from '../../scene/lighting'

export const hiddenParts = signal<string[]>([])
export const light = signal<LightName>('studio')
export const surface = signal<SurfaceName>('skin')
export const symmetryShown = signal(false)
export const symmetryMap = signal<SymmetryMap | null>(null) // of the rig that was asked about
export const asymmetry = signal({ most: 0, top: 0 }) // shares of the face: of the pose, and where the colours end
