/** What can be done with a take besides dragging and clicking. */
import { solving, take } from '../../core/document'
import { baseName, openFile } from '../../core/files'
import { regions, shownLevel } from '../../core/regions'
import { download } from '../../core/routes'
import { act, edit } from '../../core/server'
import { scrubTo, stopPlaying, takeFrame } from '../../core/time'
import { complain, say } from '../../core/toasts'
import { openPanel } from '../../core/panels'
import { tab, tool } from '../../core/view'
import { chosenMarker, liveFit, markersShown, solveOptions, worstFrom } from './state'

export const bindByNames = () => edit({ type: 'BindByNames' })
export const unbind = () => edit({ type: 'Unbind' })
export const removeTake = () => edit({ type: 'RemoveTake' })
export const unpair = (marker: string) => edit({ type: 'UnpairMarkers', markers: [marker] })
export const unpairAll = () => edit({ type: 'UnpairMarkers' })
export const ignore = (marker: string, ignored: boolean) => edit({ type: 'IgnoreMarkers', markers: [marker], ignored })
export const restHere = () => edit({ type: 'ChangeTake', neutral: [takeFrame.value] })
export const findRest = () => edit({ type: 'ChangeTake', neutral: [] })

/** The frame that is shown is one of those at rest, or none of them any more. */
export function toggleRestHere(): void {
  const frames = take.value?.neutral ?? []
  const here = takeFrame.value
  edit({ type: 'ChangeTake', neutral: frames.includes(here) ? frames.filter((at) => at !== here) : [...frames, here] })
}

export const restPose = (rest_pose: 'neutral' | 'solved' | 'shown') => edit({ type: 'ChangeTake', rest_pose })

export function solve(): void {
  if (solving.value) return
  if (!take.value) return say('Load a take of markers first.')
  if (!take.value.bound) return say('Bind the take first: by names, or by clicking where three of its markers belong.')
  const options = solveOptions.value
  act({
    type: 'SolveTake',
    ...options,
    by_region: options.by_region && regions.value.length > 1,
    level: shownLevel.value,
  })
}

export const stopSolving = () => {
  if (solving.value) act({ type: 'StopSolve' })
}

/** Choose a marker: the next click on the face says where it belongs. The same once more lets it go. */
export function chooseMarker(name: string): void {
  chosenMarker.value = chosenMarker.value === name ? '' : name
  if (chosenMarker.value) tool.value = 'bind'
}

/** Open the tab of the take, with its markers over the face. */
export function showTake(): void {
  tab.value = 'take'
  openPanel('right')
  markersShown.value = true
}

export function beginBinding(): void {
  if (!take.value) return say('Load a take of markers first: .c3d, .trc or .csv.')
  tool.value = tool.value === 'bind' ? 'pose' : 'bind'
  if (tool.value !== 'bind') return
  tab.value = 'take'
  openPanel('right')
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
