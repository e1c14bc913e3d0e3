/** The canvases that are shown: the viewport with its face, and the stage of a build. */
import { computed, effect, signal } from '@preact/signals'
import type { Face } from './face'
import { faceData } from './geometry'
import type { Stage } from './stage/stage'
import type { Viewport } from './viewport'
import type { RigInfo } from '../core/protocol.gen'
import { character as fetchCharacter, geometry } from '../core/routes'
import { headRig, rig } from '../core/document'
import { posed, previewed, values } from '../core/pose'
import { complain } from '../core/toasts'
import { camera, FRONT } from '../core/view'

export const viewport = signal<Viewport | null>(null)
export const face = signal<Face | null>(null)
export const stage = signal<Stage | null>(null)
export const covered = signal(false) // a stage lies over the viewport, which need not be drawn

/** Colours (v, 4) over the face, linear, the last number how much they hide; null: those of regions, if shown. */
export const vertexColors = signal<Float32Array | null>(null)

/** The same for how symmetric the pose is; those above come first. */
export const symmetryColors = signal<Float32Array | null>(null)

/** Whether the face has eyes that can look somewhere: eyeballs, shapes of the gaze, or joints of the file. */
export const hasEyes = signal(false)

/** How many meshes the file has besides the face. */
export const carried = signal(0)

let shown: RigInfo | null = null

/** Whether two rigs are of one face, so that the camera can stay: only its shapes or sliders were edited. */
const isSameNeutral = (one: RigInfo, other: RigInfo | null) =>
  one.vertices === other?.vertices && one.triangles === other.triangles && one.size === other.size

/** Fetch the geometry of every rig that is opened, from now on. */
export function followRig(): void {
  effect(() => {
    const [info, where] = [rig.value, viewport.value]
    if (!info || !where || where.face?.data.rig === info.id) return
    if (info.base && where.face?.data.rig === info.base) return // a ShapeChange follows
    geometry(info.id)
      .then((frame) => {
        if (rig.value?.id !== info.id) return
        const [first, kept] = [face.peek() === null, isSameNeutral(info, shown)]
        shown = info
        face.value = where.load(faceData(frame, info.parts, info.vertices))
        // A view that was remembered stays, and so does that of a rig that was edited; another face is shown whole.
        if ((!first && !kept) || camera.peek() === FRONT) camera.value = where.framed(0)
      })
      .catch((problem: Error) => {
        if (rig.value?.id === info.id) complain(problem) // of a rig that is there no more nothing is expected
      })
  })
}

const joints = computed(() => JSON.stringify(headRig.value?.joints))

/** Fetch what the file has besides every face that is shown, and anew when other joints turn it. */
export function followCharacter(): void {
  effect(() => {
    const [own, wanted, where] = [face.value, joints.value, viewport.value]
    if (!own || !where) return
    hasEyes.value = own.data.stiff.hasEyes
    const isCurrent = () => face.peek() === own && joints.peek() === wanted
    fetchCharacter(own.data.rig)
      .then((frame) => {
        if (!isCurrent()) return
        where.accompany(frame)
        hasEyes.value = own.data.stiff.hasEyes
        carried.value = new Set(frame.ranges.map(({ name }) => name)).size
      })
      .catch((problem: Error) => {
        if (isCurrent()) complain(problem)
      })
  })
}

/** Let the viewport show the pose and follow the camera, from now on. */
export function followPose(): void {
  effect(() => viewport.value?.setCamera(camera.value))
  effect(() => {
    void posed.value
    viewport.value?.pose(previewed.value ?? values)
  })
}

/** See the whole face from an angle, in radians. */
export function lookFrom(yaw: number, pitch = 0): void {
  if (viewport.value) camera.value = viewport.value.framed(yaw, pitch)
}
