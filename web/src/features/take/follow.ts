/** Keeps the take's positions and figures as new as the document. */
import { effect } from '@preact/signals'
import { takeTable } from '../../core/routes'
import { clip, clipCurves, clipName, take } from '../../core/document'
import { head } from './head'
import { chosenMarker, fit, positions, positionsOf } from './state'
import { complain, connected } from '../../core/toasts'
import { headMotion, tool } from '../../core/view'
import { ask } from '../../core/server'
import { face, viewport } from '../../scene/current'

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
  followFit()
  effect(() => {
    void face.value
    viewport.value?.turn(headMotion.value ? head.value : null)
  })
}

function fetchPositions(id: string): void {
  takeTable(id)
    .then((frame) => {
      if (take.value?.id === id) positions.value = positionsOf(frame)
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
    ask({ type: 'AskFit', clip: clip.peek() ? clipName.peek() : '' })
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
