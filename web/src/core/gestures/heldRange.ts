/**
 * A slider of which all that it moves until it is let go is one gesture. A key that repeats holds it, too; keys that do
 * not move it, such as those of undo, do not end a drag.
 */
import type { Edit, Intend, Intent } from '../intents'

const MOVING = /^(Arrow(Left|Right|Up|Down)|Home|End|Page(Up|Down))$/

interface Asked {
  begun: Omit<Extract<Intent, { type: 'GestureBegan' }>, 'type'>
  edit(value: number): Edit
  send: Intend
  ended?(): void // it is let go
}

export function heldRange({ begun, edit, send, ended }: Asked) {
  let moving = false
  let keyed = false // a key that moves it is down

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
    keyDown(key: string): void {
      if (MOVING.test(key)) keyed = true
    },
    keyUp(key: string): void {
      if (!keyed || !MOVING.test(key)) return
      keyed = false
      end()
    },
    /** The browser says that a value is chosen: the pointer is up, or a key was pressed or repeats. */
    chosen(): void {
      if (!keyed) end()
    },
    /** The slider is not focused any more, or is gone. */
    letGo(): void {
      keyed = false
      end()
    },
  }
}
