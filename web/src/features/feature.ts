/** What a feature consists of. Each folder beside this file has an `index.ts` that gives one; `app/features.ts` lists them. */
import type { ReadonlySignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Gesture, Pointer } from '../core/gestures/pointer'
import type { RecognisedFile } from '../core/protocol.gen'
import type { Remembered } from '../core/remember'
import type { Receiver } from '../core/server'
import type { PointerHint, Shortcut } from '../core/shortcuts'
import type { TimeAxis } from '../core/timeAxis'
import type { Undoable } from '../core/undo'
import type { Viewport } from '../scene/viewport'
import type { IconName } from '../widgets/icons'

/** A tab of the panel on the right. */
export interface Tab {
  key: string
  label: string
  tip: string
  /** Shown in place of the viewport, the sliders and the timeline. */
  Stage?: ComponentType
}

/** A part of a tab, of the feature's own one or of another feature's. */
export interface TabSection {
  tab: string // its key; '*' stands for every tab without a stage
  Body: ComponentType
}

/** What the pointer does on the face. */
export interface Tool {
  name: string // the value of `tool` that chooses it
  button?: ToolButton
  /** `other` gives the gesture of another tool. */
  gesture(viewport: Viewport, other: (name: string) => Gesture): Gesture
  /** Whether it is used though another tool is chosen. */
  replaces?(): boolean
  /** The pointer moves over the face without a gesture; null: over nothing, or under another tool. */
  hover?(viewport: Viewport, at: Pointer | null): void
  /** Layers are given the place of the pointer. */
  follows?: boolean
}

export interface ToolButton {
  icon: IconName
  label: string
  tip: string
  keys: string
  tone?: 'plain' | 'held'
  shown?(): boolean
  pressed?(): boolean // else: while the tool is chosen
  onClick?(): void // else: choose the tool
}

/** Drawn over the face. `drawn` counts the frames of the viewport; `hover` is the place of the pointer in it. */
export interface LayerProps {
  drawn: ReadonlySignal<number>
  hover: ReadonlySignal<{ x: number; y: number } | null>
}

/** A strip over the lanes of the timeline. */
export interface LaneProps {
  axisOf(size: { width: number; height: number }): TimeAxis
  fontOf(element: HTMLElement): string
}

export interface BottomProps {
  lanes: readonly ComponentType<LaneProps>[]
}

export interface DialogInfo {
  isOpen(): boolean
  Body: ComponentType
}

/** Files that are dropped on the page. Those that no feature claims are opened. */
export interface FileDrop {
  claims(kind: RecognisedFile['kind']): boolean // null: a file of no known kind
  open(files: readonly File[]): Promise<void> | void
  /** What is said while files are dragged over the page; '' or absent: as usual. */
  words?(): string
}

export interface Feature extends Receiver {
  name: string
  tab?: Tab
  sections?: readonly TabSection[]
  Left?: ComponentType
  Bottom?: ComponentType<BottomProps>
  bar?: { side: 'left' | 'right'; Body: ComponentType } // in the bar at the top
  tools?: readonly Tool[]
  layers?: readonly ComponentType<LayerProps>[]
  lanes?: readonly ComponentType<LaneProps>[]
  dialogs?: readonly DialogInfo[]
  shortcuts?: readonly Shortcut[]
  pointers?: readonly PointerHint[]
  /** Select nothing any more: Escape was pressed. */
  deselect?(): void
  history?: ReadonlySignal<Undoable | null>
  files?: FileDrop
  remembered?: Remembered
  /** What tests can read, with getters; it becomes part of `window.__facewright`. */
  watched?: object
  /** Called once, before the page connects: the place for effects and listeners. */
  start?(): void
}
