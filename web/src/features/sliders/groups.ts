/** Sliders by the part of the face that they move, narrowed down by a search. */
import type { Slider } from '../../core/sliders'

const ORDER = ['brow', 'eye', 'cheek', 'nose', 'jaw', 'mouth', 'tongue', 'other'] as const

/** Words that tell the group where the file does not; the first that occurs decides. */
const WORDS: [RegExp, string][] = [
  [/brow/i, 'brow'],
  [/eye|lid|blink|pupil|gaze|squint/i, 'eye'],
  [/cheek/i, 'cheek'],
  [/nose|nostril|sneer/i, 'nose'],
  [/jaw|chin/i, 'jaw'],
  [/tongue/i, 'tongue'],
  [/mouth|lip|smile|frown|viseme|pucker|dimple/i, 'mouth'],
]

export function groupOf({ name, group }: { name: string; group: string }): string {
  if (group && group !== 'other') return group
  return WORDS.find(([word]) => word.test(name))?.[1] ?? 'other'
}

export interface Group {
  name: string
  sliders: Slider[]
}

export function grouped(sliders: Slider[]): Group[] {
  const names = [...new Set([...ORDER, ...sliders.map((slider) => groupOf(slider.info))])]
  return names
    .map((name) => ({ name, sliders: sliders.filter((slider) => groupOf(slider.info) === name) }))
    .filter((group) => group.sliders.length > 0)
}

/** Whether all words of a search occur in a name, in any order: "smi l" finds mouthSmileLeft. */
export function matches(name: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = name.toLowerCase()
  return words.every((word) => text.includes(word))
}
