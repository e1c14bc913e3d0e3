import { expect, test } from 'vitest'
import type { RecognisedFile } from '../core/protocol.gen'
import type { FileDrop } from '../features/feature'
import { openDropped } from './openDropped'

const KINDS: Record<string, RecognisedFile['kind']> = { face: 'rig', other: 'rig', talk: 'clip', skin: 'picture' }

/** Drops files; gives what was done with them, in order. */
async function dropped(names: string[], drops: readonly FileDrop[] = []): Promise<string[]> {
  const done: string[] = []
  await openDropped(
    names.map((path) => ({ file: new File(['x'], path.split('/').pop()!), path })),
    {
      recognise: (file) =>
        Promise.resolve({
          kind: KINDS[file.name.replace(/.*\.obj$/, 'face')] ?? null,
          problem: `${file.name} is unknown`,
          whole: false,
          known: [],
        }),
      drops: drops.map(({ claims }) => ({
        claims,
        open: (files) => void done.push(`claimed ${files.map(({ name }) => name).join(' ')}`),
      })),
      open: (file) => {
        done.push(`opened ${file.name}`)
        return Promise.resolve()
      },
      openFolder: (name, files) => {
        done.push(`folder ${name}: ${files.map(({ path }) => path).join(' ')}`)
        return Promise.resolve()
      },
      openSequence: (name, files) => {
        done.push(`sequence ${name}: ${files.map(({ path }) => path).join(' ')}`)
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

test('depth images with intrinsics, and several PLY files, are a sequence', async () => {
  expect(await dropped(['talk/1.png', 'talk/2.png', 'talk/intrinsics.json'])).toEqual([
    'sequence talk: 1.png 2.png intrinsics.json',
  ])
  expect(await dropped(['1.ply', '2.ply'])).toEqual(['sequence scan: 1.ply 2.ply'])
  expect(await dropped(['skin'], [pictures])).toEqual(['claimed skin'])
})

test('several OBJ files are one rig, with what is in rig.json, and are called by their folder, whatever dots it has', async () => {
  expect(await dropped(['smile.obj', 'neutral.obj'])).toEqual(['folder face: smile.obj neutral.obj'])
  expect(await dropped(['x/anna.v2/neutral.obj', 'x/anna.v2/rig.json', 'x/anna.v2/shapes/a.obj', 'talk'])).toEqual([
    'folder anna.v2: neutral.obj rig.json shapes/a.obj',
    'opened talk',
  ])
})

test('a single OBJ file is opened as before, and files that a feature claims are its own', async () => {
  expect(await dropped(['anna/face.obj', 'talk'])).toEqual(['opened face.obj', 'opened talk'])
  expect(await dropped(['a.obj', 'b.obj'], [all])).toEqual(['claimed a.obj b.obj'])
  expect(await dropped(['rig.json'])).toEqual(['rig.json is unknown'])
})

test('of two folders of shapes none is opened, and that is said', async () => {
  expect(await dropped(['a/1.obj', 'a/2.obj', 'b/1.obj', 'b/2.obj'])).toEqual([
    'There are OBJ shapes in a, b: drop one of them.',
  ])
})
