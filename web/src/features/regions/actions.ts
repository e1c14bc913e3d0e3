/** What can be done with regions. */
import {
  choose,
  chosenName,
  chosenNode,
  finestCount,
  hovered,
  levels,
  region,
  regions,
  setLevel,
  shownLevel,
  WHOLE,
} from '../../core/regions'
import { edit } from '../../core/server'
import { say } from '../../core/toasts'
import { tab, tool } from '../../core/view'
import { cue, regionsShown, threshold } from './state'

/** Find regions with the threshold that is set, and show them. */
export async function findRegions(): Promise<void> {
  if (await edit({ type: 'FindRegions', threshold: threshold.value, by: cue.value })) regionsShown.value = true
}

export function removeRegions(): void {
  edit({ type: 'RemoveRegions' })
  if (tool.value === 'region' || tool.value === 'paint') tool.value = 'pose'
  region.value = WHOLE
}

/** Choose regions on the face; where there are none yet, their tab says how to find them. */
export function beginChoosing(): void {
  if (!regions.value.length) {
    tab.value = 'regions'
    return say('This face has no regions yet: find them first.')
  }
  tool.value = tool.value === 'region' ? 'pose' : 'region'
}

/** Whether there is a region or a tool of regions to leave. */
export const canLeave = () => tool.value === 'paint' || tool.value === 'region' || chosenNode.value >= 0

/** One step back to posing the whole face: from painting, from the chosen region, from choosing. */
export function leaveRegion(): void {
  if (!canLeave()) return
  if (tool.value === 'paint') tool.value = 'region'
  else if (chosenNode.value >= 0) region.value = WHOLE
  else tool.value = 'pose'
  hovered.value = null
}

/** One level finer (-1) or coarser (1). */
export function stepLevel(by: number): void {
  if (!levels.value.length) return say('This face has no regions yet: find them first.')
  setLevel(shownLevel.value + by)
}

export async function renameRegion(from: string, name: string): Promise<void> {
  const wanted = name.trim()
  if (!wanted || wanted === from) return
  const was = chosenName.value === from
  if ((await edit({ type: 'RenameRegion', region: from, name: wanted })) && was) region.value = wanted
}

export function mergeWith(other: string): void {
  void edit({ type: 'MergeRegion', region: chosenName.value, other })
}

/** Cut the chosen region in two; the first half is chosen then. */
export async function splitRegion(): Promise<void> {
  const name = chosenName.value
  if (!(await edit({ type: 'SplitRegion', region: name }))) return
  setLevel(0)
  const node = regions.value.findIndex((each) => each.name === name)
  const first = regions.value.findIndex((each) => each.parent === node)
  if (node >= 0 && first >= 0) choose(first)
}

/** Whether the chosen region is one of the finest, which alone are cut and painted. */
export const isFinest = () => chosenNode.value >= 0 && chosenNode.value < finestCount.value

export function beginPainting(): void {
  if (!isFinest())
    return say(
      chosenNode.value < 0
        ? 'Choose a region first: R, then click it.'
        : 'Only the finest regions are painted: go to the finest level and choose one.',
    )
  tool.value = tool.value === 'paint' ? 'region' : 'paint'
}

/** The chosen region like what is around it. */
export function resetRegion(): void {
  if (chosenNode.value >= 0) edit({ type: 'ResetWeights', region: chosenName.value })
}
