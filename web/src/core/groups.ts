/** Sliders by the part of the face that they move, narrowed down by a search. */
import type { SliderInfo } from './protocol.gen'

/** From the top of the face down; groups that a file names come after these. */
const ORDER = ['brow', 'eye', 'cheek', 'nose', 'jaw', 'mouth', 'tongue', 'other'] as const

export interface Group<T> {
  name: string
  members: T[]
}

/** What belongs to sliders, by the sliders' groups. */
export function grouped<T>(all: readonly T[], infoOf: (one: T) => Pick<SliderInfo, 'group'> | undefined): Group<T>[] {
  const groups = new Map<string, T[]>(ORDER.map((name) => [name, []]))
  for (const one of all) {
    const name = infoOf(one)?.group || 'other'
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([name, members]) => ({ name, members }))
}

/** Whether all words of a search occur in a name, in any order: "smi l" finds mouthSmileLeft. */
export function matches(name: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const text = name.toLowerCase()
  return words.every((word) => text.includes(word))
}
