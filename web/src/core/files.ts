/** Opening, saving and exporting. */
import { clipName, file, welcome } from './document'
import { busy, complain, say } from './toasts'
import { markersShown, rightOpen, tab } from './view'
import { download, upload, type How } from './routes'
import { ask } from './server'

/** A name for a download, without the suffix of what was opened. */
export const baseName = () => (file.value.name.split('/').pop() ?? '').replace(/\.[^.]+$/, '') || 'face'

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
  const known = welcome.value?.formats ?? []
  const suffix = chosen.name.slice(chosen.name.lastIndexOf('.')).toLowerCase()
  if (known.length && !known.includes(suffix)) {
    return say(`${chosen.name} cannot be opened here; what can be are files ending in ${known.join(', ')}.`, 'problem')
  }
  if (chosen.size > limit) {
    return say(
      `${chosen.name} is larger than ${Math.round(limit / 1e6)} MB; start facewright studio with its path instead.`,
      'problem',
    )
  }
  const done = await doing(`Opening ${chosen.name}`, () => upload(chosen, how))
  if (done?.brings === 'take') showTake()
  else if (done?.brings === 'face' && how !== 'clips') say(`Opened ${chosen.name}.`)
  else if (done && done.brings !== 'binding') say(`Loaded the clips of ${chosen.name}.`)
}

/** A take of markers has a tab of its own; what it is like the server says. */
function showTake(): void {
  tab.value = 'take'
  rightOpen.value = true
  markersShown.value = true
}

export async function openSample(person: string, shapes: string, how: How): Promise<void> {
  await doing('Opening a sample', () => ask({ type: 'OpenSample', person, shapes, how }))
}

export async function openPath(path: string, how: How): Promise<void> {
  await doing(`Opening ${path}`, () => ask({ type: 'OpenPath', path, how }))
  if (/\.(c3d|trc)$/i.test(path)) showTake()
}

/** Save where it belongs; a download where it belongs nowhere. */
export async function save(): Promise<void> {
  if (!file.value.saves_to) return exportAs('fwface')
  const done = await doing('Saving', async () => {
    await ask({ type: 'Save' })
    return true
  })
  if (done) say(`Saved ${file.value.saves_to}.`)
}

export async function saveAs(path: string): Promise<boolean> {
  const done = await doing('Saving', async () => {
    await ask({ type: 'Save', path })
    return true
  })
  if (done) say(`Saved ${path}.`)
  return done === true
}

export type Exported = 'fwface' | 'glb' | 'obj' | 'npz' | 'csv' | 'png'

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
