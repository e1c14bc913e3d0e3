/** The parts of the rig's tab, of which one is open. */
import type { ComponentType } from 'preact'
import { CorrectivesPart } from './correctives/CorrectivesPart'
import { ComparePart } from './compare/ComparePart'
import { InterferencePart } from './interference/InterferencePart'
import { meetingColors } from './interference/state'
import { ruleColors } from './rules/colors'
import { RulesPart } from './rules/RulesPart'
import { shapeColors } from './shapes/colors'
import { ShapesPart } from './shapes/ShapesPart'
import { SlidersPart } from './sliders/SlidersPart'
import { TouchPart } from './touch/TouchPart'

export interface Part {
  key: string
  label: string
  tip: string
  Body: ComponentType
  /** Colours (v, 4) over the face while the part is open, as `vertexColors` has them; null: none. */
  colors?(): Float32Array | null
}

export const PARTS: readonly Part[] = [
  {
    key: 'shapes',
    label: 'Shapes',
    tip: 'The shapes of the rig: add, rename, mirror, split, delete',
    Body: ShapesPart,
    colors: shapeColors,
  },
  {
    key: 'sliders',
    label: 'Sliders',
    tip: 'The sliders of the rig: bounds, groups, order, negative ends, exclusive pairs, ties, sets',
    Body: SlidersPart,
  },
  {
    key: 'correctives',
    label: 'Correctives',
    tip: 'In-betweens and combinations: make, drive and check them',
    Body: CorrectivesPart,
  },
  {
    key: 'touch',
    label: 'Touch up',
    tip: 'Brushes for the chosen shape: smooth, relax, grab, erase',
    Body: TouchPart,
  },
  {
    key: 'rules',
    label: 'Rules',
    tip: 'What may move a part of the face, and how far it may go',
    Body: RulesPart,
    colors: ruleColors,
  },
  {
    key: 'interference',
    label: 'Interference',
    tip: 'Sliders that fight each other, and shapes that are dead, double or uneven',
    Body: InterferencePart,
    colors: meetingColors,
  },
  {
    key: 'compare',
    label: 'Compare',
    tip: 'A second rig of the same topology beside this one, shape by shape',
    Body: ComparePart,
  },
]
