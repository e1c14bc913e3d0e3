/** What can be done with pins besides dragging them. */
import { pins } from '../../core/document'
import { places } from '../../core/pose'
import { chosenName } from '../../core/regions'
import { livePins } from '../../core/selection'
import { say } from '../../core/toasts'
import { edit, intend } from '../../core/server'
import { viewport } from '../../scene/current'
import { symmetric } from './state'

const STEP = 2 // pixels

/** The selected pins, or all where none is. */
const meant = () => (livePins.value.length ? livePins.value : pins.value.map((pin) => pin.id))

export function deletePins(ids = meant()): void {
  if (ids.length) edit({ type: 'DeletePins', pins: ids })
}

export function toggleHold(ids = livePins.value): void {
  if (!ids.length) return say('Select a pin first: click it.')
  const on = !ids.every((id) => pins.value.find((pin) => pin.id === id)?.hold)
  edit({ type: 'ChangePins', pins: ids, hold: on })
}

export function toggleFree(ids = livePins.value): void {
  if (!ids.length) return say('Select a pin first: click it.')
  const on = !ids.every((id) => pins.value.find((pin) => pin.id === id)?.free)
  edit({ type: 'ChangePins', pins: ids, free: on })
}

export function mirrorPins(ids = livePins.value): void {
  if (!ids.length) return say('Select a pin first: click it.')
  edit({ type: 'MirrorPins', pins: ids })
}

/** Move a pin by the arrow keys, in the view plane. */
export function nudge(event: KeyboardEvent, id: number): void {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0]
  const [place, where] = [places.value.get(id), viewport.value]
  if (!(dx || dy) || !place || !where) return
  event.preventDefault()
  event.stopPropagation()
  const step = STEP * (event.shiftKey ? 5 : 1)
  const spot = pins.value.find((pin) => pin.id === id)
  const { x, y } = where.seen(place, spot)
  const target = where.onPlane({ x: x + step * dx, y: y + step * dy }, place, spot)
  intend({ type: 'GestureBegan', label: 'Nudge pin' })
  intend({
    type: 'GestureUpdated',
    edit: {
      type: 'DragPins',
      targets: [{ pin: id, target: [...target] as [number, number, number] }],
      plane: [...where.direction(spot)] as [number, number, number],
      symmetric: symmetric.value,
      region: chosenName.value,
    },
  })
  intend({ type: 'GestureEnded' })
}
