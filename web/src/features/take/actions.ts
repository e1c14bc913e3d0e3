/** What can be done with a take besides dragging and clicking. */
import { baseName, openFile } from '../../core/files'
import { scrubTo } from '../timeline/actions'
import { stop as stopPlaying } from '../timeline/player'
import { download } from '../../core/routes'
import { solving, take } from '../../core/document'
import { regions, shownLevel } from '../../core/regions'
import { chosenMarker, liveFit, takeFrame, worstFrom } from './state'
import { complain, say } from '../../core/toasts'
import { rightOpen, solveOptions, tab, tool } from '../../core/view'
import { send, tell } from '../../core/server'

export const bindByNames = () => send({ type: 'Edited', edit: { type: 'BindByNames' } })
export const unbind = () => send({ type: 'Edited', edit: { type: 'Unbind' } })
export const removeTake = () => send({ type: 'Edited', edit: { type: 'RemoveTake' } })
export const unpair = (marker: string) => send({ type: 'Edited', edit: { type: 'UnpairMarkers', markers: [marker] } })
export const unpairAll = () => send({ type: 'Edited', edit: { type: 'UnpairMarkers' } })
export const ignore = (marker: string, ignored: boolean) =>
  send({ type: 'Edited', edit: { type: 'IgnoreMarkers', markers: [marker], ignored } })
export const restHere = () => send({ type: 'Edited', edit: { type: 'ChangeTake', neutral: takeFrame.value } })
export const findRest = () => send({ type: 'Edited', edit: { type: 'ChangeTake', neutral: -1 } })

export function solve(): void {
  if (solving.value) return
  if (!take.value) return say('Load a take of markers first.')
  if (!take.value.bound) return say('Bind the take first: by names, or by clicking where three of its markers belong.')
  const options = solveOptions.value
  tell({
    type: 'SolveTake',
    ...options,
    by_region: options.by_region && regions.value.length > 1,
    level: shownLevel.value,
  })
}

export const stopSolving = () => {
  if (solving.value) tell({ type: 'StopSolve' })
}

/** Choose a marker: the next click on the face says where it belongs. The same once more lets it go. */
export function chooseMarker(name: string): void {
  chosenMarker.value = chosenMarker.value === name ? '' : name
  if (chosenMarker.value) tool.value = 'bind'
}

export function beginBinding(): void {
  if (!take.value) return say('Load a take of markers first: .c3d, .trc or .csv.')
  tool.value = tool.value === 'bind' ? 'pose' : 'bind'
  if (tool.value !== 'bind') return
  tab.value = 'take'
  rightOpen.value = true
}

export function goToWorst(direction: 1 | -1): void {
  const [found, of] = [liveFit.value, take.value]
  const next = found && worstFrom(found.worstFrames, takeFrame.value, direction)
  if (next === null || !of) return say('Worst frames are known once a bound take has been solved.')
  stopPlaying()
  scrubTo(next / of.rate)
}

export const loadTake = (file: File) => openFile(file, 'clips')

export async function saveBinding(): Promise<void> {
  try {
    await download('/api/export/json', `${take.value?.name ?? baseName()}-binding.json`)
  } catch (problem) {
    complain(problem)
  }
}
