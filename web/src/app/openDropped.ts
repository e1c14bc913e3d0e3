/** What becomes of files that were dropped on the page. What each holds is decided by the server. */
import type { RecognisedFile } from '../core/protocol.gen'
import type { FileDrop } from '../features/feature'

interface World {
  recognise(file: File): Promise<RecognisedFile>
  drops: readonly FileDrop[]
  open(file: File): Promise<void>
  refuse(problem: string): void
}

/** One after the other: a face before what is for it, then what features claim. */
export async function openDropped(files: readonly File[], { recognise, drops, open, refuse }: World): Promise<void> {
  const claimed = new Map<FileDrop, File[]>()
  const [faces, others]: [File[], File[]] = [[], []]
  for (const file of files) {
    const { kind, problem } = await recognise(file)
    const drop = drops.find((each) => each.claims(kind))
    if (drop) claimed.set(drop, [...(claimed.get(drop) ?? []), file])
    else if (!kind) refuse(problem)
    else (kind === 'rig' ? faces : others).push(file)
  }
  for (const file of [...faces, ...others]) await open(file)
  for (const [drop, own] of claimed) await drop.open(own)
}
