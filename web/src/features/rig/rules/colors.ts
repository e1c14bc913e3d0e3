/** The points of rules on the face: those of the chosen rule bright, those of others faint, those that go too far red. */
import { rig } from '../../../core/document'
import { linearOf } from '../../../scene/palette'
import { chosenRule, rules } from './state'

const [OTHER, CHOSEN, BROKEN] = [linearOf('#6f8fb5'), linearOf('#63b3ff'), linearOf('#ff4d3d')]
const [FAINT, CLEAR, FULL] = [0.35, 0.6, 0.95] // how much of the skin the colours hide
const FAR = 0.02 // of the face's size: points that go so far beyond a rule have the full red

/** Colours (v, 4) of all points that rules are about; null: there are none. */
export function ruleColors(): Float32Array | null {
  const count = rig.value?.vertices ?? 0
  const listed = rules.value.filter(({ vertices }) => vertices.every((vertex) => vertex < count))
  if (!listed.length) return null
  const made = new Float32Array(4 * count)
  const put = (vertex: number, color: readonly number[], hides: number) => made.set([...color, hides], 4 * vertex)
  // The chosen one lies over the others, and what is broken over all.
  for (const { name, vertices } of [...listed].sort((a, b) => Number(isChosen(a)) - Number(isChosen(b))))
    for (const vertex of vertices)
      put(vertex, name === chosenRule.value ? CHOSEN : OTHER, name === chosenRule.value ? CLEAR : FAINT)
  for (const { vertices, excess } of listed)
    vertices.forEach((vertex, k) => {
      if (excess[k] > 0) put(vertex, BROKEN, CLEAR + (FULL - CLEAR) * Math.min(excess[k] / FAR, 1))
    })
  return made
}

const isChosen = ({ name }: { name: string }) => name === chosenRule.value
