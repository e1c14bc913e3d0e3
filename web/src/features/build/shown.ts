/** What is on the stage: fetched when it is needed, kept as long as it is shown. */
import { computed, effect, signal } from '@preact/signals'
import { buildMesh, comparedPose, type Compared } from './routes'
import type { BuildFace } from '../../core/protocol.gen'
import { Bust, type MeshData } from '../../scene/stage/preview'
import { heatColors, roundUp } from '../../scene/stage/heat'
import type { Stage } from '../../scene/stage/stage'
import { build, building, chosenPose, heatTop, pairing } from './state'
import { complain } from '../../core/toasts'
import { compared } from '../../core/view'

export interface Shown {
  title: string
  note: string
  bust: Bust | null
  side?: 'source' | 'target' // of pairs of points
}

export const stage = signal<Stage | null>(null)
export const shown = signal<Shown[]>([])

/** The pose on the stage, once it is there. */
export const shownPose = signal<Compared | null>(null)

/** The end of the heat map's scale, a round number. */
export const heatHigh = computed(() =>
  roundUp(heatTop(chosenPose.value, build.value?.poses ?? [], compared.value.oneScale)),
)

const meshes = new Map<string, Promise<MeshData>>()
const busts = new Map<string, Bust>() // by face and place on the stage
let newest = 0

function meshOf(face: BuildFace): Promise<MeshData> {
  const known = meshes.get(face.id)
  if (known) return known
  const asked = buildMesh(face).then((data) => {
    findOpenness(data)
    return data
  })
  asked.catch(() => meshes.delete(face.id))
  meshes.set(face.id, asked)
  return asked
}

function findOpenness(data: MeshData): void {
  const worker = new Worker(new URL('../../scene/occlusion.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = (event: MessageEvent<Float32Array>) => {
    worker.terminate()
    data.open.set(event.data)
    for (const bust of busts.values()) if (bust.data === data) bust.open(event.data)
    stage.peek()?.ask()
  }
  worker.postMessage({ positions: data.positions, normals: data.normals, triangles: data.triangles })
}

async function bustOf(face: BuildFace, place: string): Promise<Bust> {
  const data = await meshOf(face)
  const key = `${place} ${face.id}`
  const known = busts.get(key)
  if (known) return known
  for (const [old, bust] of busts) {
    if (!old.startsWith(`${place} `)) continue
    bust.dispose()
    busts.delete(old)
  }
  const made = new Bust(data)
  busts.set(key, made)
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

/** Which faces the build should be looked at by now. */
export const wanted = computed<Wanted>(() => {
  const now = build.value
  if (!now) return { faces: [], view: '' }
  const { template, neutral, rest, laid } = now
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
      faces: pose.met ? [example, { face: rest, title: 'The rig’s version', note: pose.name }] : [example],
      view: pose.view,
    }
  }
  if (rest && laid && !laid.own)
    return {
      faces: [
        { face: neutral, title: 'Face', note: neutral.name },
        { face: rest, title: 'Template laid on it', note: '' },
      ],
      view: '',
    }
  return { faces: [{ face: rest ?? neutral, title: 'Neutral', note: neutral.name }], view: '' }
})

async function fetchAll({ faces, view }: Wanted): Promise<void> {
  const turn = (newest += 1)
  const [pose, ...found] = await Promise.all([
    view ? comparedPose(view) : null,
    ...faces.map(({ face }, i) => bustOf(face, `${view ? 'posed' : 'rest'} ${i}`)),
  ])
  if (turn !== newest) return // something else is wanted by now
  if (pose) {
    found[0].stand(pose.example)
    if (pose.version && found[1]) found[1].stand(pose.version)
  }
  shown.value = faces.map(({ title, note, side }, i) => ({ title, note, side, bust: found[i] }))
  shownPose.value = pose
  sweep()
}

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

/** The stage shows what there is, the error where it is wanted. */
effect(() => {
  const [where, faces, pose] = [stage.value, shown.value, shownPose.value]
  if (!where) return
  const { error } = compared.value
  faces.forEach(({ bust }, i) => {
    const coloured = error && i === 1 && pose?.version
    bust?.tone(coloured ? heatColors(pose.distances, heatHigh.value, bust.data.vertex) : null)
  })
  where.show(faces.map(({ bust }) => bust))
})
