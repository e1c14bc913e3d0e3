/** Puts the parts together: link, state, intents. Panels and gestures act through what is here. */
import { signal } from '@preact/signals'
import { Intents } from './intents'
import { Link, type Wish } from './link'
import { PROTOCOL, type ServerMessage } from './protocol.gen'
import type { Frame } from './frames'
import { applyBuild, progress } from '../features/build/state'
import { applyState, clipName, time, welcome } from './document'
import { playing, row, table, tableOf, type Table } from '../features/timeline/playback'
import { applyPose, before, dragging, showValues } from './pose'
import { showPosed } from './local'
import { applyRegions } from './regions'
import { fit, fitOf } from '../features/take/state'
import { busy, complain, connected, say } from './toasts'
import { restore, whenSettled } from './view'

/** Poses that were applied, and when: for measuring. */
export const applied = signal(0)

let waitingForTable: ((found: Table) => void) | null = null
let restored = false

function onMessage(message: ServerMessage): void {
  switch (message.type) {
    case 'Welcome':
      if (message.protocol !== PROTOCOL) return reloadOnce()
      welcome.value = message
      return
    case 'State':
      if (message.view && !restored) {
        restore(message.view)
        restored = true
        whenSettled((view) => link.open && tell({ type: 'Remember', view }))
      }
      return applyState(message)
    case 'Refused':
      return say(message.message, 'problem')
    case 'Notice':
      return say(message.message)
    case 'Build':
      return applyBuild(message)
    case 'BuildProgress':
      progress.value = message
      return
    case 'Busy':
      busy.value = message.doing
  }
}

function onFrame(frame: Frame): void {
  if (frame.header.type === 'Pose') {
    // While a clip plays the clock decides what is seen.
    if (!playing.value) applyPose({ header: frame.header, arrays: frame.arrays })
    applied.value += 1
  } else if (frame.header.type === 'RegionMap') {
    applyRegions({ header: frame.header, arrays: frame.arrays })
  } else if (frame.header.type === 'ClipTable') {
    table.value = tableOf({ header: frame.header, arrays: frame.arrays })
    waitingForTable?.(table.value)
    waitingForTable = null
  } else if (frame.header.type === 'TakeFitTable') {
    fit.value = fitOf({ header: frame.header, arrays: frame.arrays })
  }
}

/** A newer server has a newer page; if not, its page was not built anew, and reloading again would not help. */
function reloadOnce(): void {
  const tried = sessionStorage.getItem('facewright.reloaded')
  sessionStorage.setItem('facewright.reloaded', String(PROTOCOL))
  if (tried !== String(PROTOCOL)) location.reload()
  else say('This page is older than the server: build it anew (npm run build in web/) and reload.', 'problem')
}

/** A server that was started with another secret does not let this page in; waiting would not help. */
async function askWhetherLetIn(): Promise<void> {
  const answer = await fetch('/api/health').catch(() => null)
  if (answer?.status === 403)
    say('The server no longer knows this page: open the whole address that facewright studio printed.', 'problem')
}

function onConnection(open: boolean): void {
  const had = connected.value
  connected.value = open
  if (open && had === false) say('Connected again. All that was finished is here.')
  if (open) return
  void askWhetherLetIn()
  playing.value = false
  if (intents.lost()) say('The connection was lost in the middle of a drag, which was taken back.', 'problem')
  dragging.value = false
  before.value = null
  busy.value = ''
}

const link = new Link(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`, {
  connected: onConnection,
  message: onMessage,
  frame: onFrame,
})
const intents = new Intents(link, complain)

export const connect = () => link.connect()
export const send = intents.send
export const ask = (wish: Wish) => link.ask(wish)
export const tell = (wish: Wish) => intents.tell(wish)

/** The current clip, frame by frame. */
export function sampled(): Promise<Table> {
  return new Promise((resolve, reject) => {
    waitingForTable = resolve
    link.ask({ type: 'SampleClip', clip: clipName.value }).catch(reject)
  })
}

/** Show a moment of a clip without asking the server. */
export function showMoment(of: Table | null, at: number): void {
  time.value = at
  if (!of) return
  showPosed(row(of, of.weights, at), { spots: of.spots, added: row(of, of.local, at) })
  showValues(row(of, of.values, at))
}
