/** What the core does with messages and frames: the document, its pose, its regions, notices. */
import { signal } from '@preact/signals'
import { applyCurves, applyState, welcome } from './document'
import { applyPose } from './pose'
import { PROTOCOL } from './protocol.gen'
import { applyRegions } from './regions'
import { restore, snapshot, whenSettled, type Remembered } from './remember'
import { act, type Receiver } from './server'
import { playing } from './time'
import { busy, connected, say, trouble } from './toasts'

/** Poses that came, for measuring. */
export const applied = signal(0)

/** Have the server keep how the user looks at the work. */
function tellView(view: Record<string, unknown>): void {
  if (connected.peek()) void act({ type: 'Remember', view })
}

/** `remembered` are the signals that come back when the page is opened again; `remember` has them kept. */
export function coreReceiver(remembered: Remembered, remember = tellView): Receiver {
  let restored = false
  let wasLost = false // the connection, and with it perhaps what was to be remembered
  return {
    messages: {
      Welcome(message) {
        if (message.protocol !== PROTOCOL) reloadOnce()
        else welcome.value = message
      },
      State(message) {
        if (message.view && !restored) {
          restored = true
          restore(remembered, message.view)
          whenSettled(remembered, remember)
        } else if (message.view && wasLost) remember(snapshot(remembered))
        wasLost = false
        applyState(message)
      },
      Refused: ({ message }) => say(message, 'problem'),
      Notice: ({ message }) => say(message),
      Trouble({ message }) {
        trouble.value = message
      },
      Busy({ doing }) {
        busy.value = doing
      },
    },
    frames: {
      Pose(frame) {
        // While a clip plays the clock decides what is seen.
        if (!playing.value) applyPose(frame)
        applied.value += 1
      },
      CurveKeys: applyCurves,
      RegionMap: applyRegions,
    },
    disconnected() {
      wasLost = true
      playing.value = false
      trouble.value = '' // a server with trouble says so again when it greets this page
    },
  }
}

/** A newer server has a newer page. If reloading did not help, the page was not built again, and the user must do it. */
function reloadOnce(): void {
  const tried = sessionStorage.getItem('facewright.reloaded')
  sessionStorage.setItem('facewright.reloaded', String(PROTOCOL))
  if (tried !== String(PROTOCOL)) location.reload()
  else say('This page is older than the server: build it anew (npm run build in web/) and reload.', 'problem')
}
