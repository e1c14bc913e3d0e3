/** Regions: the face is divided, and each region can be posed for itself. */
import { posedRegions } from '../../core/local'
import { chosenName, fieldOf, hovered, level, levels, region, regions as all, shownLevel } from '../../core/regions'
import { flip } from '../../core/shortcuts'
import type { Feature } from '../feature'
import { beginChoosing, beginPainting, canLeave, leaveRegion, stepLevel } from './actions'
import { showRegions } from './colors'
import { RegionLayer } from './RegionLayer'
import './regions.css'
import { RegionsTab } from './RegionsTab'
import { regionsShown, threshold } from './state'
import { regionTools } from './tools'

const nameOf = (node: number) => all.value[node]?.name ?? ''

export const regions: Feature = {
  name: 'regions',
  tab: { key: 'regions', label: 'Regions', tip: 'Divide the face into regions and pose each for itself' },
  sections: [{ tab: 'regions', Body: RegionsTab }],
  tools: regionTools,
  layers: [RegionLayer],
  shortcuts: [
    { group: 'Regions', keys: 'R', does: 'Choose a region: click it on the face', run: beginChoosing },
    { group: 'Regions', keys: 'Escape', does: 'Leave the region', when: canLeave, run: leaveRegion },
    { group: 'Regions', keys: 'V', does: 'Colours of the regions', run: flip(regionsShown) },
    { group: 'Regions', keys: 'PageUp', does: 'Larger regions', run: () => stepLevel(1) },
    { group: 'Regions', keys: 'PageDown', does: 'Smaller regions', run: () => stepLevel(-1) },
    { group: 'Regions', keys: 'P', does: 'Paint the chosen region', run: beginPainting },
  ],
  remembered: { region, level, regionsShown, threshold },
  watched: {
    get regions() {
      return all.value.map((each) => ({ ...each }))
    },
    get region() {
      return chosenName.value
    },
    get posedRegions() {
      return posedRegions.value.map((node) => all.value[node]?.name)
    },
    get levels() {
      return levels.value.map((nodes) => nodes.map(nameOf))
    },
    get level() {
      return shownLevel.value
    },
    get hovered() {
      return hovered.value === null ? '' : nameOf(hovered.value)
    },
    /** How much of each vertex belongs to a region. */
    field(name: string) {
      return [...fieldOf(all.value.findIndex((each) => each.name === name))]
    },
  },
  start: showRegions,
}
