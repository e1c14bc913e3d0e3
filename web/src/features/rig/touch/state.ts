/** How shapes are touched up. */
import { signal } from '@preact/signals'
import type { TouchUpShape } from '../../../core/protocol.gen'

export type BrushKind = TouchUpShape['kind']

export interface TouchOptions {
  kind: BrushKind
  strength: number // 0 to 1
  symmetric: boolean
}

export const touch = signal<TouchOptions>({ kind: 'smooth', strength: 0.5, symmetric: false })

export const set = (change: Partial<TouchOptions>) => {
  touch.value = { ...touch.value, ...change }
}
