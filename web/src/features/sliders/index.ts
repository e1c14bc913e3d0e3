/** The sliders of the rig, in the panel on the left. */
import { whenAnotherOpens } from '../../core/document'
import { chosenName } from '../../core/regions'
import { chosen, forgetSelection } from '../../core/selection'
import { edit } from '../../core/server'
import { flip } from '../../core/shortcuts'
import { sliders as all } from '../../core/sliders'
import type { Feature } from '../feature'
import { MovedList } from './MovedList'
import './sliders.css'
import { SlidersPanel } from './SlidersPanel'
import { folded, linked, search } from './state'

export const sliders: Feature = {
  name: 'sliders',
  Left: SlidersPanel,
  layers: [MovedList],
  shortcuts: [
    { group: 'Sliders', keys: '/', does: 'Find a slider', run: () => document.getElementById('search')?.focus() },
    { group: 'Sliders', keys: 'Shift+L', does: 'Link left and right', run: flip(linked) },
    {
      group: 'Sliders',
      keys: 'Shift+X',
      does: 'Mirror the pose: exchange left and right',
      run: () => void edit({ type: 'MirrorPose' }),
    },
    {
      group: 'Sliders',
      keys: 'Shift+R',
      does: 'All back to 0, or to what is around the region',
      run: () => void edit({ type: 'ResetWeights', region: chosenName.value }),
    },
  ],
  deselect() {
    chosen.value = []
    search.value = ''
  },
  remembered: { linked, folded, chosen },
  start: () => whenAnotherOpens(forgetSelection),
  watched: {
    get weights() {
      return Object.fromEntries(all.value.map((slider) => [slider.info.name, slider.weight.value]))
    },
  },
}
