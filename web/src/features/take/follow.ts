/** Keeps the markers' positions and the fit of the clip up to date with the document. */
import { effect } from '@preact/signals'
import { posedNeck } from '../../core/controls'
import { clip, clipCurves, clipName, take } from '../../core/document'
import { opened } from '../../core/files'
import { fetchFrame } from '../../core/routes'
import { query } from '../../core/server'
import { complain, connected } from '../../core/toasts'
import { tool } from '../../core/view'
import { face, viewport } from '../../scene/current'
import { showTake } from './actions'
import { shownHead } from './head'
import { chosenMarker, fit, positions } from './state'

const WAIT = 120 // ms after the last change

export function followTake(): void {
  effect(() => {
    const id = take.value?.id ?? ''
    if (!id) {
      positions.value = null
      chosenMarker.value = ''
      if (tool.peek() === 'bind') tool.value = 'pose'
    } else if (positions.peek()?.take !== id) fetchPositions(id)
  })
  effect(() => {
    if (opened.value?.brings === 'take') showTake()
  })
  followFit()
  effect(() => {
    void face.value
    viewport.value?.turn(shownHead.value, posedNeck.value)
  })
}

function fetchPositions(id: string): void {
  fetchFrame('TakeTable', `/api/take/${encodeURIComponent(id)}`)
    .then((frame) => {
      if (take.value?.id === id) positions.value = frame
    })
    .catch((problem: unknown) => {
      if (take.value?.id === id) complain(problem)
    })
}

/** Ask how near the clip comes to the take whenever either is another; of many changes only the last. */
function followFit(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false
  let again = false
  const go = () => {
    if (asking) {
      again = true
      return
    }
    asking = true
    again = false
    query({ type: 'AskFit', clip: clip.peek() ? clipName.peek() : '' })
      .catch(() => undefined) // the clip is gone again, or the server; the next change asks anew
      .finally(() => {
        asking = false
        if (again) go()
      })
  }
  effect(() => {
    void clipCurves.value
    clearTimeout(timer)
    if (!take.value?.bound) fit.value = null
    else if (connected.value) timer = setTimeout(go, WAIT)
  })
}
