/** What is on the stage: fetched when it is needed, kept as long as it is shown. */
import { computed, effect, signal } from '@preact/signals'
import type { BuildFace } from '../../core/protocol.gen'
import { complain } from '../../core/toasts'
import { stage } from '../../scene/current'
import { findOpenness } from '../../scene/openness'
import { heatColors, roundUp } from '../../scene/stage/heat'
import { PreviewFace, type MeshData } from '../../scene/stage/preview'
import { buildMesh, comparedPose, type Compared } from './routes'
import { build, building, chosenPose, compared, heatTop, pairing } from './state'

export interface Shown {
  title: string
  note: string
  preview: PreviewFace | null
  side?: 'source' | 'target' // of pairs of points
}

export const shown = signal<Shown[]>([])

/** The pose on the stage, once it is there. */
export const shownPose = signal<Compared | null>(null)

/** The end of the heat map's scale, a round number. */
export const heatHigh = computed(() =>
  roundUp(heatTop(chosenPose.value, build.value?.poses ?? [], compared.value.oneScale)),
)

const meshes = new Map<string, Promise<MeshData>>()
const previews = new Map<string, PreviewFace>() // by face and place on the stage

function meshOf(face: BuildFace): Promise<MeshData> {
  const known = meshes.get(face.id)
  if (known) return known
  const asked = buildMesh(face).then((data) => {
    findOpenness(data, (share) => {
      data.open.set(share)
      for (const preview of previews.values()) if (preview.data === data) preview.open(share)
      stage.peek()?.ask()
    })
    return data
  })
  asked.catch(() => meshes.delete(face.id))
  meshes.set(face.id, asked)
  return asked
}

async function previewOf(face: BuildFace, place: string): Promise<PreviewFace> {
  const data = await meshOf(face)
  const key = `${place} ${face.id}`
  const known = previews.get(key)
  if (known) return known
  for (const [old, preview] of previews) {
    if (!old.startsWith(`${place} `)) continue
    preview.dispose()
    previews.delete(old)
  }
  const made = new PreviewFace(data)
  previews.set(key, made)
  return made
}

/** Forget meshes that the build no longer has. */
function sweep(): void {
  const now = build.peek()
  const kept = new Set([now?.template.id, now?.neutral?.id, now?.rest?.id])
  for (const id of meshes.keys()) if (!kept.has(id)) meshes.delete(id)
}

interface Wanted {
  faces: { face: BuildFace; title: string; note: string; side?: 'source' | 'target' }[]
  view: string
}

/** The faces that the stage should show. */
const wanted = computed<Wanted>(() => {
  const now = build.value
  if (!now) return { faces: [], view: '' }
  const { template, neutral, rest, registration } = now
  if (!neutral) return { faces: [{ face: template, title: 'Template', note: template.name }], view: '' }
  if (pairing.value) {
    return {
      faces: [
        { face: template, title: 'Template', note: template.name, side: 'source' },
        { face: neutral, title: 'Face', note: neutral.name, side: 'target' },
      ],
      view: '',
    }
  }
  const pose = chosenPose.value
  if (rest && pose?.view) {
    const example = { face: rest, title: 'Example', note: pose.name }
    return {
      faces: pose.fit ? [example, { face: rest, title: 'The rig’s version', note: pose.name }] : [example],
      view: pose.view,
    }
  }
  if (rest && registration && !registration.own)
    return {
      faces: [
        { face: neutral, title: 'Face', note: neutral.name },
        { face: rest, title: 'Registered template', note: '' },
      ],
      view: '',
    }
  return { faces: [{ face: rest ?? neutral, title: 'Neutral', note: neutral.name }], view: '' }
})

let newest = 0 // counts fetches: only the last one is shown

async function fetchAll({ faces, view }: Wanted): Promise<void> {
  const turn = (newest += 1)
  const [pose, ...found] = await Promise.all([
    view ? comparedPose(view) : null,
    ...faces.map(({ face }, i) => previewOf(face, `${view ? 'posed' : 'rest'} ${i}`)),
  ])
  if (turn !== newest) return
  if (pose) {
    found[0].pose(pose.example)
    if (pose.version && found[1]) found[1].pose(pose.version)
  }
  shown.value = faces.map(({ title, note, side }, i) => ({ title, note, side, preview: found[i] }))
  shownPose.value = pose
  sweep()
}

/** Fetch what the stage should show whenever that changes. */
function followBuild(): void {
  let last = ''
  effect(() => {
    if (!building.value) return
    const now = wanted.value
    const key = JSON.stringify([now.view, now.faces.map(({ face, title, note }) => [face.id, title, note])])
    if (key === last) return
    last = key
    fetchAll(now).catch((problem: unknown) => {
      last = ''
      // A newer build is on its way when something of an older one is gone.
      if (!/moved on|other faces/.test(String(problem))) complain(problem)
    })
  })
}

/** Show what was fetched, with the colours of the error where they are wanted. */
function fillStage(): void {
  effect(() => {
    const [where, faces, version] = [stage.value, shown.value, shownPose.value?.version]
    if (!where || !building.value) return // the stage is another feature's
    const { colors } = compared.value
    faces.forEach(({ preview }, i) => {
      const coloured = colors && i === 1 && version
      preview?.color(coloured ? heatColors(version.distances, heatHigh.value, preview.data.vertex) : null)
    })
    where.show(faces.map(({ preview }) => preview))
  })
}

export function showBuild(): void {
  followBuild()
  fillStage()
}
