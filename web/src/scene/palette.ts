/** What the parts of a face are made of: the same as in facewright.render.material, so that pictures agree. */
import { Color as ThreeColor } from 'three'

export type Color = readonly [number, number, number]

export interface Surface {
  color: Color // sRGB
  shine: number
  roughness: number
  creep: Color // how far light creeps round the shaded side
  iris: boolean
}

const surface = (color: Color, shine: number, roughness: number, creep: Color = [0, 0, 0], iris = false): Surface => ({
  color,
  shine,
  roughness,
  creep,
  iris,
})

export const SKIN = surface([0.78, 0.605, 0.51], 0.85, 0.47, [0.32, 0.17, 0.12])
export const EYE = surface([0.9, 0.885, 0.87], 1.0, 0.2, [0.25, 0.2, 0.18], true)
export const TEETH = surface([0.88, 0.84, 0.77], 0.9, 0.25, [0.3, 0.25, 0.2])
export const TONGUE = surface([0.66, 0.36, 0.34], 0.9, 0.3, [0.4, 0.15, 0.12])
export const GUMS = surface([0.62, 0.36, 0.35], 0.9, 0.25, [0.4, 0.15, 0.12])
export const HAIR = surface([0.16, 0.115, 0.09], 0.35, 0.5)
export const CLOTH = surface([0.24, 0.255, 0.28], 0.1, 0.8)

// First word that occurs in a part's name decides.
const WORDS: [string, Surface][] = [
  ['lash', HAIR],
  ['brow', HAIR],
  ['hair', HAIR],
  ['beard', HAIR],
  ['gum', GUMS],
  ['tongue', TONGUE],
  ['teeth', TEETH],
  ['tooth', TEETH],
  ['lid', SKIN],
  ['socket', SKIN],
  ['eye', EYE],
  ['cloth', CLOTH],
  ['shirt', CLOTH],
]

export function surfaceNamed(part: string): Surface {
  const name = part.toLowerCase()
  return WORDS.find(([word]) => name.includes(word))?.[1] ?? SKIN
}

/** Linear light of sRGB (IEC 61966-2-1). */
export const linear = (color: Color): [number, number, number] =>
  color.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number]

/** Linear light of a colour as CSS writes it. */
export function linearOf(css: string): [number, number, number] {
  const { r, g, b } = new ThreeColor(css)
  return [r, g, b]
}
