/** What can be done with keys: tangents, numbers, copies, breakdowns, tools. */
import { useMemo } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { keysBefore, tangentOf, type Tangent } from '../../core/curve'
import { clip, clipCurves, keying, rate } from '../../core/document'
import { heldRange } from '../../core/gestures/heldRange'
import type { KeyChoice } from '../../core/protocol.gen'
import { liveKeys } from '../../core/selection'
import { act, edit, intend } from '../../core/server'
import { flip } from '../../core/shortcuts'
import { Button, Choice, NumberField, Range } from '../../widgets/controls'
import { copyKeys, fitAll, fitSelection, fitValues, keysOrMoment, pasteKeys, selectAt, setRange } from './actions'
import { earliest } from './keytimes'
import { clipboard, lane, loopRange, snapping } from './state'
import { KeyForm } from './KeyForm'
import { KeyTools } from './KeyTools'
import { zoomedValues } from './valueAxis'

const SAME = 5e-6 // seconds

const TANGENTS: readonly (readonly [Tangent, string])[] = [
  ['auto', 'Auto: smooth'],
  ['flat', 'Flat'],
  ['linear', 'Linear'],
  ['step', 'Step'],
  ['free', 'Free'],
  ['broken', 'Broken'],
]

export function KeyBar() {
  const keys = liveKeys.value
  const count = keys.reduce((sum, { times }) => sum + times.length, 0)
  return (
    <div class="toolbar keybar" role="toolbar" aria-label="Keys">
      <Tangents keys={keys} />
      <Button
        id="auto-key"
        icon="key"
        label="Auto"
        pressed={keying.value.auto_key}
        tip="Key every pose by itself, at the frame where it is made"
        onClick={() => act({ type: 'SetKeying', ...keying.value, auto_key: !keying.value.auto_key })}
      />
      <Button label="Snap" pressed={snapping.value} tip="Dragged keys go to whole frames" onClick={flip(snapping)} />
      <i class="rule" />
      <Numbers keys={keys} />
      <span class="count">{count ? `${count} ${count === 1 ? 'key' : 'keys'}` : 'no key selected'}</span>
      <i class="rule" />
      <Button
        icon="copy"
        label="Copy"
        tip="Copy the selected keys"
        keys="Ctrl+C"
        disabled={!count}
        onClick={copyKeys}
      />
      <Button
        label="Paste"
        tip="Paste the copied keys at this frame"
        keys="Ctrl+V"
        disabled={!clipboard.value.length}
        onClick={() => pasteKeys()}
      />
      <Button
        icon="mirror"
        tip="Paste the copied keys at this frame on the other side of the face"
        keys="Ctrl+Shift+V"
        disabled={!clipboard.value.length}
        onClick={() => pasteKeys(true)}
      />
      <i class="rule" />
      <Between
        label="Breakdown"
        type="TweenKeys"
        low={-0.25}
        high={1.25}
        rest={0.5}
        tip="Key values between the key before (left) and the key after (right), at the selected keys or at this frame"
      />
      <Between
        label="Blend"
        type="BlendKeys"
        low={-1}
        high={1}
        rest={0}
        tip="Bring values nearer to the key before (left) or after (right), at the selected keys or at this frame"
      />
      <div class="key-tools">
        <KeyTools keys={keys} />
        <KeyForm />
      </div>
      <span class="spring" />
      <Button label="[" tip="Playing begins at this frame" keys="Shift+I" onClick={() => setRange('start')} />
      <Button label="]" tip="Playing ends at this frame" keys="Shift+O" onClick={() => setRange('end')} />
      <Button
        icon="close"
        tip="Play all of the clip"
        disabled={!loopRange.value.length}
        onClick={() => {
          loopRange.value = []
        }}
      />
      <Button label="All" tip="Show all of the clip" keys="Home" onClick={fitAll} />
      {lane.value === 'curves' && (
        <Button
          icon="height"
          tip="Show all values"
          keys="Ctrl+Home"
          disabled={!zoomedValues.value}
          onClick={fitValues}
        />
      )}
      <Button label="Fit" tip="Show the selected keys" keys="Shift+Home" disabled={!count} onClick={fitSelection} />
    </div>
  )
}

/** The tangents of the selected keys; without any, those that new keys get. */
function Tangents({ keys }: { keys: KeyChoice[] }) {
  const kind = keys.length ? kindOf(keys) : keying.value.tangent
  const mixed = [['mixed', 'Mixed'] as const, ...TANGENTS]
  const set = (next: Tangent | 'mixed') => {
    if (next === 'mixed') return
    if (keys.length) edit({ type: 'SetTangents', tangent: next, keys })
    else act({ type: 'SetKeying', ...keying.value, tangent: next })
  }
  return (
    <label class="tangent">
      <span>{keys.length ? 'Tangents' : 'New keys'}</span>
      <Choice
        value={kind}
        options={kind === 'mixed' ? mixed : keys.length ? TANGENTS : TANGENTS.slice(0, 4)}
        tip={keys.length ? 'Tangents of the selected keys' : 'Tangents that new keys get'}
        onChange={set}
      />
    </label>
  )
}

function kindOf(keys: readonly KeyChoice[]): Tangent | 'mixed' {
  let found: Tangent | null = null
  for (const { slider, times } of keys) {
    const curve = clipCurves.value.find((each) => each.slider === slider)!
    // Keys of a curve without tangents are all of one kind; a take has thousands of them.
    const count = curve.interpolation === 'cubic' ? times.length : 1
    for (let i = 0, key = keysBefore(curve.times, times[0] - SAME); i < count; i++) {
      while (curve.times[key] < times[i] - SAME) key += 1
      const kind = tangentOf(curve, key)
      if (found && kind !== found) return 'mixed'
      found = kind
    }
  }
  return found ?? 'auto'
}

/** Frame and value of the selected keys. */
function Numbers({ keys }: { keys: KeyChoice[] }) {
  const first = keys.length ? earliest(keys) : 0
  const curve = keys.length ? clipCurves.value.find((each) => each.slider === keys[0].slider) : undefined
  const value = curve ? curve.values[keysBefore(curve.times, keys[0].times[0] - SAME)] : 0
  return (
    <>
      <NumberField
        value={first * rate.value}
        digits={(first * rate.value) % 1 > 1e-3 && (first * rate.value) % 1 < 0.999 ? 2 : 0}
        suffix="f"
        tip="Frame of the first selected key; the others move along"
        disabled={!keys.length}
        onChange={(frame) => {
          const by = frame / rate.value - first
          void edit({ type: 'PlaceKeys', keys, time: frame / rate.value }).then(selectAt(keys, (time) => time + by))
        }}
      />
      <NumberField
        value={value}
        digits={3}
        step={0.01}
        tip="Value of the selected keys"
        disabled={!keys.length}
        onChange={(next) => edit({ type: 'PlaceKeys', keys, value: next })}
      />
    </>
  )
}

interface BetweenProps {
  label: string
  type: 'TweenKeys' | 'BlendKeys'
  low: number
  high: number
  rest: number // where the slider goes back to
  tip: string
}

/** A slider between neighbouring keys. All that it moves until it is let go is one step. */
function Between({ label, type, low, high, rest, tip }: BetweenProps) {
  const share = useSignal(rest)
  const drag = useMemo(() => {
    let keys: KeyChoice[] = []
    const held = heldRange({
      begun: { label: type === 'TweenKeys' ? 'Breakdown' : 'Blend to neighbour' },
      edit: (value) => ({ type, keys, share: value }),
      send: intend,
      ended: () => {
        keys = []
        share.value = rest
      },
    })
    const move = (value: number) => {
      if (!keys.length) keys = keysOrMoment()
      if (keys.length) held.move(value)
    }
    return { ...held, move }
  }, [])
  return (
    <label class="between">
      <span>{label}</span>
      <Range
        value={share.value}
        low={low}
        high={high}
        step={0.01}
        label={label}
        tip={tip}
        disabled={!clip.value}
        onChange={(value) => {
          share.value = value
          drag.move(value)
        }}
        held={drag}
      />
    </label>
  )
}
