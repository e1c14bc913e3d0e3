/** Starts the page: registers what the features bring, begins their effects, connects to the server. */
import { keyed } from '../core/key'
import { followChosenRegion } from '../core/local'
import { followWidth } from '../core/panels'
import { coreReceiver } from '../core/receive'
import type { Remembered } from '../core/remember'
import { connect } from '../core/server'
import { leaveClickedButtons, listenToKeys, pointerHints, shortcuts, type Shortcut } from '../core/shortcuts'
import { histories } from '../core/undo'
import { remembered as view } from '../core/view'
import { followCharacter, followPose, followRig } from '../scene/current'
import { isDialogOpen } from './App'
import { FEATURES } from './features'
import { stageShown } from './tabs'
import { watch } from './watch'

const deselect: Shortcut = {
  group: 'Work',
  keys: 'Escape',
  does: 'Cancel a drag, select nothing',
  run: () => FEATURES.forEach((feature) => feature.deselect?.()),
}

/** Shortcuts that a stage leaves: the document behind it is not to be touched. */
const ON_STAGE = ['Work', 'View']

function register(): void {
  const all = FEATURES.flatMap((feature) => feature.shortcuts ?? [])
  const lastOfWork = all.findLastIndex(({ group }) => group === 'Work') + 1
  shortcuts.value = all.toSpliced(lastOfWork, 0, deselect)
  pointerHints.value = FEATURES.flatMap((feature) => feature.pointers ?? [])
  histories.value = FEATURES.flatMap((feature) => feature.history ?? [])
}

export function start(): void {
  register()
  followWidth()
  followChosenRegion()
  followRig()
  followCharacter()
  followPose()
  for (const feature of FEATURES) feature.start?.()
  leaveClickedButtons()
  listenToKeys(({ group }) => !isDialogOpen() && (!stageShown.value || ON_STAGE.includes(group)))
  const remembered: Remembered = Object.assign({}, view, ...FEATURES.map((feature) => feature.remembered ?? {}))
  const address = keyed(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`)
  connect(address, [coreReceiver(remembered), ...FEATURES])
  watch(FEATURES, remembered)
}
