/** The tool that sets and drags pins: what its gesture asks of the scene and of the state. */
import { heldAxis } from '../../core/shortcuts'
import type { Gesture, Pointer } from '../../core/gestures/pointer'
import { pins } from '../../core/document'
import { before, dragging, places, values } from '../../core/pose'
import { chosenName } from '../../core/regions'
import { livePins, selectPin } from '../../core/selection'
import { intend } from '../../core/server'
import type { Viewport } from '../../scene/viewport'
import type { Tool } from '../feature'
import { dragPin, type PinWorld } from './dragPin'
import { symmetric } from './state'

const GRAB = 11 // pixels round a pin

/** A number that no pin has. */
const freePin = () => pins.value.reduce((most, pin) => Math.max(most, pin.id), 0) + 1

function pinWorld(viewport: Viewport): PinWorld {
  return {
    pinAt: (pointer) => pinAt(viewport, pointer),
    surfaceAt(pointer) {
      const hit = viewport.surfaceAt(pointer)
      return (
        hit && {
          spot: { triangle: hit.triangle, barycentric: hit.barycentric },
          place: hit.place,
          normal: hit.normal,
        }
      )
    },
    placeOf(id) {
      const [place, pin] = [places.value.get(id), pins.value.find((each) => each.id === id)]
      return place && pin ? { spot: pin, place, normal: viewport.normalOf(pin) } : null
    },
    companions: (pin) => (livePins.value.includes(pin) ? livePins.value : [pin]),
    freePin,
    onPlane: (pointer, through, of) => viewport.onPlane(pointer, through, of),
    onLine: (pointer, through, along, of) => viewport.onLine(pointer, through, along, of),
    viewDirection: (of) => viewport.direction(of),
    axis: () => heldAxis(),
    symmetric: () => symmetric.value,
    region: () => chosenName.value,
  }
}

function pinAt(viewport: Viewport, pointer: Pointer): number | null {
  const near = [...places.value].flatMap(([id, place]) => {
    const { x, y, depth } = viewport.seen(
      place,
      pins.value.find((pin) => pin.id === id),
    )
    const away = Math.hypot(x - pointer.x, y - pointer.y)
    return away <= GRAB ? [{ id, away, depth }] : []
  })
  // Of two that lie over each other the one in front.
  return near.sort((a, b) => a.depth - b.depth || a.away - b.away)[0]?.id ?? null
}

const gesture = (viewport: Viewport): Gesture =>
  dragPin({
    world: pinWorld(viewport),
    send: intend,
    selected: selectPin,
    dragging(on) {
      if (on) before.value = values.slice()
      dragging.value = on
    },
  })

export const poseTool: Tool = {
  name: 'pose',
  button: {
    icon: 'pin',
    label: 'Pose',
    tip: "Click the face to set a pin and drag it; the face follows. Shift drags along the surface's normal, X, Y or Z along one axis",
    keys: 'Q',
  },
  gesture,
}
