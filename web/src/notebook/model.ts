/** What the page knows of the widget in Python: its traits, as anywidget hands them over. */
import type { RigInfo } from '../core/protocol.gen'

export interface Model {
  get(trait: string): unknown
  set(trait: string, value: unknown): void
  save_changes(): void
  on(event: string, listener: () => void): void
  off(event: string, listener: () => void): void
}

export interface PackedImage {
  media: string
  data: DataView
}

/** A face as `facewright.notebook.face` packs it. */
export interface PackedFace {
  name: string
  rig: RigInfo
  geometry: DataView
  drivers: DataView
  images: Record<string, PackedImage>
  character: DataView // empty: the file has the face alone
  carried: Record<string, PackedImage>
  head: number[] // (12,) empty: at rest
}

export interface PackedClip {
  name: string
  start: number
  end: number
  weights: DataView // (f, n)
  head: DataView // (f, 12), or empty
}

export type Arrangement = 'beside' | 'split' | 'over'

export interface Traits {
  _faces: PackedFace[]
  _clip: PackedClip | Record<string, never>
  pose: number[]
  other_pose: number[] | null
  other_name: string
  heat: DataView | null
  heat_range: [number, number] | null
  heat_label: string
  time: number
  playing: boolean
  loop: boolean
  arrangement: Arrangement
  height: number
}

export const traitOf = <T extends keyof Traits>(model: Model, trait: T) => model.get(trait) as Traits[T]

/** The bytes of a trait in a buffer of their own, as arrays of numbers need it. */
export function bufferOf({ buffer, byteOffset, byteLength }: DataView): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
}

export const floatsOf = (data: DataView) => new Float32Array(bufferOf(data))
