/** Sliders and shapes that interfere, as the server last sent them, and the pair that is looked at. */
import { computed, effect, signal } from '@preact/signals'
import { rig } from '../../../core/document'
import type { InterferenceTable, PairMeeting } from '../../../core/frames'
import { weightsIn } from '../../../core/local'
import { posed, previewed } from '../../../core/pose'
import type { InterferenceInfo, PairInfo } from '../../../core/protocol.gen'
import { fetchFrame } from '../../../core/routes'
import { query } from '../../../core/server'
import { complain } from '../../../core/toasts'
import { tab } from '../../../core/view'
import { part } from '../state'

export const KEY = 'interference'
export const info = signal<InterferenceInfo>({ progress: null, current: false, found: null })

/** The numbers of all pairs; null until they are fetched. */
export const table = signal<InterferenceTable['arrays'] | null>(null)

/** The two sliders that are looked at, listed or not; null: none. */
export const chosenPair = signal<readonly [string, string] | null>(null)
export const meeting = signal<PairMeeting | null>(null)
export const posing = signal(true) // both at full are shown while a pair is chosen
export const bothSides = signal(true) // correctives are made for the mirror image, too

export type Column = 'interference' | 'shared' | 'direction'
export const sorting = signal<{ by: Column; down: boolean }>({ by: 'interference', down: true })

export const isOpen = () => tab.value === 'rig' && part.value === KEY

/** Pairs in the order that was chosen; those that interfere are compared by strength, whatever their sign. */
export function sorted(pairs: readonly PairInfo[], { by, down }: typeof sorting.value): PairInfo[] {
  const of = (pair: PairInfo) => (by === 'direction' ? pair.direction : Math.abs(pair[by]))
  return [...pairs].sort((a, b) => (down ? of(b) - of(a) : of(a) - of(b)))
}

export const isSame = (pair: { first: string; second: string }, names: readonly [string, string] | null) =>
  names !== null &&
  ((pair.first === names[0] && pair.second === names[1]) || (pair.first === names[1] && pair.second === names[0]))

/** The chosen pair as it was compared: from the list, or with the numbers of the matrix. */
export const pair = computed<PairInfo | null>(() => {
  const [names, found, numbers] = [chosenPair.value, info.value.found, table.value]
  if (!names || !found) return null
  const listed = found.pairs.find((each) => isSame(each, names))
  if (listed) return listed
  const [i, j] = names.map((name) => found.sliders.indexOf(name))
  if (i < 0 || j < 0 || !numbers) return null
  const at = i * found.sliders.length + j
  const [interference, shared] = [numbers.interference[at], numbers.shared[at]]
  const direction = shared > 0 ? interference / shared : 0
  return { first: names[0], second: names[1], interference, shared, direction, twin: null, advice: '' }
})

/** Choose a pair, or none when it is chosen again. */
export function choosePair(first: string, second: string): void {
  chosenPair.value = isSame({ first, second }, chosenPair.value) ? null : [first, second]
}

/** Fetch the numbers of what was found, and how the chosen pair meets; show it while the part is open. */
export function followInterference(): void {
  let known = ''
  effect(() => {
    const id = info.value.found?.sliders.length ? info.value.found.id : ''
    if (!isOpen() || id === known) return
    known = id
    table.value = null
    if (!id) return
    fetchFrame('InterferenceTable', `/api/interference/table/${id}`)
      .then(({ arrays }) => {
        if (known === id) table.value = arrays
      })
      .catch((problem: unknown) => {
        if (known !== id) return
        known = ''
        complain(problem)
      })
  })
  effect(() => {
    const [names, sliders] = [chosenPair.value, rig.value?.sliders ?? []]
    const there = names?.every((name) => sliders.some((each) => each.name === name))
    if (!names || !there || !isOpen()) meeting.value = null
    else query({ type: 'AskMeeting', first: names[0], second: names[1] }).catch(complain)
  })
  effect(() => {
    const shown = meeting.value
    const fits = shown && shown.arrays.values.length === rig.value?.shapes.length
    previewed.value = isOpen() && posing.value && fits ? shown.arrays.values : null
  })
  leaveWhenPosed()
}

/** The pair is left when the face is posed otherwise; an edit of the rig leaves the pose. */
function leaveWhenPosed(): void {
  let [pair, before]: [typeof chosenPair.value, Float32Array | null] = [null, null]
  effect(() => {
    void posed.value
    const [now, weights] = [chosenPair.value, weightsIn(-1)]
    const isMoved =
      before !== null && before.length === weights.length && weights.some((weight, i) => weight !== before![i])
    if (now && now === pair && isMoved) chosenPair.value = null
    ;[pair, before] = [now, weights.slice()]
  })
}

/** Take over how two sliders meet, if they are still looked at. */
export function applyMeeting(frame: PairMeeting): void {
  if (isOpen() && isSame(frame, chosenPair.value)) meeting.value = frame
}

/** Colours (v, 4) of where the chosen pair meets. */
export function meetingColors(): Float32Array | null {
  const colors = meeting.value?.arrays.colors
  return colors && colors.length === 4 * (rig.value?.vertices ?? 0) ? colors : null
}
