/** What becomes of files that were dropped on the page. What each holds is decided by the server. */
import { isObj } from '../core/files'
import type { RecognisedFile } from '../core/protocol.gen'
import type { FolderFile } from '../core/routes'
import type { FileDrop } from '../features/feature'
import type { Dropped } from './readDropped'

interface World {
  recognise(file: File): Promise<RecognisedFile>
  drops: readonly FileDrop[]
  open(file: File): Promise<void>
  /** Open the OBJ files of a folder as one rig. */
  openFolder(name: string, files: readonly FolderFile[]): Promise<void>
  /** Load the files of a folder as a depth or scan sequence. */
  openSequence(name: string, files: readonly FolderFile[]): Promise<void>
  refuse(problem: string, known?: readonly string[]): void
}

/** One after the other: a face before what is for it, then what features claim. Several OBJ files are one rig. */
export async function openDropped(files: readonly Dropped[], world: World): Promise<void> {
  const { recognise, drops, open, openFolder, openSequence, refuse } = world
  const sequence = sequenceOf(files)
  if (sequence) return openSequence(sequence.name, sequence.files)
  const rigs = foldersOf(files)
  const claimed = new Map<FileDrop, File[]>()
  const [faces, others]: [Dropped[], File[]] = [[], []]
  for (const each of files) {
    const { kind, problem, known } = await recognise(each.file)
    const drop = drops.find((one) => one.claims(kind))
    if (drop) claimed.set(drop, [...(claimed.get(drop) ?? []), each.file])
    else if (rigs.has(folderOf(each.path)) && isPart(each.path)) faces.push(each)
    else if (!kind) refuse(problem, known)
    else if (kind === 'rig') faces.push(each)
    else others.push(each.file)
  }
  const folders = foldersOf(faces)
  if (folders.size > 1) return refuse(`There are OBJ shapes in ${[...folders.keys()].join(', ')}: drop one of them.`)
  for (const [folder, own] of folders) {
    await openFolder(
      folder.split('/').pop() || 'face',
      own.map(({ file, path }) => ({ file, path: folder ? path.slice(folder.length + 1) : path })),
    )
  }
  for (const { file, path } of faces) if (!(rigs.has(folderOf(path)) && isPart(path))) await open(file)
  for (const file of others) await open(file)
  for (const [drop, own] of claimed) await drop.open(own)
}

/** The files of a folder of depth images with their intrinsics, or of several PLY files; null: it is none. */
function sequenceOf(files: readonly Dropped[]): { name: string; files: FolderFile[] } | null {
  const [folder, ...others] = new Set(files.map(({ path }) => path.split('/').slice(0, -1).join('/')))
  const ends = (suffix: string) => files.filter(({ path }) => path.toLowerCase().endsWith(suffix))
  const about = files.some(({ path }) => /(^|\/)(intrinsics|camera)\.json$/.test(path))
  if (others.length || !((ends('.png').length && about) || ends('.ply').length > 1)) return null
  const used = [...ends('.png'), ...ends('.ply'), ...ends('.json')]
  return {
    name: folder.split('/').pop() || 'scan',
    files: used.map(({ file }) => ({ file, path: file.name })),
  }
}

const isPart = (path: string) => isObj(path) || path.split('/').pop() === 'rig.json'

/** The folder of a rig that a file is in, "" for files dropped without one; shapes may be in a folder inside it. */
const folderOf = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .join('/')
    .replace(/(^|\/)shapes$/, '')

/** Folders with several OBJ files, each with these and its rig.json. */
function foldersOf(files: readonly Dropped[]): Map<string, Dropped[]> {
  const found = new Map<string, Dropped[]>()
  for (const each of files) {
    if (isPart(each.path)) found.set(folderOf(each.path), [...(found.get(folderOf(each.path)) ?? []), each])
  }
  for (const [folder, own] of found) if (own.filter(({ path }) => isObj(path)).length < 2) found.delete(folder)
  return found
}
