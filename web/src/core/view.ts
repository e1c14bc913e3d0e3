/** How the user looks at the work, as far as several features share it. */
import { signal, type Signal } from '@preact/signals'
import type { Camera } from './gestures/orbit'

export const FRONT: Camera = { yaw: 0, pitch: 0, distance: 3.3, target: [0, 0, 0] }

export const tool = signal('pose') // the name of a feature's tool
export const tab = signal('pose') // the key of a feature's tab
export const camera = signal<Camera>(FRONT)
export const wireframe = signal(false)
export const ghost = signal(true) // the pose before a drag is shown while it lasts
export const isolated = signal(false) // the face alone is drawn, without what the file has besides it
export const viewOptions = signal(false) // the panel of the camera, the light and the surface is open
export const brush = signal(0.035) // radius, in sizes of the face
export const leftOpen = signal(true)
export const rightOpen = signal(true)
export const bottomOpen = signal(true)

export const dropping = signal(false) // files are dragged over the page

export const remembered = { tool, tab, camera, wireframe, ghost, isolated, brush, leftOpen, rightOpen, bottomOpen }

export function toggle(list: Signal<string[]>, name: string): void {
  list.value = list.value.includes(name) ? list.value.filter((each) => each !== name) : [...list.value, name]
}
