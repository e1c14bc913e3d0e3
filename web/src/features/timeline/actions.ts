/** What can be done with keys besides dragging them. */
import { keysBefore, type CurveInfo } from '../../core/curve'
import { clip, clipCurves, rate, time } from '../../core/document'
import type { CurveEntry, KeyChoice } from '../../core/protocol.gen'
import { chosen, liveKeys, selectedKeys } from '../../core/selection'
import { edit } from '../../core/server'
import { sliderOf } from '../../core/sliders'
import { scrubTo, toFrame } from '../../core/time'
import { around, follow, zoomed } from '../../core/timeAxis'
import { say } from '../../core/toasts'
import { earliest, latest, nextKey, previousKey } from './keytimes'
import { clipboard, lane, loopRange } from './state'
import { aroundValues, zoomedValues } from './valueAxis'

const NO_KEYS = 'Select keys first: click them, or drag a box round them.'

/** Key the selected sliders at the current frame, or those that changed. */
export function keyChanges(): void {
  if (chosen.value.length) edit({ type: 'SetKeys', time: toFrame(time.value), sliders: chosen.value })
  else edit({ type: 'KeyChanges', time: toFrame(time.value) })
}

/** Key the whole pose at the current frame. */
export const keyAll = () => edit({ type: 'SetKeys', time: toFrame(time.value) })

/** Something with the selected keys, if there are any. */
export function withKeys(run: (keys: KeyChoice[]) => void): void {
  if (liveKeys.value.length) run(liveKeys.value)
  else say(NO_KEYS)
}

/** The selected keys; without any, the current moment of the selected sliders' curves, or of all. */
export function keysOrMoment(): KeyChoice[] {
  if (liveKeys.value.length) return liveKeys.value
  const own = clipCurves.value.filter((curve) => chosen.value.includes(sliderOf(curve.slider)))
  return (own.length ? own : clipCurves.value).map(({ slider }) => ({ slider, times: [toFrame(time.value)] }))
}

export const deleteKeys = () => withKeys((keys) => edit({ type: 'DeleteKeys', keys }))

/** Copies of the selected keys, the first of them at the current time. */
export const duplicateKeys = () =>
  withKeys((keys) => {
    const by = toFrame(time.value) - earliest(keys)
    if (Math.abs(by) < 1e-6) return say('Move in time to where the copy should go.')
    edit({ type: 'CopyKeys', keys, by })
  })

export const copyKeys = () =>
  withKeys((keys) => {
    clipboard.value = entriesOf(clipCurves.value, keys)
    const count = keys.reduce((sum, { times }) => sum + times.length, 0)
    say(`${count} ${count === 1 ? 'key' : 'keys'} copied: Ctrl+V pastes at the current frame, Ctrl+Shift+V mirrored.`)
  })

/** Some keys of curves, with their times counted from the first of them. */
export function entriesOf(curves: readonly CurveInfo[], keys: readonly KeyChoice[]): CurveEntry[] {
  const start = earliest(keys)
  return keys.flatMap(({ slider, times: wanted }) => {
    const curve = curves.find((each) => each.slider === slider)
    if (!curve) return []
    const places = wanted.map((time) => keysBefore(curve.times, time - 5e-6))
    const { interpolation, slopes, tangents } = curve
    return [
      {
        slider,
        interpolation,
        keys: 0,
        outside: 'hold' as const,
        times: places.map((k) => curve.times[k] - start),
        values: places.map((k) => curve.values[k]),
        slopes: slopes && places.map((k) => slopes[k]),
        tangents: tangents && places.map((k) => tangents[k]),
      },
    ]
  })
}

export function pasteKeys(mirrored = false): void {
  if (!clipboard.value.length) return say('Copy keys first: select some, then Ctrl+C.')
  edit({ type: 'PasteKeys', curves: clipboard.value, at: toFrame(time.value), mirrored })
}

export function moveKeys(frames: number): void {
  const [keys, by] = [liveKeys.value, frames / rate.value]
  if (keys.length) void edit({ type: 'MoveKeys', keys, by }).then(selectAt(keys, (time) => time + by))
}

/** Let keys that were moved in time stay selected, if they were. */
export const selectAt = (keys: readonly KeyChoice[], moved: (time: number) => number) => (done: boolean) => {
  if (done) selectedKeys.value = keys.map(({ slider, times }) => ({ slider, times: times.map(moved) }))
}

export const selectAllKeys = () => {
  selectedKeys.value = clipCurves.value.map(({ slider, times }) => ({ slider, times }))
}

function go(at: number): void {
  scrubTo(at)
  follow(at)
}

export const stepFrames = (by: number) => go(toFrame(time.value) + by / rate.value)
export const goToStart = () => go(loopRange.value[0] ?? clip.value?.start ?? 0)
export const goToEnd = () => go(loopRange.value[1] ?? clip.value?.end ?? 0)

export function goToKey(direction: 1 | -1): void {
  const at = direction > 0 ? nextKey.value : previousKey.value
  if (at !== null) go(at)
  else if (!clip.value) say('There are no keys yet: K keys the pose.')
}

export const fitAll = () => {
  zoomed.value = null
  fitValues()
}

/** Let the graph show the bounds of its sliders, and all keys. */
export const fitValues = () => {
  zoomedValues.value = null
}

/** Show the stretch of the selected keys, in the graph their values as well. */
export const fitSelection = () =>
  withKeys((keys) => {
    zoomed.value = around(earliest(keys), latest(keys))
    if (lane.value === 'curves') zoomedValues.value = aroundValues(entriesOf(clipCurves.value, keys).flatMap(spread))
  })

/** The lowest and the highest value of some keys. */
const spread = ({ values = [] }: CurveEntry) => [
  values.reduce((a, b) => Math.min(a, b), Infinity),
  values.reduce((a, b) => Math.max(a, b), -Infinity),
]

/** Let playing begin, or end, at the current frame. */
export function setRange(end: 'start' | 'end'): void {
  const at = toFrame(time.value)
  const [from, to] = loopRange.value.length ? loopRange.value : [clip.value?.start ?? 0, clip.value?.end ?? at]
  const next = end === 'start' ? [at, Math.max(to, at + 1 / rate.value)] : [Math.min(from, at - 1 / rate.value), at]
  loopRange.value = next.map((each) => Math.max(each, Math.min(clip.value?.start ?? 0, 0)))
}
