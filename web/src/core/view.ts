/** How the person looks at the work: remembered, not undone. */
import { effect, signal, type Signal } from '@preact/signals'
import type { Camera } from './gestures/orbit'
import type { DetailBy } from '../scene/textures/detail'
import type { Mixing } from '../scene/textures/textures'
import type { Gazing } from '../scene/viewport'

export type Tool = 'pose' | 'hold' | 'bind' | 'region' | 'paint'
export type Lane = 'keys' | 'curves'
export type Tab = 'pose' | 'regions' | 'take' | 'look' | 'build'

export const FRONT: Camera = { yaw: 0, pitch: 0, distance: 3.3, target: [0, 0, 0] }

export const tool = signal<Tool>('pose')
export const tab = signal<Tab>('pose') // of the panel on the right
export const camera = signal<Camera>(FRONT)
export const wireframe = signal(false)
export const ghost = signal(true)
export const onion = signal(false)
export const symmetric = signal(false)
export const linked = signal(false) // mirror pairs of sliders move together
export const hiddenParts = signal<string[]>([])
export const folded = signal<string[]>([]) // groups of sliders
export const chosen = signal<string[]>([]) // sliders whose curves are shown and that are keyed alone
export const brush = signal(0.035) // radius, in sizes of the face
export const holdAxes = signal('xyz')
export const lane = signal<Lane>('keys')
export const looping = signal(true)
export const leftOpen = signal(true)
export const rightOpen = signal(true)
export const markersShown = signal(true)
export const worn = signal(true) // markers sit on this face at rest, whatever the actor's is like
export const headMotion = signal(false) // the face moves as the head did
export const solveOptions = signal({ smooth: '', keys: 0.005, residual: false, gaze: false, by_region: false })
export const bottomOpen = signal(true)
export const region = signal('') // name of the chosen one, '' for the whole face
export const level = signal(0) // of regions, 0 the finest
export const regionsShown = signal(true)
export const threshold = signal(0.75) // with which regions are found
export const compared = signal({ layout: 'beside' as 'beside' | 'split', divider: 0.5, error: true, oneScale: false }) // in a build
export const mixing = signal<Mixing>('bands') // of textures
export const splitAt = signal(0.5) // of the viewport's width
export const detailBy = signal<DetailBy>('dominant')
export const gazing = signal<Gazing>('off') // what the eyes look at
export const gazePoint = signal<[number, number, number]>([0, 0, 0]) // in rig space

const remembered: Record<string, Signal<unknown>> = {
  tool,
  tab,
  camera,
  wireframe,
  ghost,
  onion,
  symmetric,
  linked,
  hiddenParts,
  folded,
  chosen,
  brush,
  holdAxes,
  lane,
  looping,
  leftOpen,
  rightOpen,
  bottomOpen,
  region,
  level,
  regionsShown,
  threshold,
  mixing,
  splitAt,
  detailBy,
  gazing,
  gazePoint,
  markersShown,
  worn,
  headMotion,
  solveOptions,
  compared,
} as unknown as Record<string, Signal<unknown>>

export function snapshot(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(remembered).map(([name, each]) => [name, each.value]))
}

/** Take over what was remembered, where it is of the kind that it should be. */
export function restore(view: Record<string, unknown>): void {
  for (const [name, each] of Object.entries(remembered)) {
    if (name in view && sameKind(view[name], each.peek())) each.value = view[name]
  }
}

function sameKind(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b)
  if (typeof a !== typeof b || a === null || b === null) return false
  if (typeof a !== 'object') return true
  return Object.entries(b as object).every(([key, value]) => sameKind((a as Record<string, unknown>)[key], value))
}

/** Call back a moment after the last change. */
export function whenSettled(remember: (view: Record<string, unknown>) => void, wait = 500): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = true
  return effect(() => {
    const view = snapshot()
    clearTimeout(timer)
    if (!first) timer = setTimeout(() => remember(view), wait)
    first = false
  })
}

export function toggle(list: Signal<string[]>, name: string): void {
  list.value = list.value.includes(name) ? list.value.filter((each) => each !== name) : [...list.value, name]
}
