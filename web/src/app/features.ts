/** All features of the page. Their order is that of tabs, tools and shortcuts; the layers of the first lie on top. */
import { build } from '../features/build'
import { expressions } from '../features/expressions'
import type { Feature } from '../features/feature'
import { file } from '../features/file'
import { held } from '../features/held'
import { help } from '../features/help'
import { controls } from '../features/controls'
import { history } from '../features/history'
import { layers } from '../features/layers'
import { live } from '../features/live'
import { picker } from '../features/picker'
import { pose } from '../features/pose'
import { reference } from '../features/reference'
import { poses } from '../features/poses'
import { regions } from '../features/regions'
import { rig } from '../features/rig'
import { compare } from '../features/rig/compare'
import { interference } from '../features/rig/interference'
import { rules } from '../features/rig/rules'
import { scan } from '../features/scan'
import { sliders } from '../features/sliders'
import { take } from '../features/take'
import { textures } from '../features/textures'
import { timeline } from '../features/timeline'
import { view } from '../features/view'

export const FEATURES: readonly Feature[] = [
  history,
  file,
  help,
  pose,
  held,
  poses,
  expressions,
  layers,
  controls,
  picker,
  regions,
  take,
  scan,
  live,
  textures,
  reference,
  rig,
  rules,
  interference,
  compare,
  build,
  sliders,
  timeline,
  view,
]
