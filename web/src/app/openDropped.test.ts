import { expect, test } from 'vitest'
import type { RecognisedFile } from '../core/protocol.gen'
import type { FileDrop } from '../features/feature'
import { openDropped } from './openDropped'

const KINDS: Record<string, RecognisedFile['kind']> = { face: 'rig', other: 'rig', talk: 'clip', skin: 'picture' }

/** Drops files; gives what was done with them, in order. */
async function dropped(names: string[], drops: readonly FileDrop[] = []): Promise<string[]> {
  const done: string[] = []
  await openDropped(
    names.map((name) => new File(['x'], name)),
    {
      recognise: (file) =>
        Promise.resolve({ kind: KINDS[file.name] ?? null, problem: `${file.name} is unknown`, whole: false }),
      drops: drops.map(({ claims }) => ({
        claims,
        open: (files) => void done.push(`claimed ${files.map(({ name }) => name).join(' ')}`),
      })),
      open: (file) => {
        done.push(`opened ${file.name}`)
        return Promise.resolve()
      },
      refuse: (problem) => done.push(problem),
    },
  )
  return done
}

const pictures: FileDrop = { claims: (kind) => kind === 'picture', open: () => undefined }
const all: FileDrop = { claims: () => true, open: () => undefined }

test('a face is opened before what is for it, whatever the files are called', async () => {
  expect(await dropped(['talk', 'face', 'other'])).toEqual(['opened face', 'opened other', 'opened talk'])
})

test('what a feature claims comes last, all at once', async () => {
  expect(await dropped(['skin', 'face', 'skin'], [pictures])).toEqual(['opened face', 'claimed skin skin'])
})

test('a file of no known kind is refused, unless a feature claims all', async () => {
  expect(await dropped(['notes', 'talk'], [pictures])).toEqual(['notes is unknown', 'opened talk'])
  expect(await dropped(['notes', 'talk'], [all])).toEqual(['claimed notes talk'])
})
