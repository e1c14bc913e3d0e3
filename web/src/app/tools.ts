/** The tools of all features, and which of their gestures a pointer begins. */
import { orbit } from '../core/gestures/orbit'
import type { Gesture, Pointer } from '../core/gestures/pointer'
import { selectedPins } from '../core/selection'
import { camera, tool } from '../core/view'
import type { Tool } from '../features/feature'
import type { Viewport } from '../scene/viewport'
import { FEATURES } from './features'

export const TOOLS: readonly Tool[] = FEATURES.flatMap((feature) => feature.tools ?? [])

/** The tool that pointers go to. A tool that is not there any more, such as a remembered one, is the first. */
export const activeTool = (): Tool =>
  TOOLS.find((each) => each.replaces?.()) ?? TOOLS.find(({ name }) => name === tool.value) ?? TOOLS[0]

/** Gives the gesture that a pointer begins: the tool's on the face, the camera's elsewhere. */
export function beginning(viewport: Viewport): (pointer: Pointer) => Gesture {
  const made = new Map<string, Gesture>()
  const gestureOf = (name: string): Gesture => {
    const known = made.get(name)
    if (known) return known
    const found = TOOLS.find((each) => each.name === name)
    if (!found) throw new Error(`there is no tool ${name}; there are ${TOOLS.map((each) => each.name).join(', ')}`)
    const gesture = found.gesture(viewport, gestureOf)
    made.set(name, gesture)
    return gesture
  }
  const turn = orbit({
    get: () => camera.value,
    set: (next) => {
      camera.value = next
    },
    height: () => viewport.size.height,
  })
  return (pointer) => {
    const own = gestureOf(activeTool().name)
    if (pointer.button === 0 && !pointer.alt && own.down(pointer)) return own
    if (pointer.button === 0 && !pointer.ctrl) selectedPins.value = []
    turn.down(pointer)
    return turn
  }
}

/** Let tools show what is under the pointer; null: nothing is. */
export function hoverTools(viewport: Viewport, at: Pointer | null): void {
  const active = activeTool()
  for (const each of TOOLS) each.hover?.(viewport, each === active ? at : null)
}
