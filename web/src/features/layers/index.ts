/** Layers over the current clip: which one is posed and keyed, how much each counts, and in what order. */
import { layerName, layers as all } from '../../core/document'
import type { Feature } from '../feature'
import { stepLayer } from './actions'
import './layers.css'
import { LayersSection } from './LayersSection'

export const layers: Feature = {
  name: 'layers',
  tab: { key: 'clip', label: 'Clip', tip: 'Layers over the clip: changes that leave its keys as they are' },
  sections: [{ tab: 'clip', Body: LayersSection }],
  shortcuts: [
    { group: 'Time', keys: 'Alt+ArrowUp', does: 'Pose and key the layer above', run: () => stepLayer(1) },
    { group: 'Time', keys: 'Alt+ArrowDown', does: 'Pose and key the layer below', run: () => stepLayer(-1) },
  ],
  watched: {
    get layers() {
      return all.value.map((each) => ({ ...each }))
    },
    get layer() {
      return layerName.value
    },
  },
}
