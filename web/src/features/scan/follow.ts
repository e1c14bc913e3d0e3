/** Keeps the sequence's table and the cloud of the shown frame up to date, and draws the cloud over the face. */
import { effect } from '@preact/signals'
import { scan } from '../../core/document'
import { opened } from '../../core/files'
import { posed } from '../../core/pose'
import { fetchFrame } from '../../core/routes'
import { complain } from '../../core/toasts'
import { face, viewport } from '../../scene/current'
import { surfaceDistances } from '../../scene/surfaceDistance'
import { rampRgb, rampTop } from '../../widgets/ramp'
import { showScan } from './actions'
import { cloud, cloudShown, off, scanFrame, table } from './state'

const PLAIN = [0.62, 0.78, 0.9] as const // of points that are not compared

export function followScan(): void {
  effect(() => {
    if (opened.value?.brings === 'scan') showScan()
  })
  effect(() => {
    const id = scan.value?.id ?? ''
    if (!id) {
      table.value = null
      cloud.value = null
    } else if (table.peek()?.scan !== id) fetchTable(id)
  })
  followFrame()
  followCloud()
}

function fetchTable(id: string): void {
  fetchFrame('ScanTable', `/api/scan/${encodeURIComponent(id)}`)
    .then((frame) => {
      if (scan.value?.id === id) table.value = frame
    })
    .catch((problem: unknown) => {
      if (scan.value?.id === id) complain(problem)
    })
}

/** Fetch the cloud of the shown frame, one at a time: of many frames only the last. */
function followFrame(): void {
  let asking = false
  const wanted = () => ({ id: scan.value?.id ?? '', frame: scanFrame.value })
  const go = () => {
    const { id, frame } = wanted()
    if (asking || !id || frame < 0 || (cloud.peek()?.scan === id && cloud.peek()?.frame === frame)) return
    asking = true
    fetchFrame('ScanCloud', `/api/scan/${encodeURIComponent(id)}/${frame}`)
      .then((found) => {
        if (scan.peek()?.id === id) cloud.value = found
      })
      .catch((problem: unknown) => {
        if (scan.peek()?.id === id) complain(problem)
      })
      .finally(() => {
        asking = false
        const now = { id: scan.peek()?.id ?? '', frame: scanFrame.peek() }
        if (now.id !== id || now.frame !== frame) go()
      })
  }
  effect(() => {
    void wanted()
    if (cloudShown.value) go()
  })
}

/** Draw the cloud, coloured by how far the face in its pose is from it; at most once for a frame of the screen. */
function followCloud(): void {
  let asked = false
  effect(() => {
    void [posed.value, face.value, cloud.value, cloudShown.value, scanFrame.value, viewport.value]
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      draw()
    })
  })
}

function draw(): void {
  const [where, found, of] = [viewport.peek(), cloud.peek(), scan.peek()]
  if (!where?.face) return
  if (!found || !of || !cloudShown.peek() || scanFrame.peek() < 0 || found.scan !== of.id) {
    where.cloud.hide()
    off.value = new Float32Array(0)
    return
  }
  const { points } = found.arrays
  const away = of.found ? surfaceDistances(points, where.surface()).map((each) => each * of.millimetres) : null
  off.value = away ?? new Float32Array(0)
  where.cloud.show(points, colorsOf(points.length / 3, away, cloudTop()))
}

/** Millimetres at the end of the scale. */
export const cloudTop = () => rampTop(2 * (scan.value?.tracked?.most ?? 1))

export function colorsOf(count: number, away: Float32Array | null, top: number): Float32Array {
  const colors = new Float32Array(3 * count)
  for (let i = 0; i < count; i++) {
    const known = away && !Number.isNaN(away[i])
    colors.set(known ? rampRgb(Math.abs(away[i]) / top) : PLAIN, 3 * i)
  }
  return colors
}
