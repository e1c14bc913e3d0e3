/** A slider of which all that it moves until it is let go is one gesture. A key that repeats holds it, too. */
import type { Edit, Intend, Intent } from '../intents'

interface Asked {
  begun: Omit<Extract<Intent, { type: 'GestureBegan' }>, 'type'>
  edit(value: number): Edit
  send: Intend
  ended?(): void // it is let go
}

export function heldRange({ begun, edit, send, ended }: Asked) {
  let moving = false
  let keyed = false // a key is down

  function end(): void {
    if (!moving) return
    moving = false
    send({ type: 'GestureEnded' })
    ended?.()
  }

  return {
    move(value: number): void {
      if (!moving) send({ type: 'GestureBegan', ...begun })
      moving = true
      send({ type: 'GestureUpdated', edit: edit(value) })
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
