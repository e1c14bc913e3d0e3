/** The rig that is being built, as the server last sent it, and what of it is shown. */
import { computed, signal } from '@preact/signals'
import type { BuildInfo, BuildPose, BuildProgress, BuildSlider, PointPair } from '../../core/protocol.gen'
import { tab } from '../../core/view'

export const build = signal<BuildInfo | null>(null)
export const progress = signal<BuildProgress | null>(null)
export const choosing = signal<'neutral' | 'pose' | null>(null) // the dialog for faces is open
export const compared = signal({ layout: 'beside' as 'beside' | 'split', divider: 0.5, colors: true, oneScale: false })
export const TAB = 'build'
export const building = computed(() => tab.value === TAB)

const chosenName = signal('')
export const pairingWanted = signal(false) // though the template is registered already

/** A point on one side, whose partner is to be clicked yet. */
export const half = signal<{ side: 'source' | 'target'; vertex: number } | null>(null)

/** The pose that the stage shows. */
export const chosenPose = computed<BuildPose | null>(
  () => build.value?.poses.find((pose) => pose.name === chosenName.value) ?? null,
)

/** Whether the template and the neutral are shown for pairing points. */
export const pairing = computed(() => {
  const now = build.value
  return !!now?.neutral && now.other_topology && (!now.registration || pairingWanted.value)
})

export function choosePose(name: string): void {
  chosenName.value = name
  if (name) pairingWanted.value = false
}

export function applyBuild(next: BuildInfo): void {
  const before = build.peek()
  const known = new Set(before?.poses.map((pose) => pose.name))
  const added = before ? next.poses.find((pose) => !known.has(pose.name)) : undefined
  build.value = next
  if (next.doing !== before?.doing) progress.value = null
  if (!next.neutral || next.neutral.id !== before?.neutral?.id) half.value = null
  if (added) choosePose(added.name)
  else if (!chosenPose.value) choosePose(next.poses[0]?.name ?? '')
}

/** The pairs with one more, whose first end was clicked before. */
export function pairedWith(
  pairs: readonly PointPair[],
  one: { side: 'source' | 'target'; vertex: number },
  other: number,
): PointPair[] {
  const [source, target] = one.side === 'source' ? [one.vertex, other] : [other, one.vertex]
  const others = pairs.filter((pair) => pair.source !== source && pair.target !== target)
  return [...others, { source, target, name: '' }]
}

/** A share in per cent. */
export const percent = (share: number) =>
  share < 0.0005 ? '0 %' : share < 0.1 ? `${(100 * share).toFixed(1)} %` : `${Math.round(100 * share)} %`

/** What the trust slider says. */
export function trustWords(trust: number): string {
  if (trust <= 0.2) return 'Trust the template: shapes stay as it has them, for rough scans'
  if (trust < 0.42) return 'Rather trust the template'
  if (trust <= 0.58) return 'Even-handed'
  if (trust < 0.8) return 'Rather trust the examples'
  return 'Trust the examples: meet them to the last detail, for clean sculpts'
}

/** A line of the table of weights: what was guessed and what was solved. */
export interface WeightRow {
  name: string
  guess: number | null // null: not named
  solved: number | null // null: not solved yet
}

const FAINT = 0.05 // solved weights below are not worth a line of their own

/** Guessed sliders first, in their order, then others that the solver uses, the strongest first. */
export function weightRows(pose: BuildPose): WeightRow[] {
  const guess = pose.guess ?? {}
  const solved = pose.fit?.weights ?? null
  const named = Object.keys(guess).map((name) => ({
    name,
    guess: guess[name],
    solved: solved ? (solved[name] ?? 0) : null,
  }))
  const others = Object.entries(solved ?? {})
    .filter(([name, value]) => !(name in guess) && Math.abs(value) >= FAINT)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
    .map(([name, value]) => ({ name, guess: null, solved: value }))
  return [...named, ...others]
}

export interface Offer {
  label: string
  sliders: string[]
}

/** Sliders whose names have all the words in them; of a pair also both sides at once. */
export function offersFor(
  text: string,
  sliders: readonly BuildSlider[],
  taken: ReadonlySet<string>,
  most = 8,
): Offer[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const names = sliders
    .map((slider) => slider.name)
    .filter((name) => !taken.has(name) && words.every((word) => name.toLowerCase().includes(word)))
  const both = names.flatMap((name) => {
    const other = name.replace(/Left$/, 'Right')
    return other !== name && names.includes(other)
      ? [{ label: `${name.slice(0, -4)}, both sides`, sliders: [name, other] }]
      : []
  })
  return [...both, ...names.map((name) => ({ label: name, sliders: [name] }))].slice(0, most)
}

/** Which of some files is the neutral, by its name; else the first. */
export function neutralAmong(names: readonly string[]): number {
  const found = names.findIndex((name) => /neutral|rest|base/i.test(name))
  return found < 0 ? 0 : found
}

/** The scale of the heat map: this pose's own, or one for all. */
export function heatTop(pose: BuildPose | null, poses: readonly BuildPose[], one: boolean): number {
  const worst = (one ? poses : pose ? [pose] : []).map((each) => each.fit?.worst ?? 0)
  return Math.max(0, ...worst)
}
