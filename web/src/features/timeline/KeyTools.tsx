/** Tools on many keys, in a menu. Those that need numbers have a form. */
import { clip, clipCurves, rate, time } from '../../core/document'
import type { KeyChoice, SetOutside } from '../../core/protocol.gen'
import { chosen } from '../../core/selection'
import { edit } from '../../core/server'
import { sliderOf } from '../../core/sliders'
import { toFrame } from '../../core/time'
import { Menu, type Entry } from '../../widgets/Menu'
import { selectAt } from './actions'
import { askFor, type Tool } from './KeyForm'
import { earliest, latest } from './keytimes'

/** About the current time, if that is among the keys, else about the first of them. */
function pivot(keys: readonly KeyChoice[]): number {
  const [first, last] = [earliest(keys), latest(keys)]
  return time.value >= first && time.value <= last ? time.value : first
}

const smooth = (keys: KeyChoice[]): Tool => ({
  title: 'Smooth keys',
  about: 'Brings keys nearer to the lines between their neighbours.',
  fields: [
    { label: 'Strength', tip: 'How near', value: 0.5, low: 0, high: 1, step: 0.01, digits: 2 },
    { label: 'Passes', tip: 'How often', value: 1, low: 1, high: 20, most: 1000, step: 1, digits: 0 },
  ],
  edit: ([strength, passes]) => ({ type: 'SmoothKeys', keys, strength, passes: Math.round(passes) }),
})

const reduce = (keys: KeyChoice[]): Tool => ({
  title: 'Reduce keys',
  about: 'Deletes keys without which the curves differ by no more than this.',
  fields: [
    {
      label: 'Tolerance',
      tip: 'How far the curves may differ',
      value: 0.01,
      low: 0,
      high: 0.1,
      most: 10,
      step: 0.001,
      digits: 3,
    },
  ],
  edit: ([tolerance]) => ({ type: 'ReduceKeys', keys, tolerance }),
})

const PERCENT = { low: 0, high: 400, most: 10_000, step: 1, digits: 0, suffix: '%' }

function stretch(keys: KeyChoice[]): Tool {
  const about = pivot(keys)
  const factor = (percent: number) => Math.max(percent, PERCENT_LEAST) / 100
  return {
    title: 'Stretch keys',
    about: `In time, about frame ${Math.round(about * rate.value)}.`,
    fields: [{ ...PERCENT, label: 'Length', tip: 'Per cent of the length', value: 200, low: PERCENT_LEAST }],
    edit: ([percent]) => ({ type: 'ScaleKeys', keys, about, factor: factor(percent) }),
    kept: ([percent]) => selectAt(keys, (time) => about + factor(percent) * (time - about))(true),
  }
}

const PERCENT_LEAST = 1

const scale = (keys: KeyChoice[]): Tool => ({
  title: 'Scale values of keys',
  about: 'Away from a value, or towards it.',
  fields: [
    { ...PERCENT, label: 'Size', tip: 'Per cent of the distance', value: 50, high: 200 },
    { label: 'About', tip: 'The value that stays', value: 0, low: -1, high: 1, most: 1e6, step: 0.01, digits: 2 },
  ],
  edit: ([percent, level]) => ({ type: 'ScaleKeys', keys, about: 0, level, gain: percent / 100 }),
})

function setOutside(outside: SetOutside['outside']): void {
  const own = clipCurves.value.filter((curve) => chosen.value.includes(sliderOf(curve.slider)))
  edit({ type: 'SetOutside', outside, sliders: own.length ? own.map((curve) => curve.slider) : null })
}

export function KeyTools({ keys }: { keys: KeyChoice[] }) {
  const none = !keys.length
  const entries: Entry[] = [
    {
      label: 'Snap to frames',
      about: 'Put the selected keys on whole frames',
      disabled: none,
      run: () => void edit({ type: 'SnapKeys', keys }).then(selectAt(keys, toFrame)),
    },
    {
      label: 'Smooth…',
      about: 'Bring the selected keys nearer to the lines between their neighbours',
      disabled: none,
      run: () => askFor(smooth(keys)),
    },
    {
      label: 'Reduce…',
      about: 'Delete selected keys that the curves can do without',
      disabled: none,
      run: () => askFor(reduce(keys)),
    },
    {
      label: 'Stretch in time…',
      about: 'Retime the selected keys about this frame, or about the first of them',
      disabled: none,
      run: () => askFor(stretch(keys)),
    },
    {
      label: 'Scale values…',
      about: 'Scale the values of the selected keys',
      disabled: none,
      run: () => askFor(scale(keys)),
    },
    {
      label: 'Repeat',
      about: 'Curves of the selected sliders, or all, repeat before and after their keys',
      disabled: !clip.value,
      run: () => setOutside('cycle'),
    },
    {
      label: 'Repeat with offset',
      about: 'The same, going on from the value they came to',
      disabled: !clip.value,
      run: () => setOutside('offset'),
    },
    {
      label: 'Hold the ends',
      about: 'They keep their first and last value',
      disabled: !clip.value,
      run: () => setOutside('hold'),
    },
  ]
  return (
    <Menu
      id="key-tools"
      icon="strength"
      label="Tools"
      tip={`Tools for many keys, at ${rate.value} fps`}
      entries={entries}
    />
  )
}
