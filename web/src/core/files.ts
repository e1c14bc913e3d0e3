/** Opening, saving and exporting. */
import { effect, signal } from '@preact/signals'
import { clipName, file, film, rigId, take, welcome } from './document'
import type { DrawFilm, RecognisedFile, Uploaded } from './protocol.gen'
import { Refusal } from './link'
import { download, recognised, upload, uploadFolder, type FolderFile, type How } from './routes'
import { act, ask } from './server'
import { busy, complain, say } from './toasts'

/** Suffixes of files that may hold some kinds of things, as the server tells them. */
export const suffixesOf = (...kinds: NonNullable<RecognisedFile['kind']>[]) =>
  kinds.flatMap((kind) => welcome.value?.suffixes[kind] ?? [])

/** Suffixes of what may hold a take or a clip, for a file input. */
export const takeSuffixes = () => suffixesOf('take', 'clip', 'rig')

/** What the last file that was opened held; a new object each time. */
export const opened = signal<{ brings: Uploaded['brings'] } | null>(null)

/** A name for a download: that of the document, which has no suffix. */
export const baseName = () => file.value.name || 'face'

async function doing<T>(what: string, work: () => Promise<T>): Promise<T | null> {
  busy.value = what
  try {
    return await work()
  } catch (problem) {
    complain(problem)
    return null
  } finally {
    busy.value = ''
  }
}

export async function openFile(chosen: File, how: How): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (chosen.size > limit) {
    return say(
      `${chosen.name} is larger than ${Math.round(limit / 1e6)} MB; start facewright studio with its path instead.`,
      'problem',
    )
  }
  const done = await doing(`Opening ${chosen.name}`, async () => {
    const { problem, known } = await recognised(chosen)
    if (!problem) return upload(chosen, how)
    say(problem, 'problem', known)
    return null
  })
  if (done) opened.value = { brings: done.brings }
  if (done?.brings === 'prior') say(`Natural faces go by ${chosen.name} now.`)
  else if (done?.brings === 'face' && how !== 'clips') say(`Opened ${chosen.name}.`)
  else if (done && done.brings !== 'binding' && done.brings !== 'take' && done.brings !== 'scan')
    say(`Loaded the clips of ${chosen.name}.`)
}

/** Open the OBJ files of a folder, or several that came together, as one rig. */
export async function openFolder(name: string, files: readonly FolderFile[], how: How): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (files.reduce((sum, { file }) => sum + file.size, 0) > limit) {
    return say(
      `${name} is larger than ${Math.round(limit / 1e6)} MB; start facewright studio with its path instead.`,
      'problem',
    )
  }
  const done = await doing(`Opening ${name}`, () => uploadFolder(name, files, how))
  if (!done) return
  opened.value = { brings: done.brings }
  say(`Opened ${name}: ${files.filter(({ path }) => isObj(path)).length} OBJ files as one rig.`)
}

/** Load a depth or scan sequence: a file, or the files of a folder. */
export async function openSequence(name: string, files: readonly FolderFile[]): Promise<void> {
  const limit = welcome.value?.upload_limit ?? Infinity
  if (files.reduce((sum, { file }) => sum + file.size, 0) > limit)
    return say(`${name} is larger than ${Math.round(limit / 1e6)} MB; cut it, or use facewright track.`, 'problem')
  const single = files.length === 1 && isPacked(files[0].path)
  const done = await doing(`Opening ${name}`, () =>
    single ? upload(files[0].file, 'new', true) : uploadFolder(name, files, 'new', true),
  )
  if (done) opened.value = { brings: done.brings }
}

const isPacked = (path: string) => /\.(npz|zip|ply)$/i.test(path)

export const isObj = (path: string) => path.toLowerCase().endsWith('.obj')

export async function openSample(person: string, shapes: string, how: How): Promise<void> {
  await doing('Opening a sample', () => ask({ type: 'OpenSample', person, shapes, how }))
}

export async function openPath(path: string, how: How): Promise<void> {
  const before = { rig: rigId.peek(), take: take.peek()?.id }
  await doing(`Opening ${path}`, () => ask({ type: 'OpenPath', path, how }))
  const now = { rig: rigId.peek(), take: take.peek()?.id }
  if (now.rig === before.rig && now.take && now.take !== before.take) opened.value = { brings: 'take' }
}

/** A file that another program has written where the work would be saved; no path: where it belongs. */
export interface Conflict {
  path?: string
  message: string
}

/** The conflict that the user is asked about. */
export const conflict = signal<Conflict | null>(null)

/** Save where it belongs; a download where it belongs nowhere. */
export async function save(replace = false): Promise<void> {
  if (!file.value.saves_to) return exportAs('fwface')
  await saveTo(undefined, replace)
}

/** Save under a path; gives whether that is done, or the user is asked about it. */
export async function saveAs(path: string, replace = false): Promise<boolean> {
  return saveTo(path, replace)
}

async function saveTo(path: string | undefined, replace: boolean): Promise<boolean> {
  const done = await doing('Saving', async () => {
    try {
      await ask({ type: 'Save', path, replace })
    } catch (problem) {
      if (!(problem instanceof Refusal && problem.canReplace)) throw problem
      conflict.value = { path, message: problem.message }
    }
    return true
  })
  if (done && !conflict.value) say(`Saved ${path ?? file.value.saves_to}.`)
  return done === true
}

export type Exported = 'fwface' | 'glb' | 'vrm' | 'fbx' | 'usdz' | 'usda' | 'obj' | 'npz' | 'csv' | 'png'

export async function exportAs(kind: Exported, query = ''): Promise<void> {
  if (kind === 'csv' && !clipName.value) return say('There is no clip to export yet: set a key (K) first.')
  const name = `${baseName()}${kind === 'csv' ? `-${clipName.value}` : ''}.${kind}`
  const address = `/api/export/${kind}${kind === 'csv' ? `?clip=${encodeURIComponent(clipName.value)}` : query}`
  const done = await doing(`Exporting ${name}`, async () => {
    await download(address, name)
    return true
  })
  if (done) say(`${name} is in your downloads.`)
}

/** The film before the one that this page asked for, which is downloaded here as soon as it is there; null: none. */
const awaited = signal<number | null>(null)

export async function drawFilm(wish: Omit<DrawFilm, 'type'>): Promise<void> {
  const before = film.value?.number ?? 0
  const begun = await doing('Drawing a film', async () => {
    await act({ type: 'DrawFilm', ...wish })
    return true
  })
  if (begun) awaited.value = before
}

/** Download films that were asked for. */
export function followFilms(): void {
  effect(() => {
    const made = film.value
    if (awaited.value === null || !made?.ready || made.number <= awaited.value) return
    awaited.value = null
    const name = `${baseName()}-${made.clip}.${made.kind}`
    void doing(`Exporting ${name}`, async () => {
      await download(`/api/film/${made.number}`, name)
      const frames = made.total > made.done ? `${made.done} of ${made.total}` : `${made.done}`
      say(`${name} is in your downloads: ${frames} frames.`)
    })
  })
}
