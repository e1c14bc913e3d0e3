/** What can be done with regions. */
import {
  choose,
  chosenName,
  chosenNode,
  finestCount,
  hovered,
  levels,
  regions,
  setLevel,
  shownLevel,
  WHOLE,
} from '../../core/regions'
import { complain, say } from '../../core/toasts'
import { region, regionsShown, tab, threshold, tool } from '../../core/view'
import { ask, send } from '../../core/server'

/** Find regions with the threshold that is set, and show them. */
export async function findRegions(): Promise<void> {
  try {
    await ask({ type: 'FindRegions', threshold: threshold.value })
    regionsShown.value = true
  } catch (problem) {
    complain(problem)
  }
}

export function removeRegions(): void {
  send({ type: 'Edited', edit: { type: 'RemoveRegions' } })
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

/** Back to the whole face; whether there was anything to leave. */
export function leaveRegion(): boolean {
  if (tool.value === 'paint') tool.value = 'region'
  else if (chosenNode.value >= 0) region.value = WHOLE
  else if (tool.value === 'region') tool.value = 'pose'
  else return false
  hovered.value = null
  return true
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
  try {
    await ask({ type: 'RenameRegion', region: from, name: wanted })
    if (was) region.value = wanted
  } catch (problem) {
    complain(problem)
  }
}

export async function mergeWith(other: string): Promise<void> {
  await ask({ type: 'MergeRegion', region: chosenName.value, other }).catch(complain)
}

/** Cut the chosen region in two; the first half is chosen then. */
export async function splitRegion(): Promise<void> {
  const name = chosenName.value
  try {
    await ask({ type: 'SplitRegion', region: name })
    setLevel(0)
    const node = regions.value.findIndex((each) => each.name === name)
    const first = regions.value.findIndex((each) => each.parent === node)
    if (node >= 0 && first >= 0) choose(first)
  } catch (problem) {
    complain(problem)
  }
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
  if (chosenNode.value >= 0) send({ type: 'Edited', edit: { type: 'ResetWeights', region: chosenName.value } })
}
