/** What can be done with correctives. */
import { history, welcome } from '../../../core/document'
import { keyed } from '../../../core/key'
import type { FactorField, FactorInfo } from '../../../core/protocol.gen'
import { answer } from '../../../core/routes'
import { edit, send } from '../../../core/server'
import { busy, complain, say } from '../../../core/toasts'
import { chosenShape } from '../state'
import { clearDraft, corrective, draft, draftName, taken, walk } from './state'

const atValues = () => Object.fromEntries(taken.value.map(({ slider, at }) => [slider, at]))

function made(name: string): void {
  chosenShape.value = name
  clearDraft()
}

/** Add the corrective that is described, empty or from the face that is shown. */
export async function make(): Promise<void> {
  const [name, { start, additive }] = [draftName.value, draft.value]
  if (await edit({ type: 'MakeCorrective', name, at: atValues(), start, additive })) made(name)
}

/** Add it from the sculpt of the pose that is shown. */
export async function makeFromSculpt(file: File): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (file.size > limit) return say(`${file.name} is larger than ${Math.round(limit / 1e6)} MB.`, 'problem')
  const name = draftName.value
  const query = new URLSearchParams([
    ['name', file.name],
    ['called', name],
    ['additive', draft.value.additive ? 'yes' : 'no'],
    ...taken.value.map(({ slider, at }) => ['at', `${slider}=${at}`]),
  ])
  busy.value = `Loading ${file.name}`
  try {
    await answer(await fetch(keyed(`/api/upload/corrective_at?${query}`), { method: 'POST', body: file }))
    made(name)
  } catch (problem) {
    complain(problem)
  } finally {
    busy.value = ''
  }
}

const fieldOf = ({ slider, at, low, high, own }: FactorInfo): FactorField => ({
  slider,
  at,
  span: own ? [low, high] : null,
})

/** Change one factor of the chosen corrective. */
export function drive(slider: string, part: Partial<FactorField>): void {
  const info = corrective.value
  if (!info) return
  const factors = info.factors.map(fieldOf).map((each) => (each.slider === slider ? { ...each, ...part } : each))
  void edit({ type: 'DriveCorrective', shape: info.name, factors })
}

/** Let another slider drive the chosen corrective, too, by its value. */
export function join(slider: string): void {
  const info = corrective.value
  if (!info || !slider) return
  const factors = [...info.factors.map(fieldOf), { slider, at: 1 }]
  void edit({ type: 'DriveCorrective', shape: info.name, factors })
}

/** Take a slider away from the chosen combination. */
export function release(slider: string): void {
  const info = corrective.value
  if (!info) return
  const factors = info.factors.map(fieldOf).filter((each) => each.slider !== slider)
  void edit({ type: 'DriveCorrective', shape: info.name, factors })
}

export const convert = (slider: string, additive: boolean) => edit({ type: 'ConvertInBetweens', slider, additive })

/** Whether the last step is that of the corner which is shown: nothing was done since. */
function isLast(): boolean {
  const { labels, at } = history.value
  return walk.value !== null && at === walk.value.step && (labels[at - 1] ?? '').startsWith(`Check ${walk.value.shape}`)
}

/** Pose the face at a corner. The step of the corner before is taken back, so that one undo ends the walk. */
export async function showCorner(shape: string, corner: number): Promise<void> {
  if (isLast()) await send({ type: 'Undo', session: 'document' })
  if (await edit({ type: 'PoseCorner', shape, corner })) walk.value = { shape, corner, step: history.value.at }
}

/** Go back to the pose before the corners, unless something was done since. */
export async function leaveCorners(): Promise<void> {
  if (isLast()) await send({ type: 'Undo', session: 'document' })
  walk.value = null
}
