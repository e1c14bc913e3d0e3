/** The slider for trust: all that it moves until it is let go is one gesture of the build. A key that repeats holds it, too. */
import type { Intend } from '../../core/intents'

/** `ended` is called when it is let go. */
export function dragTrust(send: Intend, ended: () => void = () => undefined) {
  let moving = false
  let keyed = false // a key is down

  function end(): void {
    if (!moving) return
    moving = false
    send({ type: 'GestureEnded' })
    ended()
  }

  return {
    move(trust: number): void {
      if (!moving) send({ type: 'GestureBegan', label: 'Trust examples', session: 'build' })
      moving = true
      send({ type: 'GestureUpdated', edit: { type: 'TrustExamples', trust } })
    },
    keyDown(): void {
      keyed = true
    },
    /** The browser says that a value is chosen: the pointer is up, or a key was pressed or repeats. */
    chosen(): void {
      if (!keyed) end()
    },
    /** The key is up, or the slider is not focused any more. */
    letGo(): void {
      keyed = false
      end()
    },
  }
}
