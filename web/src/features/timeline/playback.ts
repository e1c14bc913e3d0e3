/** The current clip, frame by frame, and its rows at a time. */
import { signal } from '@preact/signals'
import { playedControls } from '../../core/controls'
import { clipName, time } from '../../core/document'
import type { ClipTable } from '../../core/frames'
import { NOTHING, showPosed } from '../../core/local'
import { showValues } from '../../core/pose'
import { row } from '../../core/playing'
import { query } from '../../core/server'

/** The table that came last. */
export const table = signal<ClipTable | null>(null)

/** The current clip, frame by frame. */
export async function sampled(): Promise<ClipTable> {
  await query({ type: 'SampleClip', clip: clipName.value })
  return table.value!
}

/** Show a moment of a clip without asking the server. */
export function showMoment(of: ClipTable | null, at: number): void {
  time.value = at
  if (!of) return
  const { weights, values, spots, local } = of.arrays
  const rowOf = (rows: Float32Array) => row(of.arrays, rows, at)
  const settings = rowOf(of.arrays.settings)
  playedControls.value = Object.fromEntries(of.controls.map((name, i) => [name, settings[i]]))
  showPosed(rowOf(weights), spots && local ? { spots, added: rowOf(local) } : NOTHING)
  showValues(rowOf(values))
}
