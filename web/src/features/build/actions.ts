/** What can be done with a build. */
import { REPORT, type Role } from './routes'
import { download, giveFace, type Source } from '../../core/routes'
import { build, half, neutralAmong, pairedWith, type Offer } from './state'
import { busy, complain, say } from '../../core/toasts'
import { tab } from '../../core/view'
import { edit, send } from '../../core/server'

const nameOf = (source: Source) =>
  'file' in source
    ? source.file.name
    : 'path' in source
      ? source.path
      : 'person' in source
        ? source.person
        : 'the open face'

/** Bring faces in, one after the other; problems are shown at the end. */
export async function give(role: Role, sources: readonly Source[]): Promise<void> {
  const problems: string[] = []
  for (const [i, source] of sources.entries()) {
    busy.value =
      sources.length > 1 ? `Reading ${i + 1} of ${sources.length}: ${nameOf(source)}` : `Reading ${nameOf(source)}`
    await giveFace(role, source).catch((problem: unknown) =>
      problems.push(problem instanceof Error ? problem.message : String(problem)),
    )
  }
  busy.value = ''
  if (problems.length)
    say(
      problems.length > 3
        ? `${problems.slice(0, 3).join('\n')}\n… and ${problems.length - 3} more`
        : problems.join('\n'),
      'problem',
    )
}

/** Files that were dropped or chosen: the neutral first where there is none yet, the others as poses. */
export async function giveFiles(files: Iterable<File>): Promise<void> {
  const sources = [...files].map((file) => ({ file }))
  if (!sources.length) return
  if (!build.value?.neutral)
    await give('neutral', sources.splice(neutralAmong(sources.map(({ file }) => file.name)), 1))
  if (sources.length) await give('pose', sources)
}

/** Name some sliders of a pose, or (null) say that one has no part in it; null for all lets it be guessed. */
export function guess(pose: string, weights: Record<string, number | null> | null): void {
  edit({ type: 'GuessPose', pose, weights })
}

/** Name sliders of a pose, at full strength to begin with. */
export function addSliders(pose: string, { sliders }: Offer): void {
  const known = new Map(build.value?.sliders.map((slider) => [slider.name, slider]))
  const full = (name: string) => Math.min(known.get(name)?.high ?? 1, 1) || (known.get(name)?.low ?? 0)
  guess(pose, Object.fromEntries(sliders.map((name) => [name, full(name)])))
}

/** A point was clicked on the template or on the face. */
export function clickPoint(side: 'source' | 'target', vertex: number): void {
  const before = half.value
  if (!before || before.side === side) {
    half.value = { side, vertex }
    return
  }
  half.value = null
  setPairs(pairedWith(build.value?.pairs ?? [], before, vertex))
}

export function setPairs(pairs: { source: number; target: number; name?: string }[]): void {
  edit({ type: 'PairPoints', pairs: pairs.map(({ source, target, name = '' }) => ({ source, target, name })) })
}

/** The rig becomes the document; then it can be posed. */
export async function openBuilt(how: 'new' | 'keep'): Promise<void> {
  if (!(await send({ type: 'OpenBuilt', how }))) return
  tab.value = 'pose'
  say('The built rig is open. Save it, or export it, as any other face.')
}

export async function saveReport(): Promise<void> {
  busy.value = 'Writing the report'
  const name = `${build.value?.neutral?.name ?? 'face'} report.html`
  await download(REPORT, name).then(() => say(`${name} is in your downloads.`), complain)
  busy.value = ''
}
