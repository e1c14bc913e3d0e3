/** What can be done with the sliders of the rig. */
import { rig } from '../../../core/document'
import { keyed } from '../../../core/key'
import { answer } from '../../../core/routes'
import { chosen } from '../../../core/selection'
import { edit } from '../../../core/server'
import { placeBefore, type Way } from './order'
import { proposals, type Proposals } from './state'

const names = () => (rig.value?.sliders ?? []).map(({ name }) => name)

/** Rename a slider; it stays selected. False: it has the name that it had. */
export async function renameSlider(slider: string, to: string): Promise<boolean> {
  const name = to.trim()
  const done = name !== '' && name !== slider && (await edit({ type: 'RenameSlider', slider, name }))
  if (done) chosen.value = [name]
  return done
}

export function moveSliders(sliders: string[], way: Way): void {
  const before = placeBefore(names(), sliders, way)
  if (before !== null) void edit({ type: 'MoveSliders', sliders, before })
}

/** Make two sliders the ends of one, which is selected then. */
export async function joinSliders(negative: string, positive: string, name: string): Promise<void> {
  if (await edit({ type: 'JoinSliders', negative, positive, name })) chosen.value = [name]
}

/** Make two sliders of one; they are selected then. */
export async function partSlider(slider: string): Promise<void> {
  const before = new Set(names())
  if (await edit({ type: 'PartSlider', slider })) chosen.value = names().filter((name) => !before.has(name))
}

/** Ask what the names and motions of the rig's sliders propose; without an answer, nothing is proposed. */
export async function fetchProposals(): Promise<void> {
  try {
    const found = (await (await answer(await fetch(keyed('/api/proposals')))).json()) as Proposals
    if (found.rig === rig.value?.id) proposals.value = found // otherwise they are asked for again
  } catch {
    proposals.value = { rig: '', exclusive: [], ties: [] }
  }
}
