/** Every shortcut, once: this table is carried out and shown. */
import type { Axis } from '../features/pose/dragPin'
import { save } from '../core/files'
import { copyKeys, deleteKeys, goToKey, keyPose, keySelected, stepFrames } from '../features/timeline/actions'
import { deletePins, mirrorPins, toggleHold } from '../features/pose/actions'
import { playOrStop } from '../features/timeline/player'
import { beginChoosing, beginPainting, leaveRegion, stepLevel } from '../features/regions/actions'
import { building, half } from '../features/build/state'
import { chosenName } from '../core/regions'
import { beginBinding, goToWorst, solve } from '../features/take/actions'
import { drag, file, held } from '../core/document'
import { livePins, liveKeys, search, selectedKeys, selectedPins } from '../core/selection'
import { chosenMarker } from '../features/take/state'
import {
  bottomOpen,
  brush,
  chosen,
  ghost,
  headMotion,
  lane,
  leftOpen,
  linked,
  markersShown,
  onion,
  regionsShown,
  rightOpen,
  symmetric,
  tool,
  wireframe,
} from '../core/view'
import { anyOpen, helping, opening, saving } from '../core/windows'
import { send, tell } from '../core/server'
import { redo, undo } from '../core/undo'
import { lookFrom } from '../scene/current'

interface Shortcut {
  group: string
  keys: string // as shown: modifiers and a key, joined by +
  does: string
  run(): void
}

const flip = (what: { value: boolean }) => () => {
  what.value = !what.value
}
const sized = (factor: number) => () => {
  brush.value = Math.min(Math.max(brush.value * factor, 0.005), 0.15)
}

/** While a rig is built the document is not to be touched. */
const OF_BUILDS = ['Work', 'View']

function clear(): void {
  half.value = null
  if (leaveRegion()) return
  selectedPins.value = []
  selectedKeys.value = []
  chosen.value = []
  search.value = ''
  if (!chosenMarker.value && tool.value === 'bind') tool.value = 'pose'
  chosenMarker.value = ''
}

export const SHORTCUTS: Shortcut[] = [
  { group: 'Work', keys: 'Ctrl+Z', does: 'Undo', run: undo },
  { group: 'Work', keys: 'Ctrl+Shift+Z', does: 'Redo', run: redo },
  {
    group: 'Work',
    keys: 'Ctrl+S',
    does: 'Save',
    run: () => (file.value.saves_to ? void save() : (saving.value = true)),
  },
  {
    group: 'Work',
    keys: 'Ctrl+O',
    does: 'Open a face',
    run: () => {
      opening.value = true
    },
  },
  {
    group: 'Work',
    keys: '?',
    does: 'This list',
    run: () => {
      helping.value = true
    },
  },
  { group: 'Work', keys: 'Escape', does: 'Cancel a drag, select nothing', run: clear },
  {
    group: 'Pose',
    keys: 'Q',
    does: 'Pose: set and drag pins',
    run: () => {
      tool.value = 'pose'
    },
  },
  {
    group: 'Pose',
    keys: 'W',
    does: 'Hold: paint points to hold still',
    run: () => {
      tool.value = 'hold'
    },
  },
  { group: 'Pose', keys: 'H', does: 'Selected pins hold, or no longer', run: () => toggleHold() },
  { group: 'Pose', keys: 'M', does: 'Mirror selected pins', run: () => mirrorPins() },
  { group: 'Pose', keys: 'S', does: 'Symmetric drags', run: flip(symmetric) },
  {
    group: 'Pose',
    keys: 'D',
    does: 'Damping',
    run: () => tell({ type: 'SetDragOptions', method: drag.value.method, damped: !drag.value.damped }),
  },
  {
    group: 'Pose',
    keys: 'Shift+H',
    does: 'Hold chosen points still, or no longer',
    run: () => send({ type: 'Edited', edit: { type: 'SetHolding', on: !held.value.on, alpha: held.value.alpha } }),
  },
  { group: 'Pose', keys: '[', does: 'Smaller brush', run: sized(1 / 1.25) },
  { group: 'Pose', keys: ']', does: 'Larger brush', run: sized(1.25) },
  {
    group: 'Pose',
    keys: 'Delete',
    does: 'Delete selected pins or keys',
    run: () =>
      liveKeys.value.length && !livePins.value.length ? deleteKeys() : livePins.value.length ? deletePins() : undefined,
  },
  { group: 'Take', keys: 'B', does: 'Bind markers by clicks', run: beginBinding },
  { group: 'Take', keys: 'Shift+B', does: 'Solve the take', run: solve },
  { group: 'Take', keys: 'J', does: 'To the next of the worst frames', run: () => goToWorst(1) },
  { group: 'Take', keys: 'Shift+J', does: 'To the one before', run: () => goToWorst(-1) },
  { group: 'Take', keys: 'Shift+M', does: 'Markers', run: flip(markersShown) },
  { group: 'Take', keys: 'N', does: 'Head motion', run: flip(headMotion) },
  { group: 'Regions', keys: 'R', does: 'Choose a region: click it on the face', run: beginChoosing },
  { group: 'Regions', keys: 'Escape', does: 'Leave the region', run: clear },
  { group: 'Regions', keys: 'V', does: 'Colours of the regions', run: flip(regionsShown) },
  { group: 'Regions', keys: 'PageUp', does: 'Larger regions', run: () => stepLevel(1) },
  { group: 'Regions', keys: 'PageDown', does: 'Smaller regions', run: () => stepLevel(-1) },
  { group: 'Regions', keys: 'P', does: 'Paint the chosen region', run: beginPainting },
  { group: 'Sliders', keys: '/', does: 'Find a slider', run: () => document.getElementById('search')?.focus() },
  { group: 'Sliders', keys: 'Shift+L', does: 'Link left and right', run: flip(linked) },
  {
    group: 'Sliders',
    keys: 'Shift+R',
    does: 'All back to 0, or to what is around the region',
    run: () => send({ type: 'Edited', edit: { type: 'ResetWeights', region: chosenName.value } }),
  },
  { group: 'Time', keys: 'Space', does: 'Play, stop', run: playOrStop },
  { group: 'Time', keys: 'K', does: 'Key the pose', run: keyPose },
  { group: 'Time', keys: 'Shift+K', does: 'Key the selected sliders', run: keySelected },
  { group: 'Time', keys: ',', does: 'A frame back', run: () => stepFrames(-1) },
  { group: 'Time', keys: '.', does: 'A frame on', run: () => stepFrames(1) },
  { group: 'Time', keys: 'Shift+<', does: 'To the key before', run: () => goToKey(-1) },
  { group: 'Time', keys: 'Shift+>', does: 'To the next key', run: () => goToKey(1) },
  { group: 'Time', keys: 'Ctrl+D', does: 'Copy selected keys to here', run: copyKeys },
  {
    group: 'Time',
    keys: 'C',
    does: 'Keys or curves',
    run: () => {
      lane.value = lane.value === 'keys' ? 'curves' : 'keys'
    },
  },
  { group: 'Time', keys: 'O', does: 'Onion: neighbouring keys', run: flip(onion) },
  { group: 'View', keys: '1', does: 'Front', run: () => lookFrom(0) },
  { group: 'View', keys: '2', does: 'Three quarters', run: () => lookFrom((35 * Math.PI) / 180) },
  { group: 'View', keys: '3', does: 'Side', run: () => lookFrom(Math.PI / 2) },
  {
    group: 'View',
    keys: 'Shift+2',
    does: 'Three quarters, from its right',
    run: () => lookFrom((-35 * Math.PI) / 180),
  },
  { group: 'View', keys: 'Shift+3', does: 'Side, from its right', run: () => lookFrom(-Math.PI / 2) },
  { group: 'View', keys: 'E', does: 'Mesh', run: flip(wireframe) },
  { group: 'View', keys: 'G', does: 'Ghost of the pose before', run: flip(ghost) },
  { group: 'View', keys: 'F2', does: 'Sliders', run: flip(leftOpen) },
  { group: 'View', keys: 'F3', does: 'Timeline', run: flip(bottomOpen) },
  { group: 'View', keys: 'F4', does: 'Pose, regions, history', run: flip(rightOpen) },
]

export const POINTERS: [string, string][] = [
  ['Click', 'Set a pin on the face, and drag it'],
  ['Shift+Drag', 'A pin along the surface’s normal'],
  ['X+Drag', 'A pin along one axis; Y and Z likewise'],
  ['Ctrl+Click', 'Select one more pin, slider or key'],
  ['Background', 'Drag to turn'],
  ['Right', 'Drag to turn, anywhere'],
  ['Middle', 'Drag to shift'],
  ['Wheel', 'Nearer, further'],
  ['Alt+Drag', 'Copies of keys'],
]

const AXIS_KEYS = new Set<Axis>(['x', 'y', 'z'])
const down = new Set<string>()

/** The axis whose key is held down, while dragging. */
export const heldAxis = (): Axis | null => [...AXIS_KEYS].find((axis) => down.has(axis)) ?? null

/** How an event is written in the table. */
export function written(event: KeyboardEvent): string {
  const key =
    event.key === ' '
      ? 'Space'
      : event.key.length === 1
        ? shiftless(event)
        : event.key === 'Backspace'
          ? 'Delete'
          : event.key
  const shift = event.shiftKey && key !== '?' && key !== '/'
  return [event.ctrlKey || event.metaKey ? 'Ctrl' : '', shift ? 'Shift' : '', key].filter(Boolean).join('+')
}

/** Digits stay digits under shift, whatever the keyboard writes there. */
function shiftless(event: KeyboardEvent): string {
  const digit = /^Digit(\d)$/.exec(event.code)
  return digit ? digit[1] : event.key.toUpperCase()
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    down.add(event.key.toLowerCase())
    const target = event.target as HTMLElement
    const typing = target.matches('input:not([type=range]), select, textarea')
    if (anyOpen() || (typing && !event.ctrlKey && !event.metaKey)) return
    if (event.key === ' ' && target.matches('button')) return
    const keys = written(event)
    const shortcut = SHORTCUTS.find((each) => each.keys === keys || (keys === 'Ctrl+Y' && each.keys === 'Ctrl+Shift+Z'))
    if (!shortcut || (event.repeat && !/^[,.[\]]$/.test(keys) && !/Z$/.test(keys))) return
    if (building.value && !OF_BUILDS.includes(shortcut.group)) return
    event.preventDefault()
    shortcut.run()
  })
  document.addEventListener('keyup', (event) => down.delete(event.key.toLowerCase()))
  window.addEventListener('blur', () => down.clear())
}
