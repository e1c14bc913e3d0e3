/** Giving the document a sound or a picture, and fetching what it has. */
import { welcome } from '../../core/document'
import { keyed } from '../../core/key'
import { answer } from '../../core/routes'
import { busy, complain, say } from '../../core/toasts'
import { tab } from '../../core/view'
import { TAB } from './state'

export type Kind = 'sound' | 'plane'

/** Upload a file as the sound or as the picture. */
export async function give(file: File, kind: Kind): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (file.size > limit) return say(`${file.name} is larger than ${Math.round(limit / 1e6)} MB.`, 'problem')
  busy.value = `Loading ${file.name}`
  try {
    const address = `/api/upload/${kind}?name=${encodeURIComponent(file.name)}`
    await answer(await fetch(keyed(address), { method: 'POST', body: file }))
    tab.value = TAB
  } catch (problem) {
    complain(problem)
  } finally {
    busy.value = ''
  }
}

/** Files that were dropped: a sound is heard, a video is shown. */
export async function placeDropped(files: readonly File[]): Promise<void> {
  for (const file of files) await give(file, /^audio\//.test(file.type) || isSound(file.name) ? 'sound' : 'plane')
}

const isSound = (name: string) =>
  (welcome.value?.suffixes.sound ?? []).some((suffix) => name.toLowerCase().endsWith(suffix))

export async function fetched(what: 'sound' | 'plane' | 'playable', id: string): Promise<Response> {
  return answer(await fetch(keyed(`/api/reference/${what}/${id}`)))
}
