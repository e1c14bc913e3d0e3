/** What can be done with a sequence. */
import { scan, tracking } from '../../core/document'
import { openSequence } from '../../core/files'
import { openPanel } from '../../core/panels'
import { act, edit } from '../../core/server'
import { scrubTo, stopPlaying } from '../../core/time'
import { say } from '../../core/toasts'
import { tab } from '../../core/view'
import { cloudShown, residuals, scanFrame, times, trackOptions } from './state'

export const removeScan = () => edit({ type: 'RemoveScan' })

export function track(): void {
  if (tracking.value) return
  if (!scan.value) return say('Load a depth or scan sequence first.')
  const { own_face, keys } = trackOptions.value
  act({ type: 'TrackScan', own_face: own_face && scan.value.rest.length > 0, keys })
}

export const stopTracking = () => {
  if (tracking.value) act({ type: 'StopTrack' })
}

/** The frame that is shown is one of those at rest, or none of them any more. */
export function toggleRest(): void {
  const [rest, here] = [scan.value?.rest ?? [], scanFrame.value]
  if (here < 0) return
  edit({ type: 'ChangeScan', rest: rest.includes(here) ? rest.filter((at) => at !== here) : [...rest, here] })
}

/** Open the tab with the sequence, and show its cloud. */
export function showScan(): void {
  tab.value = 'take'
  openPanel('right')
  cloudShown.value = true
  requestAnimationFrame(() => document.getElementById('scan-section')?.scrollIntoView())
}

export function goToWorst(direction: 1 | -1): void {
  const [found, at] = [residuals.value, times.value]
  if (!found?.worstFrames.length || !at) return
  const sorted = [...found.worstFrames].sort((a, b) => a - b)
  const here = scanFrame.value
  const next = direction > 0 ? sorted.find((each) => each > here) : sorted.findLast((each) => each < here)
  stopPlaying()
  scrubTo(at[next ?? sorted[direction > 0 ? 0 : sorted.length - 1]])
}

/** Load a file, or the files of a folder. */
export function load(files: readonly File[]): void {
  if (!files.length) return
  const path = files[0].webkitRelativePath
  const name = path ? path.split('/')[0] : files.length > 1 ? 'scan' : files[0].name
  const known = files.filter((file) => /\.(png|ply|obj|json|npz|zip)$/i.test(file.name) && !file.name.startsWith('.'))
  if (!known.length) return say('There are no depth images (.png) and no scans (.ply, .obj) in this folder.', 'problem')
  void openSequence(
    name,
    known.map((file) => ({ file, path: file.name })),
  )
}
