/** Notices what is posed and not keyed, and offers to key what was left. */
import { effect } from '@preact/signals'
import { controlOf } from '../../core/controls'
import { clipCurves, controls, layered, live, opened, time } from '../../core/document'
import { weightsIn } from '../../core/local'
import { posed } from '../../core/pose'
import { edit } from '../../core/server'
import { byName } from '../../core/sliders'
import { playing } from '../../core/time'
import { differing, differingFrom, left, unkeyed } from '../../core/unkeyed'

export function watchUnkeyed(): void {
  effect(() => {
    void posed.value
    const curves = clipCurves.value
    // While a clip plays the pose lies between frames, and nobody has posed it. The time comes before its pose.
    // A live face is in flight, too.
    if (playing.peek() || live.peek()) return void (unkeyed.value = null)
    const weights = weightsIn(-1)
    const weightOf = (name: string) => weights[byName.peek().get(name)?.index ?? -1] ?? angleOf(name)
    const found = layered.peek() ? differingFrom(layered.peek()!, weightOf) : differing(curves, weightOf, time.peek())
    unkeyed.value = Object.keys(found).length ? { time: time.peek(), weights: found } : null
  })
  effect(() => {
    void opened.value
    left.value = null
  })
}

/** The value of a control of head or eyes; lengths are those of takes and targets, and are not watched. */
const angleOf = (name: string) => (controlOf.peek().get(name)?.unit === 'length' ? undefined : controls.peek()[name])

/** Key what was left, where it was. */
export function keyLeft(): void {
  const { time, weights } = left.value!
  edit({ type: 'KeyValues', time, weights })
  left.value = null
}

/** Pose what was left at the present time. */
export function bringBack(): void {
  const all = Object.entries(left.value!.weights)
  const weights = Object.fromEntries(all.filter(([name]) => byName.value.has(name)))
  const values = Object.fromEntries(all.filter(([name]) => !byName.value.has(name)))
  if (Object.keys(weights).length) edit({ type: 'SetWeights', weights })
  if (Object.keys(values).length) edit({ type: 'SetControls', values })
  left.value = null
}
