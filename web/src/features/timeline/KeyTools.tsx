/** Tools on many keys, in a menu. Those that need a number ask for it. */
import { clip, clipCurves, rate, time } from '../../core/document'
import type { KeyChoice, SetOutside } from '../../core/protocol.gen'
import { chosen } from '../../core/selection'
import { edit } from '../../core/server'
import { sliderOf } from '../../core/sliders'
import { say } from '../../core/toasts'
import { noNumber, typedNumber } from '../../core/typed'
import { Menu, type Entry } from '../../widgets/Menu'
import { earliest, latest } from './keytimes'

function askNumber(question: string, usual: string): number | null {
  const text = prompt(question, usual)
  if (text === null) return null
  const found = typedNumber(text.replace('%', ''))
  if (found === null) say(noNumber(text, 'nothing was changed; what was there'), 'problem')
  return found
}

/** About the current time, if that is among the keys, else about the first of them. */
function pivot(keys: readonly KeyChoice[]): number {
  const [first, last] = [earliest(keys), latest(keys)]
  return time.value >= first && time.value <= last ? time.value : first
}

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
      run: () => edit({ type: 'SnapKeys', keys }),
    },
    {
      label: 'Smooth',
      about: 'Bring the selected keys nearer to the line between their neighbours',
      disabled: none,
      run: () => edit({ type: 'SmoothKeys', keys }),
    },
    {
      label: 'Reduce…',
      about: 'Delete selected keys that the curves can do without',
      disabled: none,
      run: () => {
        const tolerance = askNumber('How far may the curves differ?', '0.01')
        if (tolerance !== null) edit({ type: 'ReduceKeys', keys, tolerance: Math.max(tolerance, 0) })
      },
    },
    {
      label: 'Stretch in time…',
      about: 'Retime the selected keys about this frame, or about the first of them',
      disabled: none,
      run: () => {
        const percent = askNumber('To how many per cent of its length?', '200')
        if (percent !== null) edit({ type: 'ScaleKeys', keys, about: pivot(keys), factor: percent / 100 })
      },
    },
    {
      label: 'Scale values…',
      about: 'Scale the values of the selected keys about 0',
      disabled: none,
      run: () => {
        const percent = askNumber('To how many per cent?', '50')
        if (percent !== null) edit({ type: 'ScaleKeys', keys, about: 0, gain: percent / 100 })
      },
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
