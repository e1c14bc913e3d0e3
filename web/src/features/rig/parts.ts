/** The parts of the rig's tab, of which one is open. */
import type { ComponentType } from 'preact'
import { ShapesPart } from './ShapesPart'
import { TouchPart } from './touch/TouchPart'

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
  {
    key: 'touch',
    label: 'Touch up',
    tip: 'Brushes for the chosen shape: smooth, relax, grab, erase',
    Body: TouchPart,
  },
]
