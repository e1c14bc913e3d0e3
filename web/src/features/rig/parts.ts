/** The parts of the rig's tab, of which one is open. */
import type { ComponentType } from 'preact'
import { ShapesPart } from './ShapesPart'

export interface Part {
  key: string
  label: string
  tip: string
  Body: ComponentType
}

export const PARTS: readonly Part[] = [
  {
    key: 'shapes',
    label: 'Shapes',
    tip: 'The shapes of the rig: add, rename, mirror, split, delete',
    Body: ShapesPart,
  },
]
