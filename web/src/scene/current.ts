/** The viewport that is shown and the face in it. */
import { effect, signal } from '@preact/signals'
import type { Face } from './face'
import { faceData } from './geometry'
import type { Viewport } from './viewport'
import { geometry } from '../core/routes'
import { rig } from '../core/document'
import { complain } from '../core/toasts'
import { camera, FRONT } from '../core/view'

export const viewport = signal<Viewport | null>(null)
export const face = signal<Face | null>(null)

/** Fetch the geometry of every rig that is opened. */
effect(() => {
  const [info, where] = [rig.value, viewport.value]
  if (!info || !where || where.face?.data.rig === info.id) return
  geometry(info.id)
    .then((frame) => {
      if (rig.value?.id !== info.id) return
      const first = face.peek() === null
      face.value = where.load(faceData(frame, info.parts, info.vertices))
      // A view that was remembered stays; another face is shown whole.
      if (!first || camera.peek() === FRONT) camera.value = where.framed(0)
    })
    .catch(complain)
})

export function lookFrom(yaw: number, pitch = 0): void {
  if (viewport.value) camera.value = viewport.value.framed(yaw, pitch)
}
