/** Regions on the face: their colours, the chosen one's border, the one under the pointer. */
import { effect } from '@preact/signals'
import { chosenNode, fieldOf, hovered, pathOf, regions, shares, shownNodes } from '../../core/regions'
import { tab, tool } from '../../core/view'
import { face, symmetryColors, vertexColors, viewport } from '../../scene/current'
import { linearOf } from '../../scene/palette'
import { regionsShown } from './state'

const HIDES = 0.66 // how much of the skin its region's colour hides
const CLEAR = 6 // colours mix near borders, less than the shares do: that draws a border between vertices

/** Whether regions are shown: only while the user works with them. */
const areSeen = () =>
  regionsShown.value && (tab.value === 'regions' || tool.value === 'region' || tool.value === 'paint')

export function showRegions(): void {
  effect(() => {
    const [own, where, of] = [face.value, viewport.value, shares.value]
    if (own) where?.divide(of)
  })
  effect(() => {
    const [own, of, seen, over] = [face.value, shares.value, areSeen(), vertexColors.value ?? symmetryColors.value]
    own?.paint(over ?? (of && own.shares && seen ? colors() : null))
    viewport.value?.ask()
  })
  effect(() => {
    const [own, of, at, over] = [face.value, shares.value, chosenNode.value, hovered.value]
    if (!own) return
    const known = of !== null && own.shares !== null
    own.pick(known && at >= 0 ? fieldOf(at) : null, known && over !== null && over !== at ? fieldOf(over) : null)
    viewport.value?.ask()
  })
}

/** Colours (v, 4) of the regions of the shown level, linear. */
function colors(): Float32Array {
  const { starts, region, share } = shares.value!
  const there = new Set(shownNodes.value)
  const all = regions.value
  // Of each of the finest: the colour of the region that contains it.
  const linear = all.map((_, leaf) => linearOf(all[pathOf(leaf).find((node) => there.has(node)) ?? leaf].color))
  const made = new Float32Array(4 * (starts.length - 1))
  for (let i = 0; i + 1 < starts.length; i++) {
    let sum = 0
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const by = share[k] ** CLEAR
      sum += by
      for (let c = 0; c < 3; c++) made[4 * i + c] += by * linear[region[k]][c]
    }
    for (let c = 0; c < 3; c++) made[4 * i + c] /= sum || 1
    made[4 * i + 3] = HIDES
  }
  return made
}
