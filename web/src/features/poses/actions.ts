/** What is done with poses. */
import { poses } from '../../core/document'
import type { ApplyPose, PoseInfo } from '../../core/protocol.gen'
import { chosenName } from '../../core/regions'
import { chosen as chosenSliders } from '../../core/selection'
import { act, edit } from '../../core/server'
import { say } from '../../core/toasts'
import { additive, chosenPose, keyOf, mirrored, onlyChosen, source } from './state'
import { askName } from '../../widgets/NameDialog'

/** The sliders that are posed and kept; null: all. */
const someSliders = () => (onlyChosen.value && chosenSliders.value.length ? chosenSliders.value : null)

export const applying = (pose: PoseInfo, blend: number): ApplyPose => ({
  type: 'ApplyPose',
  name: pose.name,
  weights: pose.weights,
  blend,
  sliders: someSliders(),
  region: chosenName.value,
  mirrored: mirrored.value,
  additive: additive.value,
})

export const apply = (pose: PoseInfo, blend = 1) => edit(applying(pose, blend))

/** Keep the present pose under a free name, and choose it. */
export async function keep(): Promise<void> {
  const name = freeName('pose 1')
  const done = await edit({ type: 'KeepPose', name, sliders: someSliders(), region: chosenName.value })
  if (!done) return
  source.value = 'document'
  chosenPose.value = keyOf({ name, file: '', time: null, tags: [], weights: {}, picture: '' })
}

function freeName(wanted: string): string {
  const taken = new Set(poses.value.map(({ name }) => name))
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `pose ${number}`
  return name
}

/** Keep a pose of the folder or of the keys in the document. */
export const keepInDocument = ({ name, tags, weights }: PoseInfo) => edit({ type: 'KeepPose', name, tags, weights })

export const keepInFolder = ({ name }: PoseInfo) => act({ type: 'KeepPoseInFolder', pose: name })

export const replaceBy = ({ name, tags }: PoseInfo) =>
  edit({ type: 'KeepPose', name, tags, sliders: someSliders(), region: chosenName.value })

export async function rename({ name }: PoseInfo): Promise<void> {
  const other = await askName('Rename the pose', name)
  if (other && (await edit({ type: 'RenamePose', pose: name, name: other })))
    chosenPose.value = keyOf({ name: other, file: '', time: null, tags: [], weights: {}, picture: '' })
}

export function remove({ name, file }: PoseInfo): void {
  if (file) void act({ type: 'DeletePoseInFolder', file })
  else void edit({ type: 'DeletePose', pose: name })
}

export const setTags = ({ name }: PoseInfo, text: string) =>
  edit({
    type: 'TagPose',
    pose: name,
    tags: text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  })

/** Put a pose, or the weights that are shown, on the clipboard as text. */
export async function copy(name: string, weights: Record<string, number>, tags: string[] = []): Promise<void> {
  const text = JSON.stringify({ format: 'facewright pose', name, weights, tags }, null, 1)
  await navigator.clipboard.writeText(text).then(
    () => say(`${name} is on the clipboard as text.`),
    () => say('The browser does not let this page write to the clipboard.', 'problem'),
  )
}

/** Apply the pose that is on the clipboard. */
export async function paste(): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => null)
  if (text === null) return say('The browser does not let this page read the clipboard.', 'problem')
  void applyText(text)
}

/** Apply poses that were dropped on the page, the one called last at the end. */
export async function applyFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (await applyText(await file.text())) say(`${file.name} is applied; Shift+P keeps it in the library.`)
  }
}

/** Apply a pose that is written as JSON; the server checks what it is. */
const applyText = (text: string) =>
  edit({ type: 'PastePose', text, sliders: someSliders(), region: chosenName.value, mirrored: mirrored.value })
