/** Sliders by the part of the face that they move, narrowed down by a search. */
import type { Slider } from './sliders'

export const ORDER = ['brow', 'eye', 'cheek', 'nose', 'jaw', 'mouth', 'tongue', 'other'] as const

export interface Group {
  name: string
  sliders: Slider[]
}

export function grouped(sliders: Slider[]): Group[] {
  const names = [...new Set([...ORDER, ...sliders.map((slider) => slider.info.group)])]
  return names
    .map((name) => ({ name, sliders: sliders.filter((slider) => slider.info.group === name) }))
    .filter((group) => group.sliders.length > 0)
}

/** Whether all words of a search occur in a name, in any order: "smi l" finds mouthSmileLeft. */
export function matches(name: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = name.toLowerCase()
  return words.every((word) => text.includes(word))
}
